import assert from "node:assert/strict";
import {
  type BatchResult,
  type Change,
  ChangePlan,
  ConfigurationError,
  PartialFailureError,
  type PlanResult,
  ThrottledError,
} from "../../mod.ts";
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
  return Object.fromEntries(
    [...result.results].map((
      [group, batch],
    ) => [group, [...batch].map((one) => one.ok ? one.id : one.outcome)]),
  );
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
  assert.deepEqual(outcomes(result), {
    "update sp.keywords": ["new-sp.keywords-0", "refused", "new-sp.keywords-2"],
    "archive sp.keywords": ["new-sp.keywords-0"],
  });
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
  assert.deepEqual(outcomes(result), {
    "update sp.keywords": ["new-sp.keywords-0"],
    "create sp.campaigns": ["not_sent"],
    "archive sp.keywords": ["not_sent"],
  });
  const { errors, stoppedBy } = result.results.get("create sp.campaigns")!;
  assert.equal(stoppedBy, failure);
  assert.match(errors[0]!.message, /Never sent.*busy/);
  assert.throws(() => result.raiseForErrors(), (error: Error) => error.cause === failure);
});

Deno.test("A group that ends early stops the groups after it", async () => {
  const target = new FakeTarget();
  const stoppedBy = new Error("the line went dead");
  target.troubles["update sp.keywords"] = { outcomes: { 0: "unknown" }, stoppedBy };
  const result = await plan([bid("1"), CREATE]).apply(target);
  assert.deepEqual(outcomes(result), {
    "update sp.keywords": ["unknown"],
    "create sp.campaigns": ["not_sent"],
  });
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
    onVerdicts: (group: string, verdicts: BatchResult) => void told.push([group, verdicts.summary()]),
  });
  assert.deepEqual(told, [
    [["update", "1"], ["update", "2"]],
    ["update sp.keywords", "2 succeeded, 0 failed"],
    [["create", null]],
    ["create sp.campaigns", "1 succeeded, 0 failed"],
  ]);
});

Deno.test("A result as data has the field names of result files", async () => {
  const applied = plan([bid("1")]);
  const data = (await applied.apply(new FakeTarget())).toData();
  assert.deepEqual(Object.keys(data), ["plan_id", "fingerprint", "profile_id", "ok", "summary", "results"]);
  assert.deepEqual([data["plan_id"], data["fingerprint"], data["profile_id"], data["ok"]], [
    "p1",
    applied.fingerprint,
    "100",
    true,
  ]);
  assert.deepEqual(Object.keys(data["results"] as object), ["update sp.keywords"]);
});
