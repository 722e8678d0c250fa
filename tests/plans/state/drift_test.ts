import assert from "node:assert/strict";
import { BatchResult, type Change, ChangePlan, PlanDriftError, PlatformAdsError } from "../../../mod.ts";
import type { CallState } from "../../../src/plans/mod.ts";
import { findDrift } from "../../../src/plans/state/drift.ts";
import { Unread } from "../../../src/plans/model/prior_state.ts";
import { FakeTarget } from "../../support/fake_target.ts";

function change(id: string, before: Record<string, unknown>, after: Record<string, unknown>): Change {
  return { kind: "sp.keywords", op: "update", id, before, after, label: id };
}

const ARCHIVE: Change = {
  ...change("3", { state: "PAUSED" }, { state: "ARCHIVED" }),
  op: "archive",
};

function plan(changes: Change[]): ChangePlan {
  return new ChangePlan({ id: "p1", profileId: "100", countryCode: "US", changes });
}

Deno.test("A plan whose before values still hold is applied after one read a kind", async () => {
  const target = new FakeTarget({
    "sp.keywords": {
      "1": { bid: 1, tags: { b: 2, a: 1 }, computed: "whatever" },
      "2": { bid: 5 },
      "3": { state: "PAUSED" },
    },
  });
  const changes = [
    change("1", { bid: 1, tags: { a: 1, b: 2 } }, { bid: 2, tags: { a: 1, b: 3 } }),
    change("2", {}, { endDate: "2026-12-31" }),
    ARCHIVE,
    { ...ARCHIVE, op: "create" as const, id: null, before: {} },
  ];
  const result = await plan(changes).apply(target, { checkDrift: true });
  assert.equal(result.ok, true);
  assert.deepEqual(target.reads, [["1", "2", "3"]]);
});

Deno.test("Every field that no longer holds its before value is reported, and nothing is sent", async () => {
  const target = new FakeTarget({
    "sp.keywords": {
      "1": { bid: 1.5, state: "ENABLED" },
      "2": { endDate: "2026-01-01" },
      "3": { state: "ARCHIVED" },
    },
  });
  const drifting = plan([
    change("1", { bid: 1, state: "ENABLED" }, { bid: 2, state: "PAUSED" }),
    change("2", {}, { endDate: "2026-12-31" }),
    ARCHIVE,
    change("404", { bid: 1 }, { bid: 2 }),
  ]);
  await assert.rejects(drifting.apply(target, { checkDrift: true }), (error: Error) => {
    assert.ok(error instanceof PlanDriftError);
    assert.deepEqual(error.drifted, [
      { kind: "sp.keywords", id: "1", field: "bid", expected: 1, actual: 1.5 },
      { kind: "sp.keywords", id: "2", field: "endDate", expected: undefined, actual: "2026-01-01" },
      { kind: "sp.keywords", id: "3", field: "state", expected: "PAUSED", actual: "ARCHIVED" },
      { kind: "sp.keywords", id: "404", field: "keywordId", expected: "404", actual: undefined },
    ]);
    assert.match(
      error.message,
      /plan p1.*sp\.keywords 1: "bid" was 1 and is 1\.5 and 3 more\. Make a new plan/,
    );
    return true;
  });
  assert.deepEqual(target.writes, []);
});

Deno.test("After drift was found, the plan may be applied once the account is as it was", async () => {
  const target = new FakeTarget({ "sp.keywords": { "1": { bid: 9 } } });
  const drifting = plan([change("1", { bid: 1 }, { bid: 2 })]);
  await assert.rejects(drifting.apply(target, { checkDrift: true }), PlanDriftError);
  target.entities["sp.keywords"]!["1"] = { bid: 1 };
  assert.equal((await drifting.apply(target, { checkDrift: true })).ok, true);
});

Deno.test("Without checkDrift nothing is read", async () => {
  const target = new FakeTarget();
  assert.equal((await plan([change("1", { bid: 1 }, { bid: 2 })]).apply(target)).ok, true);
  assert.deepEqual(target.reads, []);
});

Deno.test("Nothing and null are the same, in the plan and in the account, and an absent value has a word", async () => {
  const target = new FakeTarget({ "sp.keywords": { "1": { bid: 1, a: null }, "2": { bid: 1 }, "3": {} } });
  const same = plan([
    change("1", { bid: 1 }, { bid: 2, a: 5 }),
    change("2", { bid: 1, a: null }, { bid: 2, a: 5 }),
  ]);
  assert.equal((await same.apply(target, { checkDrift: true })).ok, true);
  await assert.rejects(
    plan([change("3", { bid: 1 }, { bid: 2 })]).apply(target, { checkDrift: true }),
    /: the account changed since it was made\. sp\.keywords 3: "bid" was 1 and is absent\. Make a new plan$/,
  );
  const two = plan([change("3", { bid: 1, a: 1 }, { bid: 2, a: 2 })]);
  await assert.rejects(two.apply(target, { checkDrift: true }), /is absent and 1 more\. Make/);
});

