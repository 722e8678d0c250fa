import type { ReportRow } from "../../../src/client/reports/file/report_row.ts";
import { reportLayout } from "../../../src/store/model/report_layout.ts";
import { PostgresDriver } from "../../../src/store/postgres/postgres_driver.ts";
import { Warehouse } from "../../../src/store/warehouse/warehouse.ts";
import type { ParseFigures } from "./parse_process.ts";

/** What one publication took. */
export interface PublishFigures extends ParseFigures {
  /** Megabytes of the whole process at the peak, runtime and modules included. */
  readonly wholeMb: number;
}

const DAYS = 3;
const BATCH = 1000;
/** V8 leaves garbage as long as there is room: with little room, the peak is what is held. */
const FLAGS = "--v8-flags=--max-semi-space-size=4,--max-old-space-size=40";

/** Stores so many placements of one profile, all in three days. */
export async function storePlacements(store: Warehouse, count: number, month = "2026-09-"): Promise<void> {
  const day = (n: number): string => `${month}0${n + 1}`;
  const what = { profileId: "1001", countryCode: "US", report: "sp_placement" } as const;
  function* batches(): Generator<ReportRow[]> {
    for (let from = 0; from < count; from += BATCH) {
      yield Array.from({ length: Math.min(BATCH, count - from) }, (_, at): ReportRow => {
        const n = from + at;
        return {
          date: day(n % DAYS),
          campaignId: String(1e14 + Math.floor(n / DAYS)),
          campaignName: `Campaign number ${n % 5000} of the season`,
          placementClassification: "Top of Search on-Platform",
          impressions: n % 9000,
          clicks: n % 70,
          cost: (n % 5000) / 100,
          sales14d: (n % 7000) / 100,
        };
      });
    }
  }
  await store.replace({ ...what, start: day(0), end: day(DAYS - 1) }, batches());
}

/** Rows of a month in {@linkcode fillPlacements}. */
const MONTH = 250_000;
/** Months that are filled at once. */
const LANES = 2;

/**
 * Fills the placements of one profile in a store in PostgreSQL, month after month: the first rows are stored as reports are,
 * and the database makes the others of them, ten times as fast.
 *
 * @param onRows Told how many rows there are, after each month.
 */
export async function fillPlacements(
  address: string,
  count: number,
  onRows: (rows: number) => void,
): Promise<void> {
  const driver = await PostgresDriver.open(address);
  try {
    const store = new Warehouse(driver);
    let done = 0;
    const lane = async (first: number): Promise<void> => {
      for (let from = first * MONTH; from < count; from += LANES * MONTH) {
        const month = new Date(Date.UTC(2015, from / MONTH, 1)).toISOString().slice(0, 8);
        const rows = Math.min(MONTH, count - from);
        const few = Math.min(rows, DAYS);
        await storePlacements(store, few, month);
        if (rows > few) await multiply(driver, month, { few, rows });
        onRows(done += rows);
      }
    };
    await Promise.all(Array.from({ length: LANES }, (_, at) => lane(at)));
  } finally {
    await driver.close();
  }
}

async function multiply(
  { database }: PostgresDriver,
  month: string,
  { few, rows }: { few: number; rows: number },
): Promise<void> {
  const table = reportLayout("sp_placement").table;
  await database.transaction(async (sql) => {
    await sql.text(
      `INSERT INTO ${table} (profile_id, date, "campaignId", "campaignName", "placementClassification",
         impressions, clicks, cost, "sales14d", repeat, known_from)
       SELECT '1001', $1::date + CAST(n % ${DAYS} AS integer), CAST(100000000000000 + n / ${DAYS} AS text),
         'Campaign number ' || n % 5000 || ' of the season', 'Top of Search on-Platform',
         n % 9000, n % 70, (n % 5000) / 100.0, (n % 7000) / 100.0, n, 0
       FROM generate_series($2::bigint, $3::bigint) AS n`,
      [`${month}01`, few, rows - 1],
    );
    await sql.text(
      `UPDATE days SET rows = (SELECT count(*) FROM ${table} AS stored WHERE stored.date = days.date)
       WHERE date BETWEEN $1::date AND $1::date + ${DAYS - 1}`,
      [`${month}01`],
    );
  });
}

/** Publishes a store in a process of its own. */
export function published(store: string, folder: string): Promise<PublishFigures> {
  return inProcess("lake_process.ts", store, folder);
}

/** Copies the rows of a store in PostgreSQL to a CSV file, in a process of its own. */
export function copied(store: string, file: string): Promise<PublishFigures> {
  return inProcess("copy_process.ts", store, file);
}

async function inProcess(name: string, store: string, target: string): Promise<PublishFigures> {
  const script = new URL(name, import.meta.url).href;
  const args = ["run", "-A", "-q", "--no-check", FLAGS, script, store, target];
  const { stdout, success, stderr } = await new Deno.Command(Deno.execPath(), { args }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr).slice(-2000));
  return JSON.parse(new TextDecoder().decode(stdout));
}
