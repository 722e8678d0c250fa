import { test } from "node:test";
import { deepEqual } from "../../support/assert.ts";
import type { ReportRow } from "../../../src/client/reports/file/report_row.ts";
import type { RestatementKey } from "../../../src/store/views/restatements.ts";
import { SqliteDriver } from "../../../src/store/sqlite/sqlite_driver.ts";
import { Warehouse } from "../../../src/store/warehouse/warehouse.ts";
import { makeEmptySqlite } from "../../support/empty_sqlite.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";

const DATE = "2026-09-01";
const US = { profileId: "1", countryCode: "US" };
const DE = { profileId: "2", countryCode: "DE" };
const NONE = { versions: 0, impressions: 0, clicks: 0, cost: 0, orders: 0, sales: 0 };

/** A store, and what pulls a day of a report at an age in days. */
interface Pulled {
  readonly store: Warehouse;
  readonly pull: (
    age: number,
    fields: ReportRow | null,
    more?: { readonly profile?: typeof US; readonly report?: string; readonly date?: string },
  ) => Promise<unknown>;
  readonly moved: (by?: readonly RestatementKey[], since?: string) => Promise<unknown>;
}

async function withStore(step: (pulled: Pulled) => Promise<void>): Promise<void> {
  await using folder = await temporaryFolder();
  const path = folder.file("ads.sqlite");
  await makeEmptySqlite(path);
  let now = 0;
  await using store = new Warehouse(await SqliteDriver.open(path), { now: () => now });
  await step({
    store,
    pull: (age, fields, { profile = US, report = "sp_placement", date = DATE } = {}) => {
      now = Date.parse(`${date}T12:00:00Z`) + age * 86_400_000;
      const rows = fields === null ? [] : [{ date, campaignId: "1", ...fields }];
      return store.replace({ ...profile, report, start: date, end: date }, rows);
    },
    moved: async (by = [], since = DATE) => await store.restatements({ since, by }),
  });
}

test("what moved is summed up by what is asked for, of reports, profiles and days", () =>
  withStore(async ({ pull, moved }) => {
    const brands = { report: "sb_campaigns" };
    const next = { date: "2026-09-02" };
    for (const more of [{}, brands, next, { profile: DE }]) await pull(1, { clicks: 1 }, more);
    await pull(3, { clicks: 2, impressions: 10, cost: 0.5, purchases14d: 1, sales14d: 20 });
    await pull(4, { clicks: 5 }, next);
    await pull(3, { clicks: 9, purchases: 3, sales: 7 }, brands);
    await pull(5, { clicks: 17 }, { profile: DE });
    const line = { ...NONE, versions: 1 };
    const products = { ...line, impressions: 10, clicks: 1, cost: 0.5, orders: 1, sales: 20 };
    const sponsored = { ...line, clicks: 8, orders: 3, sales: 7 };
    deepEqual(await moved(), [
      { versions: 4, impressions: 10, clicks: 29, cost: 0.5, orders: 4, sales: 27 },
    ]);
    deepEqual(await moved(["report"]), [
      { report: "sp_placement", ...products, versions: 3, clicks: 21 },
      { report: "sb_campaigns", ...sponsored },
    ]);
    deepEqual(await moved(["profile_id", "country_code", "date", "age"]), [
      {
        country_code: "US",
        profile_id: "1",
        date: DATE,
        age: 3,
        ...products,
        versions: 2,
        clicks: 9,
        orders: 4,
        sales: 27,
      },
      { country_code: "US", profile_id: "1", date: "2026-09-02", age: 4, ...line, clicks: 4 },
      { country_code: "DE", profile_id: "2", date: DATE, age: 5, ...line, clicks: 16 },
    ]);
  }));

test("what moved is known since a time, from the pull after the first one of its day on, without the noise of its digits", () =>
  withStore(async ({ pull, moved }) => {
    deepEqual(await moved(), [], "of an empty store");
    await pull(1, { cost: 0.1 });
    deepEqual(await moved(), [], "the first pull moves nothing");
    await pull(2, { cost: 0.3 });
    await pull(3, { cost: 0.4 });
    deepEqual(await moved(), [{ ...NONE, versions: 2, cost: 0.3 }]);
    deepEqual(await moved(["age"], "2026-09-04"), [{ age: 3, ...NONE, versions: 1, cost: 0.1 }]);
    deepEqual(await moved([], "2026-09-05"), []);
  }));

test("a row that vanished takes its figures back, though no version of it becomes known", () =>
  withStore(async ({ pull, moved }) => {
    await pull(1, { clicks: 3, cost: 1.5, sales14d: 20 });
    await pull(7, null);
    deepEqual(await moved(["age"]), [{ age: 7, ...NONE, clicks: -3, cost: -1.5, sales: -20 }]);
    await pull(9, { campaignName: "no figures" });
    deepEqual(await moved(["age"], "2026-09-09"), [{ age: 9, ...NONE, versions: 1 }]);
    await pull(11, null);
    deepEqual(await moved(["age"], "2026-09-11"), [], "it took nothing with it");
  }));
