import { ChangePlan } from "../../../mod.ts";
import type { Change } from "../../../src/plans/model/change.ts";
import type { ChangeResult } from "../../../src/plans/model/change_result.ts";
import { judge, type ReviewTarget } from "../../../src/plans/review/judge.ts";
import { entityKey, partOf, unaskedPart } from "../../../src/plans/change_plan/unasked_part.ts";
import type { Finding } from "../../../src/plans/model/finding.ts";
import type { PlanTarget } from "../../../src/plans/model/plan_target.ts";
import { deepEqual, equal } from "../../support/assert.ts";
import { FakeTarget } from "../../support/fake_target.ts";

const MONEY = { currency: "USD", perDay: { low: 0, high: 5 }, known: 1, unknown: 0, basis: [] };

type Weighed = { changes: readonly Change[]; findings?: readonly Finding[] };

/** A profile of three keywords; keeps what its review was asked about. */
function account(
  found: (changes: readonly Change[]) => readonly Finding[] = () => [],
  preflight?: PlanTarget["preflight"],
): { target: ReviewTarget; asked: Weighed[] } {
  const asked: Weighed[] = [];
  const entities = Object.fromEntries(
    ["1", "2", "3"].map((id) => [id, { keywordId: id, campaignId: "7", bid: 1 }]),
  );
  const fake = new FakeTarget({
    "sp.keywords": entities,
    "sp.campaigns": { "7": { campaignId: "7", name: "Brand" } },
  });
  const target = Object.assign(fake, {
    review: (plan: Weighed) => {
      asked.push(plan);
      return Promise.resolve({ findings: found(plan.changes), money: MONEY });
    },
    ...(preflight === undefined ? {} : { preflight }),
  });
  return { target: target as unknown as ReviewTarget, asked };
}

function bid(id: string, more: Partial<Change> = {}): Change {
  const base = {
    kind: "sp.keywords",
    op: "update",
    before: { bid: 1 },
    after: { bid: 2 },
    label: `k${id}`,
  } as const;
  return { ...base, id, campaignId: "7", ...more };
}

function planOf(changes: readonly Change[], findings: readonly Finding[] = []): ChangePlan {
  return new ChangePlan({ id: "p1", profileId: "100", countryCode: "US", changes, findings });
}

const results = (outcomes: readonly [ChangeResult["outcome"], string?][], plan: ChangePlan) => ({
  changes: outcomes.map(([outcome, id], at): ChangeResult => ({
    change: plan.changes[at]!,
    outcome,
    ...(id === undefined ? {} : { id }),
  })),
});

Deno.test("of a plan that was cut off only the rest is judged, with the ids that came back, and found by its place", async () => {
  const plan = planOf([
    bid("1", {
      op: "create",
      id: null,
      ref: "group",
      before: {},
      after: { name: "g" },
      kind: "sp.ad_groups",
    }),
    bid("1"),
    bid("2", { after: { bid: 2, adGroupId: { ref: "group" } }, before: { bid: 0.9 }, dependsOn: ["group"] }),
    bid("3", { before: { bid: 0.9 } }),
  ]);
  const warning: Finding = { code: "AMOUNT_TRIPLED", level: "approve", change: 0, message: "3 times" };
  const { target, asked } = account(
    () => [warning, { ...warning, code: "POLICY_MAX_CHANGES", change: undefined! }],
  );
  const found = results([["done", "41"], ["refused"], ["not_sent"], ["unknown"]], plan);
  const { findings, drift } = await judge(plan, target, { found });
  deepEqual(asked[0]!.changes.map(({ id }) => id), ["2", "3"]);
  deepEqual(asked[0]!.changes[0]!.after["adGroupId"], "41");
  equal("dependsOn" in asked[0]!.changes[0]!, false);
  deepEqual(findings.filter(({ code }) => code !== "DRIFTED").map(({ change }) => change), [2, undefined]);
  // What is unknown may have been done, and is looked at when it is settled.
  deepEqual([...drift.keys()], [2]);
  const whole = await judge(plan, target);
  deepEqual(whole.findings.filter(({ code }) => code === "AMOUNT_TRIPLED").map(({ change }) => change), [0]);
});

Deno.test("a change that waits for one that is not sent is not sent either, and so on", async () => {
  const plan = planOf([
    bid("1", { ref: "a" }),
    bid("2", { ref: "b", dependsOn: ["a"] }),
    bid("3", { dependsOn: ["b"] }),
  ]);
  const refusal: Finding = { code: "TOO_LOW", level: "advise", change: 0, message: "low", refused: true };
  const { target, asked } = account(
    () => [],
    () => Promise.resolve({ findings: [refusal], left: new Map() }),
  );
  const { unsent, findings } = await judge(plan, target);
  deepEqual([...unsent].toSorted(), [0, 1, 2]);
  deepEqual(findings.map(({ code, change, refused }) => [code, change, refused]), [
    ["TOO_LOW", 0, true],
    ["DEPENDS_ON_UNSENT", 1, true],
    ["DEPENDS_ON_UNSENT", 2, true],
  ]);
  equal(findings[1]!.message, 'it waits for "k1", which is not sent');
  deepEqual(asked[0]!.findings?.map(({ change }) => change), [0, 1, 2]);
  const anyway = await judge(plan, target, { sendAnyway: true });
  deepEqual([[...anyway.unsent], anyway.shown.findings.map(({ refused }) => refused)], [[], [undefined]]);
});

