import assert from "node:assert/strict";
import { type ApplyOptions, type Change, ChangePlan, type PlanResult, resumePlan } from "../../mod.ts";
import type { Finding, JudgeRequest, PlanTarget } from "../../src/plans/mod.ts";
import { sendChanges } from "../../src/plans/apply/send_changes.ts";
import type { ChangePlanFields } from "../../src/plans/model/plan_data.ts";
import { FakeTarget } from "../support/fake_target.ts";
import { MemoryJournal } from "../support/memory_journal.ts";

function bid(id: string, more: Partial<Change> = {}): Change {
  return { kind: "sp.keywords", op: "update", id, before: { bid: 1 }, after: { bid: 2 }, label: id, ...more };
}

const CALL: Change = {
  ...bid("x"),
  kind: "call",
  op: "call",
  id: null,
  before: {},
  after: { operation: "x:Do", request: "PUT /x", body: { a: 2 } },
};

function planOf(changes: readonly Change[], more: Partial<ChangePlanFields> = {}): ChangePlan {
  return new ChangePlan({ id: "p1", profileId: "100", countryCode: "US", changes, ...more });
}

/** Outcome and code of every change. */
const verdicts = ({ changes }: PlanResult): unknown[] =>
  changes.map(({ outcome, error }) => error === undefined ? outcome : `${outcome} ${error.code}`);

/** A judge that finds something; `asked` holds what it was given. */
function judging(target: FakeTarget, findings: readonly Finding[] = []) {
  const asked: JudgeRequest[] = [];
  const settled: unknown[] = [];
  const judged = Object.assign(target, {
    judge: (request: JudgeRequest) => {
      asked.push(request);
      return Promise.resolve({
        findings,
        settle: (results: readonly { outcome: string }[]) => {
          settled.push(results.map(({ outcome }) => outcome));
          return Promise.resolve();
        },
      });
    },
  });
  return { judged, asked, settled };
}

Deno.test("what no longer holds its value is left out where the caller says so, and the rest is sent", async () => {
  const target = new FakeTarget({
    "sp.keywords": { "1": { bid: 1 }, "2": { bid: 1.5 }, "3": { bid: 2 } },
  });
  const { judged, asked, settled } = judging(target);
  const changes = [bid("1"), bid("2"), bid("3"), bid("404")];
  const result = await planOf(changes).apply(judged, { skipDrifted: true });
  assert.deepEqual(verdicts(result), ["done", "not_sent DRIFTED", "already", "not_sent DRIFTED"]);
  assert.deepEqual(result.changes.map(({ id }) => id), ["1", "2", "3", "404"]);
  assert.match(
    result.changes[1]!.error!.message,
    /^Never sent, because the account changed: sp\.keywords 2: "bid" was 1 and is 1\.5$/,
  );
  assert.deepEqual(target.writes.map(({ items }) => items), [[{ keywordId: "1", bid: 2 }]]);
  assert.deepEqual(asked[0]!.open.map(({ at }) => at), [0]);
  assert.deepEqual([asked[0]!.resumes, asked[0]!.approvedBy], [false, undefined]);
  assert.deepEqual(settled, [["done", "not_sent", "already", "not_sent"]]);
});

Deno.test("a plan that does not fit together is refused before it is judged, and keeps no journal", async () => {
  const { judged, asked } = judging(new FakeTarget());
  const journal = new MemoryJournal();
  const dangling = planOf([bid("1", { dependsOn: ["gone"] })]);
  await assert.rejects(dangling.apply(judged, { journal }), /refers to "gone"/);
  assert.deepEqual([asked.length, journal.text], [0, undefined]);
});

Deno.test("a client that sends no calls is told so before anything is sent", async () => {
  const target = new FakeTarget();
  const plan = planOf([bid("1"), CALL]);
  await assert.rejects(plan.apply(target), /Cannot send plan p1: this client cannot call operations/);
  const parts = { client: target, known: new Map(), bodies: new Map(), journal: undefined, options: {} };
  await assert.rejects(sendChanges([CALL], parts), /this client cannot call operations/);
  assert.deepEqual(target.writes, []);
});

