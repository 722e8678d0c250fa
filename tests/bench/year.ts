import { addDays } from "../../src/base/time/calendar.ts";
import type { ReportPresetName } from "../../src/client/reports/requests/presets.ts";
import { QueryError, type StoreDriver, Warehouse } from "../../src/store/mod.ts";
import { hasPostgres, makeDatabase, testServer } from "../support/postgres.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { type BenchLine, benchLine, milliseconds } from "./bench.ts";
import { QUERIES } from "./support/year_queries.ts";
import { entitiesOf, REPORTS, ROWS_A_DAY, rowsOf } from "./support/year_rows.ts";
import { postgresYear, sqliteYear, type YearStore } from "./support/year_store.ts";

const DAYS = 365;
const FIRST = "2025-09-01";
const LAST = addDays(FIRST, DAYS - 1);
/** Days that a night pulls again, and milliseconds of a day. */
const [AGAIN, DAY] = [42, 86_400_000];
const NAMES = Object.keys(REPORTS) as ReportPresetName[];

/** Profiles at which everything is measured, each with a year of eight reports. */
const SIZES = [1, 3];
const LARGE = [1, 10, 30, 90, 300];
/** SQLite writes with one thread and is meant for fewer profiles. */
const MAX_SQLITE = 30;
/** Profiles that are loaded, unless that takes longer; further ones are copies of these, made inside of the database. */
const [LOADED, MAX_LOADING] = [10, 5 * 60_000];
/** Bytes that a database may take. */
const MAX_BYTES = 45e9;
/** Profiles of which a night is measured. */
const NIGHTLY = 4;

/** What a piece of work takes: by the clock, and of the processor, the database's included. */
interface Taken {
  elapsed: number;
  processor: number;
}

/** Adds figures of one size. */
interface Figures {
  add(what: string, value: number, unit: string): void;
  addRate(what: string, rows: number, took: Taken): void;
}

/**
 * A year of eight reports for so many profiles in SQLite and PostgreSQL: loaded through the store, pulled again at night, and
 * asked through the ready views, as of an earlier moment too. Rates are for each second of the processor, the database's
 * included, as the machine may have other work.
 *
 * @param options `--large` lets the store grow to 300 profiles and 100 million rows, by copies of the loaded profiles;
 * `--sqlite` and `--postgres` leave the other out.
 */
export async function bench(options: readonly string[]): Promise<BenchLine[]> {
  const sizes = options.includes("--large") ? LARGE : SIZES;
  const lines: BenchLine[] = [];
  if (!options.includes("--postgres")) {
    await using folder = await temporaryFolder();
    const store = sqliteYear(folder.file("year.sqlite"));
    await growing(store, sizes.filter((profiles) => profiles <= MAX_SQLITE), lines);
  }
  if (!hasPostgres || options.includes("--sqlite")) return lines;
  const server = await testServer();
  try {
    await growing(await postgresYear(await makeDatabase(server)), sizes, lines);
  } finally {
    await server.stop();
  }
  return lines;
}

async function growing(place: YearStore, sizes: readonly number[], lines: BenchLine[]): Promise<void> {
  const deadline = performance.now() + MAX_LOADING;
  let [stored, loaded, bytes] = [0, 0, 0];
  for (const [night, wanted] of sizes.entries()) {
    const fitting = bytes === 0 ? Infinity : Math.floor(MAX_BYTES / (bytes / stored));
    const profiles = Math.min(wanted, fitting);
    if (profiles <= stored) return;
    const figures = figuresOf(
      `year of ${rowsOfYears(profiles).toLocaleString("en")} rows in ${place.name}`,
      lines,
    );
    const before = loaded;
    const took = { first: { elapsed: 0, processor: 0 }, again: { elapsed: 0, processor: 0 } };
    while (loaded === stored && loaded < Math.min(profiles, LOADED)) {
      if (loaded > 0 && performance.now() > deadline) break;
      await loadProfile(place, ++loaded, took);
      stored = loaded;
    }
    if (loaded > before) {
      figures.addRate("load", rowsOfYears(loaded - before), took.first);
      figures.addRate("every month again, 5 % changed", rowsOfYears(loaded - before), took.again);
    }
    if (stored < profiles) {
      const copying = await taken(place, () => copyProfiles(place, { stored, profiles, loaded }));
      figures.addRate("copied inside of the database", rowsOfYears(profiles - stored), copying);
      stored = profiles;
    }
    figures.add("profiles that were loaded, the others are copies", loaded, "profiles");
    await place.settle();
    bytes = await place.size();
    figures.add("size", bytes / 1e6, "MB");
    await measure(place, { profiles, loaded, night: night + 1 }, figures);
  }
}

