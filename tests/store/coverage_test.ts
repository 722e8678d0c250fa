import assert from "node:assert/strict";
import { test } from "node:test";
import { addDays } from "../../src/base/time/calendar.ts";
import { type Coverage, coverageOf } from "../../src/store/model/coverage.ts";
import { reportLayout } from "../../src/store/model/report_layout.ts";
import type { CoveredRange } from "../../src/store/model/store_driver.ts";

/** 30 September, 5 in the morning in Los Angeles; reports on placements are kept for 95 days: since 27 June. */
const NOW = Date.parse("2026-09-30T12:00:00Z");
const FIRST = "2026-06-28";
const YESTERDAY = "2026-09-29";
const LAYOUTS = [reportLayout("sp_placement"), reportLayout("sp_targeting")];

function range(start: string, end: string, fields: Partial<CoveredRange> = {}): CoveredRange {
  const lastPull = "2026-09-30T00:00:00.000Z";
  return {
    profileId: "1",
    countryCode: "US",
    report: "sp_placement",
    start,
    end,
    rows: 2,
    lastPull,
    ...fields,
  };
}

function lines(...ranges: CoveredRange[]): Coverage[] {
  return coverageOf(ranges, { layouts: LAYOUTS, now: NOW });
}

test("coverage has a line for each profile and report, and none for reports that the store does not show", () => {
  const found = lines(
    range(FIRST, YESTERDAY),
    range(FIRST, YESTERDAY, { report: "sp_targeting" }),
    range(FIRST, YESTERDAY, { report: "sp_targeting", profileId: "2" }),
    range(FIRST, YESTERDAY, { report: "not_published" }),
  );
  assert.deepEqual(found.map(({ profileId, report }) => [profileId, report]), [
    ["1", "sp_placement"],
    ["1", "sp_targeting"],
    ["2", "sp_targeting"],
  ]);
  assert.deepEqual(lines(), []);
});

test("coverage sums up days, rows and the newest pull of the ranges of a report", () => {
  const [line] = lines(
    range(FIRST, "2026-07-31", { lastPull: "2026-09-29T00:00:00.000Z" }),
    range("2026-08-02", YESTERDAY, { rows: 5, lastPull: "2026-09-28T00:00:00.000Z" }),
  );
  assert.deepEqual(line, {
    countryCode: "US",
    profileId: "1",
    report: "sp_placement",
    firstDay: FIRST,
    lastDay: YESTERDAY,
    days: 34 + 59,
    rows: 7,
    lastPull: "2026-09-29T00:00:00.000Z",
    fromReporting1: 0,
    gaps: [{ start: "2026-08-01", end: "2026-08-01" }],
    available: [{ start: "2026-08-01", end: "2026-08-01" }],
    lost: [],
    // Kept since 28 June, and so until 34 days later.
    fetchBy: addDays("2026-09-30", 34),
  });
});

test("coverage tells days that can still be fetched from those that are lost, to the day", () => {
  const [line] = lines(range("2026-06-01", "2026-06-20"), range("2026-07-01", "2026-09-20"));
  assert.deepEqual(line?.gaps, [{ start: "2026-06-21", end: "2026-06-30" }]);
  assert.deepEqual(line?.lost, [{ start: "2026-06-21", end: "2026-06-27" }]);
  assert.deepEqual(line?.available, [{ start: FIRST, end: "2026-06-30" }, {
    start: "2026-09-21",
    end: YESTERDAY,
  }]);
  assert.deepEqual(line?.fetchBy, "2026-09-30", "the first of them today alone");
  const [whole] = lines(range(FIRST, YESTERDAY));
  assert.deepEqual([whole?.gaps, whole?.available, whole?.lost, whole?.fetchBy], [[], [], [], null]);
});

test("days before the first stored one can be fetched while they are kept, and are no gap", () => {
  const [line] = lines(range("2026-07-01", YESTERDAY));
  assert.deepEqual([line?.gaps, line?.available], [[], [{ start: FIRST, end: "2026-06-30" }]]);
});

test("yesterday is the day of the market", () => {
  const [japan] = coverageOf([range(FIRST, "2026-09-29", { countryCode: "JP" })], {
    layouts: LAYOUTS,
    now: Date.parse("2026-09-30T16:00:00Z"),
  });
  assert.deepEqual(japan?.available, [{ start: "2026-09-30", end: "2026-09-30" }]);
});
