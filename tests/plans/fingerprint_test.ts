import assert from "node:assert/strict";
import fc from "fast-check";
import { type Change, ChangePlan } from "../../mod.ts";
import type { ChangePlanFields } from "../../src/plans/model/plan_data.ts";

const CHANGE: Change = {
  kind: "sp.keywords",
  op: "update",
  id: "301",
  before: { bid: 0.5, nested: { a: 1, b: [1, 2] } },
  after: { bid: 0.6, nested: { a: 2, b: [1, 2] } },
  label: '"shoes" (EXACT)',
  campaignId: "11",
};

const FIELDS: ChangePlanFields = { profileId: "100", countryCode: "US", changes: [CHANGE] };

function fingerprint(parts: Partial<ChangePlanFields> = {}): string {
  return new ChangePlan({ ...FIELDS, ...parts }).fingerprint;
}

Deno.test("A fingerprint is 64 hexadecimal digits and stays the same from release to release", () => {
  assert.equal(fingerprint(), "40670f9cadda646225e41e81231528cc16135866982ee883a4404943a5b934a3");
});

Deno.test("Id, time, note, warnings, missing ids and origin do not touch the fingerprint", () => {
  const others: Partial<ChangePlanFields>[] = [
    { id: "other" },
    { createdAt: "2020-01-01T00:00:00.000Z" },
    { note: "why" },
    { warnings: ["careful"] },
    { missing: ["5"] },
    { reverses: "earlier" },
  ];
  for (const parts of others) assert.equal(fingerprint(parts), fingerprint(), JSON.stringify(parts));
});

Deno.test("Profile, country and every part of a change touch the fingerprint", () => {
  const changed: Partial<ChangePlanFields>[] = [
    { profileId: "101" },
    { countryCode: "CA" },
    { changes: [] },
    { changes: [CHANGE, CHANGE] },
    ...([
      { kind: "sp.targets" },
      { op: "archive" },
      { id: "302" },
      { before: { bid: 0.4, nested: CHANGE.before["nested"] } },
      { after: { bid: 0.7, nested: CHANGE.after["nested"] } },
      { after: { ...CHANGE.after, state: "PAUSED" } },
      { after: { bid: "0.6", nested: CHANGE.after["nested"] } },
      { after: { bid: 0.6, nested: { a: 2, b: [2, 1] } } },
      { label: "another" },
      { campaignId: "12" },
    ] as Partial<Change>[]).map((part) => ({ changes: [{ ...CHANGE, ...part }] })),
  ];
  const seen = new Set([fingerprint(), ...changed.map(fingerprint)]);
  assert.equal(seen.size, changed.length + 1);
});

Deno.test("The order of changes counts, the order of keys does not, at any depth", () => {
  const other: Change = { ...CHANGE, id: "302" };
  assert.notEqual(fingerprint({ changes: [CHANGE, other] }), fingerprint({ changes: [other, CHANGE] }));
  const value = fc.jsonValue({ maxDepth: 3 });
  fc.assert(
    fc.property(fc.dictionary(fc.string(), value), (after) => {
      const plain = fingerprint({ changes: [{ ...CHANGE, after }] });
      assert.equal(fingerprint({ changes: [turned({ ...CHANGE, after }) as Change] }), plain);
    }),
    { numRuns: 200 },
  );
});

/** The same value with the keys of every object in reverse order. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).reverse().map(([key, part]) => [key, turned(part)]));
}

Deno.test("A plan cannot be altered between review and sending", () => {
  const mine = { ...CHANGE, after: { bid: 0.6, list: [{ a: 1 }] } };
  const plan = new ChangePlan({ ...FIELDS, changes: [mine] });
  mine.after.bid = 99;
  mine.after.list[0]!.a = 99;
  assert.deepEqual(plan.changes[0]!.after, { bid: 0.6, list: [{ a: 1 }] });
  const after = plan.changes[0]!.after as { bid: number; list: { a: number }[] };
  assert.throws(() => after.bid = 99, TypeError);
  assert.throws(() => after.list[0]!.a = 99, TypeError);
  assert.throws(() => (plan.changes as Change[]).push(CHANGE), TypeError);
});

Deno.test("A plan made of another's changes shares them, and has the fingerprint of its own profile", () => {
  const plan = new ChangePlan(FIELDS);
  const noted = new ChangePlan({ ...plan, note: "why", findings: [] });
  assert.equal(noted.changes, plan.changes, "a million changes are not copied for a note");
  assert.equal(noted.fingerprint, plan.fingerprint);
  assert.equal(
    new ChangePlan({ ...plan, countryCode: "CA" }).fingerprint,
    fingerprint({ countryCode: "CA" }),
  );
  const moved = new ChangePlan({ ...plan, profileId: "101" });
  assert.equal(moved.fingerprint, fingerprint({ profileId: "101" }));
  assert.notEqual(moved.fingerprint, plan.fingerprint);
});

Deno.test("A change with a value that JSON cannot hold is refused by its place", () => {
  const cases: readonly [value: unknown, message: RegExp][] = [
    [NaN, /change 0\.after\.bid: NaN/],
    [Infinity, /Infinity/],
    [5n, /5 \(bigint\)/],
    [() => 1, /function/],
    [[1, [NaN]], /change 0\.after\.bid\[1\]\[0\]/],
  ];
  for (const [bid, message] of cases) {
    assert.throws(
      () => new ChangePlan({ ...FIELDS, changes: [{ ...CHANGE, after: { bid } }] }),
      (error: Error) => error instanceof TypeError && message.test(error.message),
    );
  }
  const plan = new ChangePlan({
    ...FIELDS,
    changes: [{ ...CHANGE, after: { day: new Date(0), gone: undefined, list: [undefined] } }],
  });
  assert.deepEqual(plan.changes[0]!.after, { day: "1970-01-01T00:00:00.000Z", list: [null] });
});
