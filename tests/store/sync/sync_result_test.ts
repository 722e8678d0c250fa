import assert from "node:assert/strict";
import { test } from "node:test";
import { PartialFailureError } from "../../../src/errors.ts";
import type { EntityOutcome } from "../../../src/store/model/entity_pull.ts";
import { type SyncOutcome, SyncResult } from "../../../src/store/sync/sync_result.ts";

function outcome(fields: Partial<SyncOutcome> = {}): SyncOutcome {
  return {
    profileId: "1",
    countryCode: "US",
    report: "sp_placement",
    start: "2026-09-01",
    end: "2026-09-10",
    reportId: "r-1",
    state: "stored",
    resumed: false,
    rows: 3,
    ...fields,
  };
}

function entities(fields: Partial<EntityOutcome> = {}): EntityOutcome {
  return {
    profileId: "1",
    countryCode: "US",
    kind: "sp.keywords",
    state: "stored",
    source: "list",
    why: "as asked",
    entities: 10,
    added: 4,
    changed: 3,
    removed: 2,
    ...fields,
  };
}

function summary(parts: Partial<ConstructorParameters<typeof SyncResult>[0]>): string {
  return new SyncResult({ outcomes: [], stopped: false, ...parts }).summary();
}

test("summary() counts reports, profiles and rows, one of each in the singular", () => {
  assert.equal(summary({}), "Nothing to do");
  assert.equal(summary({ stopped: true }), "Nothing to do; stopped");
  assert.equal(summary({ outcomes: [outcome({ rows: 1 })] }), "1 of 1 report of 1 profile stored, 1 row");
  assert.equal(
    summary({ outcomes: [outcome(), outcome({ profileId: "2" }), outcome({ rows: 0 })] }),
    "3 of 3 reports of 2 profiles stored, 6 rows",
  );
});

test("summary() names each report that is not stored, and why", () => {
  const lost = outcome({ state: "failed", rows: 0, error: new Error("refused") });
  const unknown = outcome({ state: "failed", rows: 0, start: "", end: "" });
  const left = outcome({ state: "left", rows: 0, error: new Error("still PENDING") });
  const held = outcome({ state: "held", error: new Error("Held back 1 day") });
  assert.equal(
    summary({ outcomes: [outcome(), lost, unknown, left, held] }),
    [
      "1 of 5 reports of 1 profile stored, 6 rows",
      "US 1 sp_placement 2026-09-01 to 2026-09-10: refused",
      "US 1 sp_placement: not finished",
      "US 1 sp_placement 2026-09-01 to 2026-09-10: still PENDING (the next sync continues it)",
      "US 1 sp_placement 2026-09-01 to 2026-09-10: Held back 1 day",
    ].join("\n"),
  );
});

test("summary() has one line for all that a stop left, beside those of failures", () => {
  const left = outcome({ state: "left", rows: 0, error: new Error("stop") });
  const lost = outcome({ state: "failed", rows: 0, error: new Error("refused") });
  assert.equal(
    summary({ outcomes: [left, lost, left], stopped: true }),
    [
      "0 of 3 reports of 1 profile stored, 0 rows; stopped",
      "US 1 sp_placement 2026-09-01 to 2026-09-10: refused",
      "2 reports not finished: the next sync continues them",
    ].join("\n"),
  );
  assert.match(
    summary({ outcomes: [left], stopped: true }),
    /\n1 report not finished: the next sync continues/,
  );
});

test("summary() sums up entities, alone or after the reports, and names the kinds that failed", () => {
  const counts = "20 entities stored, 8 of them new, 6 changed, 4 gone";
  assert.equal(summary({ entities: [entities(), entities()] }), counts);
  assert.equal(
    summary({ outcomes: [outcome()], entities: [entities(), entities()] }),
    `1 of 1 report of 1 profile stored, 3 rows; ${counts}`,
  );
  const none = { entities: 0, added: 0, changed: 0, removed: 0 };
  const failed = [
    entities({ ...none, state: "failed", error: new Error("HTTP 500") }),
    entities({ ...none, state: "failed", kind: "sb.ads" }),
    entities({ ...none, state: "unavailable", kind: "sd.product_ads", error: new Error("403") }),
  ];
  assert.equal(
    summary({ entities: failed }),
    "0 entities stored, 0 of them new, 0 changed, 0 gone\nUS 1 sp.keywords: HTTP 500\nUS 1 sb.ads: not read",
  );
});

test("a sync is ok when every report is stored and every kind is stored or not to be had", () => {
  const ok = (outcomes: SyncOutcome[], of: EntityOutcome[] = []): boolean => {
    const result = new SyncResult({ outcomes, entities: of, stopped: false });
    if (result.ok) result.raiseForErrors();
    else {
      assert.throws(() => result.raiseForErrors(), (error: Error) => {
        assert(error instanceof PartialFailureError);
        assert.match(error.message, /^Cannot finish the sync\. .*stored.*; US 1 /);
        assert(!error.message.includes("\n"));
        return true;
      });
    }
    return result.ok;
  };
  assert(ok([]));
  assert(ok([outcome()], [entities(), entities({ state: "unavailable" })]));
  assert(!ok([outcome(), outcome({ state: "held" })]));
  assert(!ok([outcome()], [entities({ state: "failed" })]));
});

test("toData() has the words of the specification, and errors by type and message", () => {
  const result = new SyncResult({
    outcomes: [outcome(), outcome({ state: "failed", error: new RangeError("refused") })],
    entities: [entities(), entities({ state: "failed", error: new TypeError("no") })],
    stopped: true,
  });
  const { outcomes, entities: kinds, ...head } = result.toData() as Record<string, Record<string, unknown>[]>;
  assert.deepEqual(head, { ok: false, stopped: true, rows: 6 });
  assert.deepEqual(outcomes?.[0], {
    profile_id: "1",
    country_code: "US",
    report_id: "r-1",
    report: "sp_placement",
    start: "2026-09-01",
    end: "2026-09-10",
    state: "stored",
    resumed: false,
    rows: 3,
    error: null,
  });
  assert.deepEqual(outcomes?.[1]?.["error"], { type: "RangeError", message: "refused" });
  assert.deepEqual([kinds?.[0]?.["error"], kinds?.[0]?.["profile_id"]], [null, "1"]);
  assert.deepEqual(kinds?.[1]?.["error"], { type: "TypeError", message: "no" });
});