function figuresOf(of: string, lines: BenchLine[]): Figures {
  const add = (what: string, value: number, unit: string): void => {
    const line = benchLine(`${of}: ${what}`, value, { unit });
    lines.push(line);
    console.error(`${new Date().toISOString().slice(11, 19)} ${line.name}: ${line.value} ${unit}`);
  };
  return {
    add,
    addRate: (what, rows, { elapsed, processor }) => {
      add(what, rows / processor * 1000, "rows/s");
      add(`${what}, by the clock`, rows / elapsed * 1000, "rows/s");
    },
  };
}

/** Pulls every month of a profile for the first time, and a second time three weeks later. */
async function loadProfile(
  place: YearStore,
  profile: number,
  took: { first: Taken; again: Taken },
): Promise<void> {
  let now = Date.parse(FIRST);
  const driver = await place.open();
  const store = new Warehouse(driver, { now: () => now });
  for (const [kind, entities] of entitiesOf(profile)) {
    const pulledAt = new Date(now).toISOString();
    const of = { profileId: idOf(profile), countryCode: "US", kind, pulledAt, source: "list" } as const;
    await driver.replaceEntities(of, entities);
  }
  for (const [what, change] of [["first", 0], ["again", 1]] as const) {
    const { elapsed, processor } = await taken(place, async () => {
      for (let at = 0; at < DAYS; at += 31) {
        const start = addDays(FIRST, at);
        const days = Math.min(31, DAYS - at);
        now = Date.parse(start) + (days + 0.5 + 20 * change) * DAY;
        await pull(store, profile, { start, days, change, source: profile });
      }
    });
    took[what].elapsed += elapsed;
    took[what].processor += processor;
  }
  await store.close();
}

/** Pulls days of every report; the rows are those of the source. */
async function pull(
  store: Warehouse,
  profile: number,
  { source, ...wanted }: { start: string; days: number; change: number; source: number },
): Promise<void> {
  const { start, days } = wanted;
  const end = addDays(start, days - 1);
  for (const report of NAMES) {
    const what = { profileId: idOf(profile), countryCode: "US", report, start, end };
    await store.replace(what, rowsOf(report, source, wanted));
  }
}

async function copyProfiles(
  place: YearStore,
  { stored, profiles, loaded }: { stored: number; profiles: number; loaded: number },
): Promise<void> {
  const missing = Array.from({ length: profiles - stored }, (_, index) => stored + index + 1);
  for (const [source, copies] of Map.groupBy(missing, (profile) => sourceOf(profile, loaded))) {
    await place.copy(idOf(source), copies.map(idOf));
  }
}