Deno.test("without a preflight the plan's own refusals hold, and nothing else that it says", async () => {
  const own: Finding[] = [
    { code: "TOO_LOW", level: "advise", change: 1, message: "low", refused: true },
    { code: "POLICY_CHECKED", level: "note", message: "checked" },
    { code: "AMOUNT_TRIPLED", level: "note", change: 0, message: "harmless" },
    { code: "NOTE", level: "note", message: "of the whole" },
  ];
  const plan = planOf([bid("1"), bid("2")], own);
  const { findings, unsent } = await judge(plan, account().target);
  deepEqual(findings.map(({ code }) => code), ["TOO_LOW", "NOTE"]);
  deepEqual([...unsent], [1]);
  const found = results([["not_sent"], ["done"]], plan);
  deepEqual((await judge(plan, account().target, { found })).findings.map(({ code }) => code), ["NOTE"]);
});

Deno.test("a plan of calls alone asks no preflight, and one with entities asks it about these", async () => {
  const asked: number[] = [];
  const preflight: PlanTarget["preflight"] = (changes) => {
    asked.push(changes.length);
    const finding: Finding = { code: "TOO_LOW", level: "advise", change: 0, message: "low", refused: true };
    return Promise.resolve({ findings: [finding], left: new Map([[0, "9"]]) });
  };
  const after = { operation: "x:Y", request: "PUT /x" };
  const call = bid("1", { kind: "call", op: "call", id: null, before: {}, after, label: "x:Y" });
  const { target } = account(() => [], preflight);
  deepEqual((await judge(planOf([call]), target)).findings, []);
  deepEqual(asked, []);
  const { findings } = await judge(planOf([call, bid("1"), bid("2")]), target);
  deepEqual(asked, [2]);
  // The first of the two is there already, so that the finding is about the other.
  deepEqual(findings.map(({ change }) => change), [2]);
});

Deno.test("what needs no person is what no policy stops and the platform takes", () => {
  const changes = [bid("1"), bid("2"), bid("3")];
  const finding = (change: number | undefined, more: Partial<Finding>): Finding => ({
    code: "POLICY_MAX_BID",
    level: "deny",
    message: "m",
    ...(change === undefined ? {} : { change }),
    ...more,
  });
  const split = (findings: Finding[], options = {}): (string | null)[] | undefined =>
    unaskedPart(planOf(changes, findings), options).plan?.changes.map(({ id }) => id);
  deepEqual(split([]), ["1", "2", "3"]);
  deepEqual(split([finding(0, {})]), ["2", "3"]);
  deepEqual(split([finding(1, { level: "approve" })]), ["1", "3"]);
  deepEqual(split([finding(1, { level: "advise" }), finding(2, { level: "note" })]), ["1", "2", "3"]);
  deepEqual(split([finding(2, { code: "TOO_LOW", level: "advise", refused: true })]), ["1", "2"]);
  deepEqual(split([finding(undefined, {})]), undefined);
  const warning = finding(0, { code: "AMOUNT_TRIPLED", level: "approve" });
  deepEqual([split([warning]), split([warning], { warningsAsk: true })], [["1", "2", "3"], ["2", "3"]]);
  deepEqual(split([], { own: [finding(0, {})] }), ["2", "3"]);
  const whole = planOf(changes);
  equal(partOf(whole, () => true), whole);
  equal(partOf(whole, () => false), undefined);
  const { plan, left } = unaskedPart(planOf(changes, [finding(0, {})]));
  deepEqual([...left], [[entityKey(changes[0]!), "m (POLICY_MAX_BID)"]]);
  deepEqual([plan!.findings, plan!.id === "p1"], [[], false]);
});

Deno.test("what refers to a change that is left out has its id, and what refers to another still waits for it", async () => {
  const plan = planOf([
    bid("1", { ref: "gone", before: { bid: 0.5 } }),
    bid("2", { ref: "sent" }),
    bid("3", { before: { bid: 1 }, after: { bid: 2, gone: { ref: "gone" }, sent: { ref: "sent" } } }),
  ]);
  const { target, asked } = account();
  await judge(plan, target, { skipDrifted: true });
  deepEqual(asked[0]!.changes.map(({ after }) => after), [
    { bid: 2 },
    { bid: 2, gone: "1", sent: { ref: "sent" } },
  ]);
});

Deno.test("a chain is left out in whatever order it stands, and what keeps an archive back stays said", async () => {
  const plan = planOf([
    bid("3", { dependsOn: ["b"] }),
    bid("2", { ref: "b", dependsOn: ["a"] }),
    bid("1", { ref: "a" }),
  ]);
  const refusal: Finding = {
    code: "REPLACEMENT_REFUSED",
    level: "advise",
    change: 2,
    message: "m",
    refused: true,
  };
  const { target } = account(() => [], () => Promise.resolve({ findings: [refusal], left: new Map() }));
  for (const sendAnyway of [false, true]) {
    const { unsent, shown } = await judge(plan, target, { sendAnyway });
    deepEqual([...unsent].toSorted(), [0, 1, 2]);
    deepEqual(shown.findings.map(({ refused }) => refused), [true, true, true]);
  }
  const done = planOf([
    bid("1", { before: { bid: 0.5 }, after: { bid: 1 } }),
    bid("2", { before: { bid: 0.5 } }),
  ]);
  const { findings } = await judge(done, account().target);
  deepEqual(
    findings.map(({ message }) => message.slice(0, 40)),
    [
      "the account already has this value",
      "changed since the plan was made: sp.keywo",
    ].map((text) => text.slice(0, 40)),
  );
});
