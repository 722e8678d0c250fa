import { DatabaseSync } from "node:sqlite";
import { reportLayout, Warehouse } from "../../src/store/mod.ts";
import { addDays } from "../../src/base/time/calendar.ts";
import type { ReportRow } from "../../src/client/reports/file/report_row.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { type BenchLine, benchLine, median, milliseconds } from "./bench.ts";

const DAYS = 365;
const ROWS_A_DAY = 400;
const ROUNDS = 15;
const PLACEMENTS = [
  "Top of Search on-Platform",
  "Detail Page on-Platform",
  "Other on-Platform",
  "Off Platform",
];

const QUERIES: Readonly<Record<string, (table: string) => string>> = {
  "spend by day": (table) =>
    `SELECT date, sum(cost) AS cost, sum(clicks) AS clicks FROM ${table} WHERE country_code = 'US' GROUP BY date`,
  "campaigns of a month": (table) =>
    `SELECT campaignName, sum(sales14d) AS sales FROM ${table}
     WHERE country_code = 'US' AND date BETWEEN '2026-03-01' AND '2026-03-31' GROUP BY campaignName ORDER BY sales DESC`,
};

/** Measures queries over a year of one market against the same SQL on a table made by hand. */
export async function bench(): Promise<BenchLine[]> {
  const folder = await temporaryFolder();
  try {
    const store = await Warehouse.open(folder.file("store.sqlite"));
    const days = Array.from({ length: DAYS }, (_, i) => addDays("2026-01-01", i - 80));
    const what = {
      profileId: "1",
      countryCode: "US",
      report: "sp_placement",
      start: days[0]!,
      end: days.at(-1)!,
    };
    await store.replace(what, days.map(rowsOf));
    const hand = handMade(folder.file("hand.sqlite"), days);
    const lines: BenchLine[] = [];
    for (const [name, sql] of Object.entries(QUERIES)) {
      const ours: number[] = [];
      const bare: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        ours.push(await milliseconds(() => store.query(sql("sp_placement"))));
        bare.push(await milliseconds(() => hand.prepare(sql("placements")).all()));
      }
      lines.push(
        benchLine(`query a year of one market: ${name}`, median(ours), {
          unit: "ms",
          baseline: median(bare),
        }),
      );
    }
    hand.close();
    await store.close();
    return lines;
  } finally {
    await folder.remove();
  }
}

function rowsOf(date: string, day: number): ReportRow[] {
  return Array.from({ length: ROWS_A_DAY }, (_, i) => ({
    date,
    campaignId: `14497722725${7000 + (i >> 2)}`,
    campaignName: `SP | Trail ${i >> 2} | Exact`,
    campaignStatus: "ENABLED",
    campaignBudgetAmount: 30,
    campaignBiddingStrategy: "AUTO_FOR_SALES",
    placementClassification: PLACEMENTS[i % 4]!,
    impressions: (i * 31 + day) % 1000,
    clicks: (i * 7 + day) % 40,
    cost: ((i * 13 + day) % 700) / 10,
    purchases14d: i % 4,
    sales14d: (i % 90) / 2,
  }));
}

/** What one would make by hand: one table with country and profile in it, with the same key. */
function handMade(path: string, days: readonly string[]): DatabaseSync {
  const { columns } = reportLayout("sp_placement");
  const names = columns.map(({ name }) => name);
  const database = new DatabaseSync(path);
  database.exec("PRAGMA journal_mode = WAL");
  database.exec(
    `CREATE TABLE placements (country_code TEXT, profile_id TEXT, ${
      columns.map(({ name, type }) => `${name} ${type}`).join(", ")
    }, PRIMARY KEY (profile_id, date, campaignId, placementClassification))`,
  );
  const insert = database.prepare(
    `INSERT INTO placements VALUES ('US', '1', ${names.map(() => "?").join(", ")})`,
  );
  database.exec("BEGIN");
  for (const [day, date] of days.entries()) {
    for (const row of rowsOf(date, day)) {
      insert.run(...names.map((name) => (row[name] ?? null) as string | number | null));
    }
  }
  database.exec("COMMIT");
  return database;
}
