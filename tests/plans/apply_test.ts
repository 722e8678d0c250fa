import assert from "node:assert/strict";
import {
  type Change,
  ChangePlan,
  ConfigurationError,
  PartialFailureError,
  type PlanResult,
  ThrottledError,
} from "../../mod.ts";
import type { JudgeRequest } from "../../src/plans/mod.ts";
import { FakeTarget } from "../support/fake_target.ts";

const CREATE: Change = {
  kind: "sp.campaigns",
  op: "create",
  id: null,
  before: {},
  after: { name: "New" },
  label: "New",
};

function bid(id: string): Change {
  return { kind: "sp.keywords", op: "update", id, before: { bid: 1 }, after: { bid: 2 }, label: id };
}

const ARCHIVE: Change = {
  kind: "sp.keywords",
  op: "archive",
  id: "9",
  before: { state: "ENABLED" },
  after: { state: "ARCHIVED" },
  label: "9",
};

function plan(changes: Change[]): ChangePlan {
  return new ChangePlan({ id: "p1", profileId: "100", countryCode: "US", changes });
}

function outcomes(result: PlanResult): unknown {
  return result.changes.map(({ outcome, id }) => outcome === "done" ? id : outcome);
}

Deno.test("Groups are sent in the order in which they first appear, each as one list", async () => {
  const target = new FakeTarget();
  const result = await plan([bid("1"), CREATE, bid("2"), ARCHIVE, CREATE]).apply(target);
  assert.deepEqual(target.writes, [
    { kind: "sp.keywords", op: "update", items: [{ keywordId: "1", bid: 2 }, { keywordId: "2", bid: 2 }] },
    { kind: "sp.campaigns", op: "create", items: [{ name: "New" }, { name: "New" }] },
    { kind: "sp.keywords", op: "archive", items: ["9"] },
  ]);
  assert.equal(result.ok, true);
  assert.deepEqual([...result.results.keys()], [
    "update sp.keywords",
    "create sp.campaigns",
    "archive sp.keywords",
  ]);
  assert.equal(
    result.summary(),
    "update sp.keywords: 2 succeeded, 0 failed\ncreate sp.campaigns: 2 succeeded, 0 failed\n" +
      "archive sp.keywords: 1 succeeded, 0 failed",
  );
  result.raiseForErrors();
  assert.deepEqual(target.reads, []);
});

Deno.test("Each change has its verdict at its own position, however mixed the plan is", async () => {
  const target = new FakeTarget();
  target.troubles["update sp.keywords"] = { outcomes: { 1: "partial" } };
  target.troubles["create sp.campaigns"] = { outcomes: { 0: "refused" } };
  const result = await plan([bid("1"), CREATE, bid("2"), ARCHIVE, CREATE]).apply(target);
  assert.deepEqual(outcomes(result), ["1", "refused", "unknown", "9", "new-sp.campaigns-1"]);
  assert.deepEqual(result.failures.map(({ change, error }) => [change.op, error.index, error.outcome]), [
    ["create", 1, "refused"],
    ["update", 2, "partial"],
  ]);
  assert.deepEqual(result.changes.map(({ change }) => change), [...result.plan.changes]);
});

Deno.test("The client's judge sees what is about to be sent, can refuse it, and its findings are kept", async () => {
  const target = new FakeTarget();
  const seen: unknown[] = [];
  const finding = { code: "NOTED", level: "note" as const, message: "seen" };
  const judged = Object.assign(target, {
    judge: ({ open }: JudgeRequest) => {
      seen.push(open.map(({ at }) => at));
      return Promise.resolve({ findings: [finding], settle: () => Promise.resolve() });
    },
  });
  assert.deepEqual((await plan([bid("1"), CREATE]).apply(judged)).findings, [finding]);
  assert.deepEqual(seen, [[0, 1]]);
  target.writes.length = 0;
  const refusing = Object.assign(target, { judge: () => Promise.reject(new ConfigurationError("no")) });
  await assert.rejects(plan([bid("1")]).apply(refusing), /^ConfigurationError: no$/);
  assert.deepEqual(target.writes, []);
});

Deno.test("What a finding says would be refused is not sent, unless the caller insists", async () => {
  const target = new FakeTarget();
  const findings = [{
    code: "TOO_HIGH",
    level: "advise" as const,
    change: 1,
    message: "9 > 5",
    refused: true,
  }];
  const make = () =>
    new ChangePlan({ profileId: "100", countryCode: "US", changes: [bid("1"), CREATE], findings });
  const result = await make().apply(target);
  assert.deepEqual(outcomes(result), ["1", "not_sent"]);
  assert.deepEqual([result.changes[1]!.error!.code, target.writes.length], ["TOO_HIGH", 1]);
  assert.equal((await make().apply(target, { sendAnyway: true })).ok, true);
});

Deno.test("A plan cannot be changed once it is made, not in its leaves either", () => {
  const made = plan([bid("1")]);
  const before = made.fingerprint;
  assert.throws(() => Object.assign(made, { changes: [bid("2")] }), TypeError);
  assert.throws(() => Object.assign(made.changes[0]!.after, { bid: 99 }), TypeError);
  assert.throws(() => Object.defineProperty(made, "fingerprint", { value: "x" }), TypeError);
  assert.deepEqual([made.changes[0]!.id, made.fingerprint], ["1", before]);
});