Deno.test("What is as the plan would make it is so already, states in either case; what is gone is not", async () => {
  const target = new FakeTarget({
    "sp.keywords": {
      "1": { state: "paused", end: null },
      "2": { state: "PAUSED", bid: 1 },
      "3": { state: "archived" },
      "4": { state: "paused" },
    },
  });
  const outcomes = async (one: Change): Promise<string> =>
    (await plan([one]).apply(target, { skipDrifted: true })).changes[0]!.outcome;
  const before = { state: "ENABLED", end: "2026-12-31" };
  assert.equal(await outcomes(change("1", before, { state: "PAUSED" })), "already");
  assert.equal(await outcomes(change("1", before, { state: "PAUSED", end: null })), "already");
  assert.equal(
    await outcomes(change("2", { state: "ENABLED", bid: 3 }, { state: "PAUSED", bid: 2 })),
    "not_sent",
  );
  assert.equal(await outcomes(change("4", before, { state: "PAUSED", end: null })), "already");
  assert.equal(await outcomes({ ...ARCHIVE, id: "3" }), "already");
  assert.equal(await outcomes(change("9", before, {})), "not_sent");
  assert.deepEqual(target.writes, []);
});

Deno.test("A call drifted where what it writes over is not what the plan saw, or cannot be read any more", async () => {
  const body = { a: 2 };
  const call: Change = {
    ...change("x", { body: { a: 1 } }, { operation: "x:Do", request: "PUT /x", body }),
    kind: "call",
    op: "call",
    id: null,
  };
  const sent: unknown[] = [];
  const client = (now: CallState | undefined): FakeTarget =>
    Object.assign(new FakeTarget(), {
      calls: {
        read: () => Promise.resolve(now),
        send: (items: readonly unknown[]) => {
          sent.push(items);
          return Promise.resolve(
            new BatchResult([{ index: 0, item: items[0], id: undefined, entity: undefined }], []),
          );
        },
      },
    });
  const outcome = async (one: Change, now: CallState | undefined): Promise<string> =>
    (await plan([one]).apply(client(now), { skipDrifted: true })).changes[0]!.outcome;
  assert.equal(await outcome(call, { body: { a: 1 } }), "done");
  assert.equal(await outcome({ ...call, before: {} }, { body: { a: 5 } }), "done");
  assert.equal(sent.length, 2);
  assert.equal(await outcome(call, { body }), "already");
  assert.equal(await outcome(call, { body: { a: 5 } }), "not_sent");
  assert.equal(await outcome(call, undefined), "not_sent");
  assert.equal(await outcome({ ...call, before: { entity: { a: 1 } } }, { entity: { a: 2 } }), "not_sent");
  assert.equal(sent.length, 2);
  await assert.rejects(
    plan([call]).apply(client({ body: { a: 5 } }), { checkDrift: true }),
    (error: Error) => {
      assert.ok(error instanceof PlanDriftError);
      assert.deepEqual(error.drifted, [
        { kind: "call", id: "x:Do", field: "body.a", expected: 1, actual: 5 },
      ]);
      return true;
    },
  );
});

Deno.test("an entity that cannot be read ends the sending with why, and did not drift", async () => {
  const target = new FakeTarget({ "sp.keywords": { "1": { bid: 1 } } });
  const resource = target.resource.bind(target);
  const error = new PlatformAdsError("no answer");
  target.resource = (kind) => ({ ...resource(kind), getMany: () => Promise.reject(error) });
  const applied = plan([change("1", { bid: 1 }, { bid: 2 })]).apply(target, { checkDrift: true });
  await assert.rejects(applied, error);
  assert.deepEqual(target.writes, []);
});

Deno.test("what is created, and a call that writes over nothing known, have nothing that could drift", () => {
  const call: Change = {
    ...change("x", {}, { operation: "x:Do", request: "PUT /x", body: {} }),
    ...{ kind: "call", op: "call", id: null },
  };
  const seen = { ...call, before: { body: { a: 1 } } };
  const changes: readonly Change[] = [
    { ...change("1", { bid: 1 }, { bid: 2 }), op: "create" },
    { ...change("1", { bid: 1 }, { bid: 2 }), id: null },
    call,
    seen,
  ];
  const account = { entity: () => undefined, call: (): CallState => ({ body: { a: 2 } }) };
  const placed = changes.map((change, at) => ({ at, change }));
  assert.deepEqual([...findDrift(placed, account, new FakeTarget()).keys()], [3]);
});

Deno.test("an entity that was not read at all cannot be checked for drift, and the error says so", () => {
  const account = { entity: () => new Unread("sp.keywords 1 was not read"), call: () => undefined };
  assert.throws(
    () => findDrift([{ at: 0, change: change("1", { bid: 1 }, { bid: 2 }) }], account, new FakeTarget()),
    /^PlatformAdsError: Cannot check for drift: sp\.keywords 1 was not read$/,
  );
});
