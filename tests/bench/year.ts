import { addDays } from "../../src/internal/calendar.ts";
import { reportLayout, Warehouse } from "../../src/store/mod.ts";
import type { ReportRow } from "../../src/reports/report_row.ts";
import { hasPostgres, makeDatabase, testServer } from "../support/postgres.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { type BenchLine, benchLine, milliseconds } from "./bench.ts";

/**
 * A year of `sp_targeting` for so many profiles of 25 keywords. 300 profiles with 8 reports of 114 rows a day have 100
 * million rows; this is as much of it as a benchmark has time for.
 */
const SIZES = [10, 40, 160];
const KEYWORDS = 25;
const DAYS = 365;
const FIRST = "2025-09-01";
const LAST = addDays(FIRST, DAYS - 1);
const NIGHT = Date.parse(`${LAST}T00:00:00Z`) + 36 * 3_600_000;
const LAYOUT = reportLayout("sp_targeting");

const QUERIES = {
  "a month of one profile by campaign":
    `SELECT campaign_id, sum(cost) AS cost, sum(sales) AS sales FROM performance
     WHERE profile_id = '7' AND date BETWEEN '2026-05-01' AND '2026-05-31' GROUP BY campaign_id`,
  "spend of the last week by profile":
    `SELECT profile_id, sum(cost) AS cost FROM sp_targeting WHERE date >= '${
      addDays(LAST, -6)
    }' GROUP BY profile_id`,
} as const;

/** Loads a year, pulls the last 42 days of every profile again, and queries it, in SQLite and PostgreSQL. */
export async function bench(): Promise<BenchLine[]> {
  const lines: BenchLine[] = [];
  const folder = await temporaryFolder();
  try {
    for (const profiles of SIZES) {
      lines.push(...await yearOf(profiles, "SQLite", folder.file(`year-${profiles}.sqlite`)));
    }
  } finally {
    await folder.remove();
  }
  if (!hasPostgres) return lines;
  const server = await testServer();
  try {
    for (const profiles of SIZES) {
      lines.push(...await yearOf(profiles, "PostgreSQL", await makeDatabase(server)));
    }
  } finally {
    await server.stop();
  }
  return lines;
}

async function yearOf(profiles: number, where: string, location: string): Promise<BenchLine[]> {
  let now = NIGHT - 86_400_000;
  const store = await Warehouse.open(location, { now: () => now });
  const rows = profiles * KEYWORDS * DAYS;
  const name = (what: string): string => `year of ${rows.toLocaleString("en")} rows in ${where}: ${what}`;
  const pull = async (start: string, days: number, round: number): Promise<void> => {
    for (let profile = 1; profile <= profiles; profile++) {
      const what = { profileId: String(profile), countryCode: "US", report: "sp_targeting", start };
      await store.replace(
        { ...what, end: addDays(start, days - 1) },
        rowsOf(profile, { start, days, round }),
      );
    }
  };
  const load = await milliseconds(async () => {
    for (let at = 0; at < DAYS; at += 31) await pull(addDays(FIRST, at), Math.min(31, DAYS - at), 0);
  });
  now = NIGHT;
  const nightly = await milliseconds(() => pull(addDays(LAST, -41), 42, 1));
  const lines = [
    benchLine(name("load"), rows / load * 1000, { unit: "rows/s" }),
    benchLine(name("42 days again, 5 % changed"), profiles * KEYWORDS * 42 / nightly * 1000, {
      unit: "rows/s",
    }),
  ];
  for (const [what, sql] of Object.entries(QUERIES)) {
    lines.push(benchLine(name(what), await milliseconds(() => store.query(sql)), { unit: "ms" }));
    const asOf = new Date(NIGHT - 3_600_000).toISOString();
    const before = await milliseconds(() => store.query(sql, [], { asOf }));
    lines.push(benchLine(name(`${what}, as of a day before`), before, { unit: "ms" }));
  }
  await store.close();
  return lines;
}

function* rowsOf(
  profile: number,
  { start, days, round }: { start: string; days: number; round: number },
): Generator<ReportRow[]> {
  for (let at = 0; at < days; at++) {
    const date = addDays(start, at);
    yield Array.from({ length: KEYWORDS }, (_, keyword): ReportRow => {
      const n = profile * 31 + Date.parse(date) / 86_400_000 * 7 + keyword;
      const row: ReportRow = { date };
      for (const [index, { name, type }] of LAYOUT.columns.entries()) {
        if (name === "date") continue;
        row[name] = name.endsWith("Id")
          ? String(1e14 + profile * 1000 + (name === "keywordId" ? keyword : keyword % 5))
          : type === "text"
          ? `Text ${name} ${keyword}`
          : (n * (index + 3)) % 100 + (n % 20 === 0 && name === "sales14d" ? round : 0);
      }
      return row;
    });
  }
}
