import { deepEqual, match, rejects } from "../support/assert.ts";
import { ChangePlan } from "../../mod.ts";
import { parsePolicy } from "../../src/plans/policy/mod.ts";

const plan = (factor: number | undefined, op: "update" | "call" = "update") =>
  new ChangePlan({
    profileId: "1",
    countryCode: "US",
    changes: [{
      kind: op === "call" ? "call" : "sp.keywords",
      op,
      id: op === "call" ? null : "9",
      before: op === "call" ? {} : { bid: 1 },
      after: op === "call"
        ? { operation: "sponsored-products:CreateOptimizationRules", request: "POST /sp/rules/optimization" }
        : { bid: 1.2 },
      label: "shoes",
      ...(factor === undefined ? {} : { evidence: { factor, reason: "schedule nights" } }),
    }],
  });

const NIGHT = Date.parse("2026-11-24T10:30:00Z"); // half past two in Los Angeles
const NOON = Date.parse("2026-11-24T20:00:00Z");

const found = (text: string, judged: ChangePlan, now: number): string[] =>
  parsePolicy(`version: 1\nallow_operations: ["*"]\n${text}\n`, { now: () => now })
    .check(judged, { now } as never).filter(({ rule }) => /schedule/.test(rule ?? "")).map((
      { rule, message },
    ) => `${rule}: ${message}`);

Deno.test("a policy bounds the factor of schedules, of rules of the platform too, and nothing else", () => {
  const text = "max_schedule_factor: 1.5";
  deepEqual(found(text, plan(1.5), NOON), []);
  match(
    found(text, plan(1.6), NOON)[0]!,
    /^max_schedule_factor: .*the factor 1\.6 of a schedule is above 1\.5$/,
  );
  match(found(text, plan(2, "call"), NOON)[0]!, /the factor 2 of a schedule is above 1\.5/);
  deepEqual(found(text, plan(undefined), NOON), []);
});

Deno.test("outside of schedule_hours schedules raise nothing above its base, and what they lower is always let through", () => {
  const text = 'schedule_hours: { from: "06:00", to: "22:00" }';
  deepEqual(found(text, plan(1.2), NOON), []);
  match(
    found(text, plan(1.2), NIGHT)[0]!,
    /^schedule_hours: .*Tue 02:30 in America\/Los_Angeles, when schedules may not exceed the base/,
  );
  deepEqual(found(text, plan(1), NIGHT), []);
  deepEqual(found(text, plan(0.5), NIGHT), []);
  deepEqual(found(text, plan(2, "call"), NIGHT), [], "rules hold for a week");
  deepEqual(found(text, plan(undefined), NIGHT), []);
});

Deno.test("keys of schedules that make no sense are refused with their line", async () => {
  await rejects(
    () =>
      Promise.resolve().then(() =>
        parsePolicy("version: 1\nmax_schedule_factor: -1\nschedule_hours: { from: 6 }\n", {
          source: "p.yaml",
        })
      ),
    /Line 2: max_schedule_factor[\s\S]*Line 3: schedule_hours/,
  );
});