Deno.test("A plan for another profile is refused, both profiles named, and nothing is sent", async () => {
  const target = new FakeTarget();
  // The last one says another country than its reader would find.
  for (const [profileId, countryCode] of [["101", "US"], ["101", "CA"], ["100", "CA"]] as const) {
    const other = new ChangePlan({ profileId, countryCode, changes: [bid("1")] });
    const told = new RegExp(`${profileId} \\(${countryCode}\\).*100 \\(US\\)`);
    await assert.rejects(
      other.apply(target),
      (error: Error) => error instanceof ConfigurationError && told.test(error.message),
    );
  }
  assert.deepEqual(target.writes, []);
});

Deno.test("A plan is applied once, also by two at the same time, and a copy of it is another plan", async () => {
  const target = new FakeTarget();
  const once = plan([bid("1")]);
  const both = await Promise.allSettled([once.apply(target), once.apply(target)]);
  assert.deepEqual(both.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
  await assert.rejects(once.apply(target), /Cannot apply plan p1 again.*Make a new plan/);
  assert.equal(target.writes.length, 1);
});

Deno.test("An empty plan sends nothing and says so", async () => {
  const target = new FakeTarget();
  const result = await plan([]).apply(target, { checkDrift: true });
  assert.deepEqual([result.ok, result.summary(), target.writes], [true, "Nothing to do", []]);
});

Deno.test("An item that is refused hides no other and does not throw", async () => {
  const target = new FakeTarget();
  target.troubles["update sp.keywords"] = { outcomes: { 1: "refused" } };
  const result = await plan([bid("1"), bid("2"), bid("3"), ARCHIVE]).apply(target);
  assert.deepEqual(outcomes(result), ["1", "refused", "3", "9"]);
  assert.equal(result.ok, false);
  assert.throws(
    () => result.raiseForErrors(),
    (error: Error) =>
      error instanceof PartialFailureError && error.result === result && /Plan p1/.test(error.message),
  );
});

Deno.test("A failure of the first request is thrown, nothing counts as applied, and the plan may be tried again", async () => {
  const target = new FakeTarget();
  const failure = new ThrottledError("busy", { statusCode: 429, method: "PUT", url: "u" });
  const tried = plan([bid("1"), CREATE]);
  target.troubles["update sp.keywords"] = { throws: failure };
  await assert.rejects(tried.apply(target), failure);
  delete target.troubles["update sp.keywords"];
  assert.equal((await tried.apply(target)).ok, true);
});

Deno.test("A failure of the second group's request keeps the first group's verdicts and sends no third", async () => {
  const target = new FakeTarget();
  const failure = new ThrottledError("busy", { statusCode: 429, method: "POST", url: "u" });
  target.troubles["create sp.campaigns"] = { throws: failure };
  const result = await plan([bid("1"), CREATE, ARCHIVE]).apply(target);
  assert.deepEqual(outcomes(result), ["1", "not_sent", "not_sent"]);
  assert.equal(result.stoppedBy, failure);
  assert.match(result.changes[1]!.error!.message, /Never sent.*busy/);
  assert.throws(() => result.raiseForErrors(), (error: Error) => error.cause === failure);
});

Deno.test("A group that ends early stops the groups after it", async () => {
  const target = new FakeTarget();
  const stoppedBy = new Error("the line went dead");
  target.troubles["update sp.keywords"] = { outcomes: { 0: "unknown" }, stoppedBy };
  const result = await plan([bid("1"), CREATE]).apply(target);
  assert.deepEqual(outcomes(result), ["unknown", "not_sent"]);
  assert.equal(target.writes.length, 1);
});

Deno.test("A plan that names an unknown kind is refused before its other groups are sent", async () => {
  class Narrow extends FakeTarget {
    override resource(kind: string): ReturnType<FakeTarget["resource"]> {
      if (kind !== "sp.keywords") throw new ConfigurationError(`Cannot find a resource "${kind}"`);
      return super.resource(kind);
    }
  }
  const target = new Narrow();
  await assert.rejects(plan([bid("1"), CREATE]).apply(target), /"sp.campaigns"/);
  assert.deepEqual(target.writes, []);
});

Deno.test("An aborted signal sends nothing and leaves the plan to be applied", async () => {
  const target = new FakeTarget();
  const tried = plan([bid("1")]);
  await assert.rejects(tried.apply(target, { signal: AbortSignal.abort(new Error("no more")) }), /no more/);
  assert.deepEqual(target.writes, []);
  assert.equal((await tried.apply(target)).ok, true);
});

Deno.test("Before and after each request the caller is told which changes it carries and what came of them", async () => {
  const target = new FakeTarget();
  const told: unknown[] = [];
  await plan([bid("1"), CREATE, bid("2")]).apply(target, {
    onSending: (changes) => void told.push(changes.map(({ op, id }) => [op, id])),
    onResults: (results) => void told.push(results.map(({ outcome, id }) => [outcome, id])),
  });
  assert.deepEqual(told, [
    [["update", "1"], ["update", "2"]],
    [["done", "1"], ["done", "2"]],
    [["create", null]],
    [["done", "new-sp.campaigns-0"]],
  ]);
});

Deno.test("A result as data has the field names of result files", async () => {
  const applied = plan([bid("1")]);
  const data = (await applied.apply(new FakeTarget())).toData();
  assert.deepEqual(Object.keys(data), [
    "plan_id",
    "fingerprint",
    "profile_id",
    "ok",
    "summary",
    "approved_by",
    "missing",
    "override",
    "changes",
  ]);
  assert.equal(data["override"], null);
  assert.deepEqual([data["plan_id"], data["fingerprint"], data["profile_id"], data["ok"]], [
    "p1",
    applied.fingerprint,
    "100",
    true,
  ]);
  assert.deepEqual(data["changes"], [
    { kind: "sp.keywords", op: "update", id: "1", label: "1", outcome: "done", fields: ["bid"] },
  ]);
});