Deno.test("what the platform would refuse is looked for once more in a plan that undoes another, and in no other", async () => {
  const target = new FakeTarget();
  const asked: unknown[] = [];
  const finding: Finding = { code: "ARCHIVED", level: "advise", message: "m", refused: true };
  const foreseeing: PlanTarget = Object.assign(target, {
    preflight: (changes: readonly Change[]) => {
      asked.push(changes);
      return Promise.resolve({ findings: [{ ...finding, change: 1 }, { ...finding, change: 7 }, finding] });
    },
  });
  const archive = bid("2", { op: "archive", after: { state: "ARCHIVED" } });
  const create = bid("x", { op: "create", id: null, before: {}, ref: "c" });
  const changes = [create, bid("1", { dependsOn: ["c"] }), archive];
  const undo = await planOf(changes, { reverses: "p0" }).apply(foreseeing);
  assert.deepEqual(verdicts(undo), ["done", "done", "not_sent ARCHIVED"]);
  const { ref: _, dependsOn: __, ...update } = changes[1]!;
  assert.deepEqual(asked, [[update, archive]]);
  assert.deepEqual(verdicts(await planOf(changes).apply(foreseeing)), ["done", "done", "done"]);
  await planOf([create], { reverses: "p0" }).apply(foreseeing);
  assert.equal(asked.length, 1, "nor where nothing exists yet");
  await planOf([bid("1")], { reverses: "p0" }).apply(foreseeing);
  assert.equal(asked.length, 2);
  const anyway = await planOf(changes, { reverses: "p0" }).apply(foreseeing, { sendAnyway: true });
  assert.deepEqual(verdicts(anyway), ["done", "done", "done"]);
});

const REFUSED: Finding = { code: "TOO_HIGH", level: "advise", change: 0, message: "9 > 5", refused: true };
const ASKS: Finding = { code: "POLICY_LIMIT", level: "approve", message: "m" };

/** Who overrode what. */
async function overridden(findings: readonly Finding[], found: readonly Finding[], options: ApplyOptions) {
  const { judged } = judging(new FakeTarget({ "sp.keywords": { "1": { bid: 5 } } }), found);
  const { override } = await planOf([bid("1"), bid("2")], { findings }).apply(judged, options);
  return override === undefined ? undefined : [override.by, override.findings, override.approval];
}

Deno.test("what is sent although it would be refused is on record, and nothing else of the findings", async () => {
  const { change: _, ...ofNoChange } = REFUSED;
  const others = [{ ...REFUSED, refused: false }, ofNoChange, { ...REFUSED, change: 1 }];
  assert.deepEqual(await overridden([REFUSED, ...others.slice(0, 2)], [], { sendAnyway: true }), [
    ...["an unnamed sender", [REFUSED], null],
  ]);
  assert.equal(await overridden([REFUSED], [], {}), undefined);
  assert.equal(await overridden(others.slice(0, 2), [], { sendAnyway: true }), undefined);
  const advised = planOf([bid("1")], { findings: others.slice(0, 2) });
  assert.equal((await advised.apply(new FakeTarget())).ok, true);
  // Of two that would be refused, the first is not sent, for the account changed.
  assert.deepEqual(
    await overridden([REFUSED, others[2]!], [], { sendAnyway: true, skipDrifted: true }),
    undefined,
  );
});

Deno.test("what asks for a person is on record with who approved it, and with the signed approval", async () => {
  const accepted = { ...ASKS, code: "AMOUNT_TRIPLED" };
  const note: Finding = { ...ASKS, level: "note" };
  const approval = { plan_id: "p1", fingerprint: "f", approved_at: "a", expires_at: "b", signature: "s" };
  const by = { approvedBy: "Ann", accepted: [accepted, note], approval };
  assert.deepEqual(await overridden([], [ASKS, note], by), ["Ann", [accepted, ASKS], approval]);
  assert.equal(await overridden([], [note], { approvedBy: "Ann" }), undefined);
  assert.equal(await overridden([], [ASKS], { accepted: [accepted] }), undefined, "nobody approved");
  assert.deepEqual(await overridden([REFUSED], [ASKS], { approvedBy: "Ann", sendAnyway: true }), [
    ...["Ann", [ASKS, REFUSED], null],
  ]);
  const { judged } = judging(new FakeTarget(), [ASKS]);
  const result = await planOf([bid("1")]).apply(judged, { approvedBy: "Ann" });
  assert.deepEqual(result.toData()["override"], { by: "Ann", findings: [ASKS], approval: null });
});

Deno.test("limits that the platform states are kept with what is not sent", async () => {
  const limits = async (allowed: string): Promise<unknown> => {
    const result = await planOf([bid("1")], { findings: [{ ...REFUSED, allowed }] }).apply(new FakeTarget());
    const { lowerLimit, upperLimit } = result.failures[0]!.error;
    return [lowerLimit, upperLimit];
  };
  assert.deepEqual(await limits("0.02 to 1000 USD"), ["0.02", "1000"]);
  assert.deepEqual(await limits("any word"), [undefined, undefined]);
});

Deno.test("a plan that is resumed is judged once more, and its judge knows that it is", async () => {
  const journal = new MemoryJournal();
  const { judged, asked, settled } = judging(new FakeTarget());
  const plan = planOf([bid("1"), bid("2", { kind: "sp.targets" })]);
  await plan.apply(judged, { journal, stop: AbortSignal.abort() });
  await resumePlan(plan, judged, { journal });
  assert.deepEqual(asked.map(({ resumes }) => resumes), [false, true]);
  assert.equal(settled.length, 2);
});
