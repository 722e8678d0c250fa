import assert from "node:assert/strict";
import { test } from "node:test";
import { SyncTally } from "../../src/interfaces/cli/commands/store/sync_progress_lines.ts";
import type { SyncProgress } from "../../src/store/sync/options/sync_options.ts";

const REPORTS = ["sp_placement", "sp_targeting", "sp_search_terms"] as const;

function step(
  which: Partial<SyncProgress> & Pick<SyncProgress, "kind">,
): SyncProgress {
  return {
    profileId: "1",
    countryCode: "US",
    report: "sp_placement",
    start: "2026-09-01",
    end: "2026-09-30",
    reportId: null,
    status: "asking",
    seconds: 0,
    rows: 0,
    ...which,
  };
}

test("each report of each profile has a bar with its rows, its standing and the age of its oldest part", () => {
  const tally = new SyncTally();
  for (const start of ["2026-07-01", "2026-08-01", "2026-09-01"]) {
    tally.add(step({ kind: "planned", start }), 0);
  }
  tally.add(step({ kind: "stored", start: "2026-07-01", rows: 1200, seconds: 9 }), 9000);
  tally.add(step({ kind: "waiting", start: "2026-08-01", status: "PENDING", seconds: 10 }), 10_000);
  tally.add(
    step({ kind: "storing", start: "2026-09-01", status: "COMPLETED", seconds: 8, rows: 34 }),
    10_000,
  );
  assert.deepEqual(tally.lines(80_000), [
    "██████░░░░░░░░░░░░░░ 1/3 reports, 2 under way, 1,234 rows, 1 min 20 s, about 2 min 40 s left",
    "  US sp_placement ██░░░░░░ 1/3, 1,234 rows, storing, 1 min 20 s old",
  ]);
});

test("eight profiles with three reports: those that are not finished, eight at a time, and how many more", () => {
  const tally = new SyncTally();
  const countries = ["US", "CA", "MX", "BR", "DE", "UK", "JP", "AU"];
  const all = countries.flatMap((countryCode, index) =>
    REPORTS.map((report) => ({ countryCode, report, profileId: String(index) }))
  );
  for (const one of all) tally.add(step({ kind: "planned", ...one }), 0);
  const begun = tally.lines(0);
  assert.equal(begun.length, 1 + 8 + 1);
  assert.equal(begun[0], "░░░░░░░░░░░░░░░░░░░░ 0/24 reports, 0 rows");
  assert.ok(begun[1]!.startsWith("  US sp_placement    ░"), begun[1]);
  assert.ok(begun[4]!.startsWith("  CA sp_placement    ░"), begun[4]);
  assert.equal(begun.at(-1), "  and 16 more");

  for (const one of all.slice(0, 20)) tally.add(step({ kind: "stored", rows: 10, ...one }), 1000);
  tally.add(step({ kind: "failed", ...all[20]! }), 1000);
  const later = tally.lines(1000);
  assert.equal(later[0], "█████████████████░░░ 21/24 reports, 200 rows, 1 not stored, 1 s, about 0 s left");
  assert.deepEqual(later.slice(1).map((line) => line.trim().split(/ +/).slice(0, 2).join(" ")), [
    "AU sp_placement",
    "AU sp_targeting",
    "AU sp_search_terms",
  ]);
});

test("profiles of one country are told apart by their ids", () => {
  const tally = new SyncTally();
  tally.add(step({ kind: "asked", profileId: "71" }), 0);
  tally.add(step({ kind: "throttled", profileId: "72" }), 0);
  assert.deepEqual(tally.lines(0).slice(1), [
    "  US 71 sp_placement ░░░░░░░░ 0/1, 0 rows, asked, 0 s old",
    "  US 72 sp_placement ░░░░░░░░ 0/1, 0 rows, throttled, 0 s old",
  ]);
});
