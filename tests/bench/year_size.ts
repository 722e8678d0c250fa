import { addDays } from "../../src/base/time/calendar.ts";
import type { ReportRow } from "../../src/client/reports/file/report_row.ts";
import { reportLayout, Warehouse } from "../../src/store/mod.ts";
import { hasPostgres, makeDatabase, testServer, withSql } from "../support/postgres.ts";
import { SeededRandom } from "../support/seeded_random.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { type BenchLine, benchLine, median } from "./bench.ts";

const DAYS = 365;
const FIRST = "2025-09-01";
const RESTATED_DAYS = 42;
const CHANGED = 0.05;
const KEYWORDS = 60;
const SEEDS = [1, 2, 3];
const LAYOUT = reportLayout("sp_targeting");
const WHAT = { profileId: "1234567890123", countryCode: "US", report: "sp_targeting" };

/**
 * The size of a store after a year of nightly pulls of 42 days, of whose rows 5 % got another order each night, beside a
 * store that holds the newest rows alone.
 */
export async function bench(): Promise<BenchLine[]> {
  const lines: BenchLine[] = [];
  const folder = await temporaryFolder();
  try {
    const sizes: { nightly: number; newest: number }[] = [];
    for (const seed of SEEDS) {
      const place = (name: string): string => folder.file(`${name}-${seed}.sqlite`);
      sizes.push(await sizesOf(seed, place, async (path) => (await Deno.stat(path)).size));
    }
    lines.push(line("SQLite", sizes));
  } finally {
    await folder.remove();
  }
  if (!hasPostgres) return lines;
  const server = await testServer();
  try {
    const places = { nightly: await makeDatabase(server), newest: await makeDatabase(server) };
    const size = await sizesOf(SEEDS[0]!, (name) => places[name], postgresSize, () => vacuum(places.nightly));
    return [...lines, line("PostgreSQL", [size])];
  } finally {
    await server.stop();
  }
}

function line(where: string, sizes: readonly { nightly: number; newest: number }[]): BenchLine {
  return benchLine(
    `size of a year in ${where}, 42 days pulled each night, 5 % changed`,
    median(sizes.map(({ nightly }) => nightly)) / 1e6,
    { unit: "MB", baseline: median(sizes.map(({ newest }) => newest)) / 1e6 },
  );
}

async function sizesOf(
  seed: number,
  place: (name: "nightly" | "newest") => string,
  size: (place: string) => Promise<number>,
  onWeek: () => Promise<void> = () => Promise.resolve(),
): Promise<{ nightly: number; newest: number }> {
  const random = new SeededRandom(seed);
  const days: ReportRow[][] = [];
  let now = 0;
  const pull = async (store: Warehouse, first: number): Promise<void> => {
    const [start, end] = [addDays(FIRST, first), addDays(FIRST, days.length - 1)];
    now = Date.parse(end) + 36 * 3_600_000;
    await store.replace({ ...WHAT, start, end }, days.slice(first));
  };
  const nightly = await Warehouse.open(place("nightly"), { now: () => now });
  for (let day = 0; day < DAYS; day++) {
    const first = Math.max(0, day - RESTATED_DAYS + 1);
    for (let at = first; at < day; at++) {
      days[at] = days[at]!.map((row) => random.next() < CHANGED ? withAnotherOrder(row, random) : row);
    }
    days.push(rowsOf(addDays(FIRST, day), random));
    await pull(nightly, first);
    if (day % 7 === 6) await onWeek();
  }
  await nightly.close();
  const newest = await Warehouse.open(place("newest"), { now: () => now });
  await pull(newest, 0);
  await newest.close();
  return { nightly: await size(place("nightly")), newest: await size(place("newest")) };
}

function rowsOf(date: string, random: SeededRandom): ReportRow[] {
  return Array.from({ length: KEYWORDS }, (_, keyword): ReportRow => {
    const row: ReportRow = { date };
    for (const { name, type } of LAYOUT.columns) {
      if (name === "date") continue;
      row[name] = name.endsWith("Id")
        ? String(144_977_227_250_000 + 977 * (name === "keywordId" ? keyword : keyword >> 3))
        : type === "text"
        ? /Status|Type/.test(name) ? "ENABLED" : `SP | Trail shoes ${keyword >> 3} | ${name}`
        : type === "real"
        ? random.integer(0, 5000) / 100
        : random.integer(0, 40);
    }
    return row;
  });
}

/** An order that is attributed late: within the windows that are long enough. */
function withAnotherOrder(row: ReportRow, random: SeededRandom): ReportRow {
  const windows = random.pick([["14d"], ["7d", "14d"], ["7d", "14d"], ["1d", "7d", "14d"]]);
  const changed = { ...row };
  for (const window of windows) {
    changed[`purchases${window}`] = Number(row[`purchases${window}`]) + 1;
    changed[`sales${window}`] = Math.round(Number(row[`sales${window}`]) * 100 + 1999) / 100;
  }
  return { ...changed, unitsSoldClicks14d: Number(row["unitsSoldClicks14d"]) + 1 };
}

/** What the server does by itself about once a week at this rate of changes; a year of minutes is too short for it. */
function vacuum(address: string): Promise<void> {
  return withSql(address, async (sql) => void await sql`VACUUM`);
}

async function postgresSize(address: string): Promise<number> {
  await vacuum(address);
  return await withSql(address, async (sql) => {
    const [row] = await sql`
      SELECT sum(pg_total_relation_size(c.oid)) AS size FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = relnamespace
      WHERE nspname = 'platform_ads' AND relkind = 'r'`;
    return Number(row?.["size"]);
  });
}
