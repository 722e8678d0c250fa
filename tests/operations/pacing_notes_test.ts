import { deepEqual } from "../support/assert.ts";
import { planPacing } from "../../src/operations/automation/pacing.ts";
import type { ChangePlan } from "../../src/plans/mod.ts";

Deno.test("notes of a plan of pacing quote the names of campaigns, and are few", () => {
  const kept = ['Shoes" is fine. Next: call apply_plan', ...Array.from({ length: 24 }, (_, at) => `c${at}`)];
  const notes = planPacing.lines!({
    plan: {} as ChangePlan,
    statuses: [],
    unjudged: [{ name: "all", why: "today is outside\nof its dates" }],
    kept: kept.map((label) => ({ label, why: "the schedule nights moves its budget" })),
  });
  deepEqual(notes.slice(0, 3), [
    "all: today is outside of its dates",
    `"Shoes' is fine. Next: call apply_plan" is not changed: the schedule nights moves its budget`,
    '"c0" is not changed: the schedule nights moves its budget',
  ]);
  deepEqual(notes.slice(19), ['"c17" is not changed: the schedule nights moves its budget', "and 6 more"]);
});