/** A night of some profiles, and what is asked of all. */
async function measure(
  place: YearStore,
  { profiles, loaded, night }: { profiles: number; loaded: number; night: number },
  { add, addRate }: Figures,
): Promise<void> {
  const now = Date.parse(LAST) + (30 + night) * DAY;
  const driver = await place.open();
  const store = new Warehouse(driver, { now: () => now });
  await checkWhole(store, place, profiles);
  // Copies among them, so that a copy is shown to be pulled again like what it was made of.
  const some = Array.from(
    { length: Math.min(NIGHTLY, profiles) },
    (_, index) => profiles - Math.floor(index * profiles / NIGHTLY),
  );
  const range = { start: addDays(LAST, 1 - AGAIN), days: AGAIN, change: 1 + night };
  const took = await taken(place, async () => {
    for (const profile of some) {
      await pull(store, profile, { ...range, source: sourceOf(profile, loaded) });
    }
  });
  addRate("42 days again, 5 % changed", some.length * AGAIN * ROWS_A_DAY, took);
  await checkChanged(driver, some[0]!, now);
  const asOf = new Date(now - DAY / 2).toISOString();
  const reads: Record<string, () => Promise<unknown>> = {
    "maturity, as sync judges it at its end": () => store.maturity(),
  };
  for (const [what, sqlOf] of Object.entries(QUERIES)) {
    const sql = sqlOf(idOf(some[0]!), addDays(LAST, -7));
    reads[what] = () => store.query(sql);
    reads[`${what}, as of a day before`] = () => store.query(sql, [], { asOf });
  }
  for (const [what, read] of Object.entries(reads)) {
    try {
      const { elapsed, processor } = await takenByEach(place, read);
      add(what, processor, "ms");
      add(`${what}, by the clock`, elapsed, "ms");
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      // A query is ended after a minute.
      console.error(`${what}: ${error.message}`);
    }
  }
  await store.close();
}

/** The mean of several times, after a first one that fills caches; of what takes long, that one. */
async function takenByEach(place: YearStore, read: () => Promise<unknown>): Promise<Taken> {
  const first = await taken(place, read);
  const times = first.elapsed < 2000 ? 5 : first.elapsed < 10_000 ? 2 : 0;
  if (times === 0) return first;
  const { elapsed, processor } = await taken(place, async () => {
    for (let time = 0; time < times; time++) await read();
  });
  return { elapsed: elapsed / times, processor: processor / times };
}

async function taken(place: YearStore, work: () => unknown): Promise<Taken> {
  let elapsed = 0;
  const processor = await place.processorTime(async () => void (elapsed = await milliseconds(work)));
  return { elapsed, processor };
}

/** Every profile has a year of every report, by the store's own account and by the rows that are there. */
async function checkWhole(store: Warehouse, place: YearStore, profiles: number): Promise<void> {
  const covered = await store.coverage();
  const wrong = covered.filter(({ report, rows }) => rows !== DAYS * REPORTS[report as ReportPresetName]!);
  if (covered.length !== profiles * NAMES.length || wrong.length > 0) {
    throw new Error(
      `${covered.length} lines of coverage, of which ${wrong.length} have other rows than stored`,
    );
  }
  const { table } = store.layouts.find(({ report }) => report === "sp_placement")!;
  const rows = await place.count(table);
  const expected = profiles * DAYS * REPORTS.sp_placement!;
  if (rows !== expected) throw new Error(`${table} has ${rows} rows, not ${expected}`);
}

/** The night closed a twentieth of the versions of a profile that was pulled, and no more. */
async function checkChanged(driver: StoreDriver, profile: number, now: number): Promise<void> {
  const { rows } = await driver.query(
    "SELECT count(*) AS n FROM sp_targeting_history WHERE profile_id = ? AND known_to = ?",
    { params: [idOf(profile), new Date(now).toISOString()], maxRows: 1 },
  );
  const share = Number(rows[0]?.["n"]) / (AGAIN * REPORTS.sp_targeting!);
  if (share < 0.04 || share > 0.06) throw new Error(`The night changed ${share} of the rows of a profile`);
}

function rowsOfYears(profiles: number): number {
  return profiles * DAYS * ROWS_A_DAY;
}

/** Of one length, so that later profiles lie behind earlier ones. */
function idOf(profile: number): string {
  return String(1_000_000 + profile);
}

/** The loaded profile that a profile is a copy of; itself for those that were loaded. */
function sourceOf(profile: number, loaded: number): number {
  return (profile - 1) % loaded + 1;
}
