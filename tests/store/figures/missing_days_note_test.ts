import assert from "node:assert/strict";
import { missingDaysNote } from "../../../src/store/figures/missing_days_note.ts";
import { countDays } from "../../../src/base/time/calendar.ts";
import type { Coverage } from "../../../src/store/model/coverage.ts";
import type { CoverageFilter, StoreDriver } from "../../../src/store/model/store_driver.ts";
import { SqliteDriver } from "../../../src/store/sqlite/sqlite_driver.ts";
import { Warehouse } from "../../../src/store/warehouse/warehouse.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";

const CANADA = { countryCode: "CA", profileId: "11" };
const MEXICO = { countryCode: "MX", profileId: "22" };

function line(
  { of = CANADA, ...rest }:
    & { of?: typeof CANADA }
    & Pick<Coverage, "report" | "firstDay" | "lastDay">
    & Partial<Coverage>,
): Coverage {
  const none = {
    days: 1,
    rows: 1,
    lastPull: "",
    fromReporting1: 0,
    gaps: [],
    available: [],
    lost: [],
    fetchBy: null,
  };
  return { ...none, ...of, ...rest };
}

const STORED: Coverage[] = [
  line({ report: "sp_targeting", firstDay: "2026-08-01", lastDay: "2026-10-31" }),
  line({
    report: "sb_targeting",
    firstDay: "2026-09-30",
    lastDay: "2026-10-31",
    gaps: [{ start: "2026-10-05", end: "2026-10-06" }],
  }),
  line({ of: MEXICO, report: "sp_targeting", firstDay: "2026-10-01", lastDay: "2026-10-31" }),
];

type Filter = Parameters<Warehouse["coverage"]>[0];

/** A store of these lines; `read` has the filters that were asked for. */
function storeOf(
  lines: readonly Coverage[],
): Pick<Warehouse, "coverage" | "profiles"> & { readonly read: Filter[] } {
  const read: Filter[] = [];
  const has = (wanted: string | readonly string[] | undefined, value: string): boolean =>
    wanted === undefined || [wanted].flat().includes(value);
  return {
    read,
    coverage: (filter) => {
      read.push(filter);
      return Promise.resolve(
        lines.filter((one) => has(filter?.profileId, one.profileId) && has(filter?.report, one.report)),
      );
    },
    profiles: () => Promise.resolve([CANADA, MEXICO]),
  };
}

async function noteOf(sql: string, params: readonly unknown[] = []): Promise<string> {
  return (await missingDaysNote({ sql, params }, storeOf(STORED))).join("\n");
}

Deno.test("only the coverage of the profiles and reports of a query is read", async () => {
  const store = storeOf(STORED);
  await missingDaysNote({ sql: "SELECT * FROM sp_targeting WHERE country_code = 'MX'" }, store);
  assert.deepEqual(store.read, [{ profileId: ["22"], report: ["sp_targeting"] }]);
  // Nothing of Mexico is stored: the days of others are compared, as without a market.
  const other = storeOf(STORED);
  const sql =
    "SELECT * FROM sb_targeting WHERE country_code = 'MX' AND date BETWEEN '2026-10-01' AND '2026-10-10'";
  assert.match((await missingDaysNote({ sql }, other)).join(), /sb_targeting of CA has 8 of 10 days/);
  assert.deepEqual(other.read.map((filter) => filter?.report), [["sb_targeting"], ["sb_targeting"]]);
});

Deno.test("a query of one market of many reads its days alone", async () => {
  await using folder = await temporaryFolder();
  const path = folder.file("ads.sqlite");
  const driver = await SqliteDriver.open(path);
  let read = 0;
  const counting = Object.create(driver, {
    profiles: { value: () => driver.profiles() },
    layouts: { value: driver.layouts },
    coveredRanges: {
      value: async (filter: CoverageFilter) => {
        const ranges = await driver.coveredRanges(filter);
        read += ranges.reduce((sum, range) => sum + countDays(range), 0);
        return ranges;
      },
    },
  }) as StoreDriver;
  const days = async (sql: string): Promise<number> => {
    read = 0;
    await missingDaysNote({ sql }, new Warehouse(counting));
    return read;
  };
  await using filled = await Warehouse.open(path);
  for (let profile = 1; profile <= 30; profile++) {
    for (const report of ["sp_targeting", "sp_campaigns"] as const) {
      const what = { profileId: String(profile), countryCode: profile === 7 ? "MX" : "US", report };
      await filled.replace({ ...what, start: "2026-09-01", end: "2026-09-20" }, []);
    }
  }
  assert.equal(await days("SELECT sum(cost) FROM sp_targeting WHERE country_code = 'MX'"), 20);
  assert.equal(await days("SELECT sum(cost) FROM sp_targeting"), 30 * 20);
  await driver.close();
});

Deno.test("a sum over several products says which of them lack days", async () => {
  const note = await noteOf(
    "SELECT month, sum(cost) FROM performance WHERE date BETWEEN '2026-09-01' AND '2026-10-31' AND country_code = 'CA'",
  );
  assert.equal(
    note,
    "Days that are not stored, so sums lack them: sb_targeting of CA has 30 of 61 days, without " +
      "2026-09-01 to 2026-09-29, 2026-10-05 to 2026-10-06",
  );
});

Deno.test("days come from placeholders too, and an open end reaches the last stored day", async () => {
  assert.equal(
    await noteOf("SELECT * FROM sb_targeting WHERE date >= ?", ["2026-10-04"]),
    "Days that are not stored, so sums lack them: sb_targeting of CA has 26 of 28 days, without " +
      "2026-10-05 to 2026-10-06",
  );
  assert.match(
    await noteOf("SELECT * FROM sp_targeting WHERE date = '2026-07-15' AND profile_id = '11'"),
    /0 of 1 days/,
  );
});

Deno.test("without days the reports of a profile are compared with each other, not with another profile", async () => {
  const note = await noteOf("SELECT sum(cost) FROM performance");
  assert.match(note, /sb_targeting of CA has 30 of 92 days/);
  assert.doesNotMatch(note, /MX/);
});

Deno.test("a report that was asked for by name and never stored is named; complete days need no note", async () => {
  assert.match(await noteOf("SELECT * FROM sd_targeting"), /Nothing of sd_targeting was ever stored/);
  assert.equal(await noteOf("SELECT * FROM sp_targeting WHERE date = '2026-10-15'"), "");
  assert.equal(await noteOf("SELECT 1"), "");
  assert.equal(
    await noteOf("SELECT * FROM sp_targeting WHERE date <= '9999-12-31' AND profile_id = '11'"),
    "",
  );
  assert.equal(
    await noteOf("SELECT * FROM sp_targeting WHERE date > '0001-01-01' AND profile_id = '11'"),
    "",
  );
  assert.equal(
    await noteOf("SELECT * FROM sp_targeting WHERE date = '2026-99-99' AND profile_id = '11'"),
    "",
  );
});
