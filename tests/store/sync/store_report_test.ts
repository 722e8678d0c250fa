import assert from "node:assert/strict";
import { test } from "node:test";
import type { ReportRow } from "../../../src/client/reports/file/report_row.ts";
import { ShrinkError } from "../../../src/store/model/store_error.ts";
import { type StoredReport, storeReport } from "../../../src/store/sync/store_report.ts";
import { daily, entry } from "../contract/ground.ts";
import { MemoryDriver } from "./memory_driver.ts";

const NOW = Date.parse("2026-09-30T12:00:00Z");
const RANGE = { start: "2026-09-01", end: "2026-09-06" };

function stored(
  memory: MemoryDriver,
  rows: readonly ReportRow[],
  more: { madeAt?: string; acceptShrink?: boolean; timeZone?: string; range?: typeof RANGE } = {},
): Promise<StoredReport> {
  const { madeAt, acceptShrink = false, timeZone = "UTC", range = RANGE } = more;
  return storeReport(memory.driver, {
    entry: entry({ id: "e", ...range }),
    reportId: "r-1",
    madeAt,
    timeZone,
    rows: async function* () {
      yield rows;
    },
  }, { now: () => NOW, acceptShrink });
}

function day(date: string, rows: number): { day: string; rows: number; cost: number; madeAt: string | null } {
  return { day: date, rows, cost: 0, madeAt: null };
}

test("a report is stored as a whole, with its entry of the ledger, when all its days may be replaced", async () => {
  const memory = new MemoryDriver();
  const madeAt = "2026-09-29T00:00:00.000Z";
  assert.deepEqual(await stored(memory, daily(["2026-09-01", "2026-09-06"], {}), { madeAt }), {
    rows: 6,
    shrunk: undefined,
  });
  const [{ rows, ...pull }, ...others] = memory.pulls as [MemoryDriver["pulls"][0]];
  assert.deepEqual([rows.length, others], [6, []]);
  assert.deepEqual(pull, {
    profileId: "1001",
    countryCode: "US",
    ...RANGE,
    reportIds: ["r-1"],
    pulledAt: "2026-09-30T12:00:00.000Z",
    madeAt,
    reporting: 3,
    ledgerId: "e",
  });
});

test("runs of days between those that are held back are stored one by one, without the entry of the ledger", async () => {
  const memory = new MemoryDriver();
  memory.days = [day("2026-09-02", 20), day("2026-09-04", 20), day("2026-09-05", 1)];
  const rows = daily(["2026-09-01", "2026-09-06"], {});
  const { rows: count, shrunk } = await stored(memory, [...rows, ...Array(90).fill(rows[0])]);
  assert.equal(count, 4 + 90);
  assert.deepEqual(
    memory.pulls.map(({ start, end, rows, ledgerId }) => [start, end, rows.length, ledgerId]),
    [["2026-09-01", "2026-09-01", 91, undefined], ["2026-09-03", "2026-09-03", 1, undefined], [
      "2026-09-05",
      "2026-09-06",
      2,
      undefined,
    ]],
  );
  assert(shrunk instanceof ShrinkError);
  assert.deepEqual(shrunk.days, [{ start: "2026-09-02", end: "2026-09-02" }, {
    start: "2026-09-04",
    end: "2026-09-04",
  }]);
  assert.match(shrunk.message, /^Held back 2 days \(2026-09-02, 2026-09-04\): the report has far fewer rows/);
  assert.match(shrunk.message, /with the option acceptShrink$/);
});

test("one day that is held back is named in the singular, several that follow each other by first and last", async () => {
  const one = new MemoryDriver();
  one.days = [day("2026-09-06", 5)];
  const rows = daily(["2026-09-01", "2026-09-05"], {});
  assert.match((await stored(one, rows)).shrunk?.message ?? "", /^Held back 1 day \(2026-09-06\): /);
  const all = new MemoryDriver();
  all.days = [day("2026-09-01", 50), day("2026-09-02", 50)];
  assert.match(
    (await stored(all, rows)).shrunk?.message ?? "",
    /^Held back 6 days \(2026-09-01\.\.2026-09-06\): /,
  );
  assert.deepEqual(all.pulls, []);
  assert.equal((await stored(all, rows, { acceptShrink: true })).rows, 5);
});

test("a report that does not say when it was made counts as made now, in the time zone of the profile", async () => {
  const memory = new MemoryDriver();
  // The platform keeps 95 days of placements, and "today" begins earlier in the east.
  const range = { start: "2026-06-26", end: "2026-06-28" };
  const rows = daily(["2026-06-26", "2026-06-28"], {});
  memory.days = [day("2026-06-26", 1), day("2026-06-27", 1), day("2026-06-28", 1)];
  await stored(memory, rows, { range });
  await stored(memory, rows, { range, timeZone: "Pacific/Kiritimati" });
  await stored(memory, rows, { range, madeAt: "2026-09-29T12:00:00.000Z" });
  assert.deepEqual(memory.pulls.map(({ start, end }) => [start, end]), [
    ["2026-06-27", "2026-06-28"],
    ["2026-06-28", "2026-06-28"],
    ["2026-06-26", "2026-06-28"],
  ]);
});

test("days without rows that the platform did not keep any more are left out, and nothing is held back", async () => {
  const memory = new MemoryDriver();
  const { rows, shrunk } = await stored(memory, [], { range: { start: "2026-06-20", end: "2026-06-28" } });
  assert.deepEqual([rows, shrunk], [0, undefined]);
  assert.deepEqual(memory.pulls.map(({ start, end }) => [start, end]), [["2026-06-27", "2026-06-28"]]);
});

test("a store that fails ends it with what it says", async () => {
  const memory = new MemoryDriver();
  Object.assign(memory, { replace: () => Promise.reject(new Error("disk full")) });
  await assert.rejects(stored(memory, []), /^Error: disk full$/);
});

test("a report that does not say when it was made is as new as the request for it", async () => {
  const memory = new MemoryDriver();
  const { askedAt } = entry({});
  const newer = new Date(Date.parse(askedAt) + 1).toISOString();
  memory.days = [
    { ...day("2026-09-01", 1), madeAt: newer },
    { ...day("2026-09-02", 1), madeAt: askedAt },
    day("2026-09-03", 1),
  ];
  await stored(memory, daily(["2026-09-01", "2026-09-06"], {}));
  assert.deepEqual(memory.pulls.map(({ start, end, madeAt }) => [start, end, madeAt]), [
    ["2026-09-02", "2026-09-06", askedAt],
  ]);
});
