import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReportRow } from "../../src/client/reports/file/report_row.ts";
import { Database } from "../../src/store/postgres/database.ts";
import { reportLayout } from "../../src/store/model/report_layout.ts";
import { Warehouse } from "../../src/store/warehouse/warehouse.ts";
import { hasPostgres, makeDatabase, testServer } from "../support/postgres.ts";
import { type BenchLine, benchLine, median } from "./bench.ts";

const ROWS = 200_000;
const DAYS = 31;
/** Every column of the report but its day: what a sync asks for. */
const COLUMNS = reportLayout("sp_placement").columns.filter(({ name }) => name !== "date");
const KEY = COLUMNS.filter(({ key }) => key).map(({ name }) => `"${name}"`).join(", ");
const SQL_TYPES: Readonly<Record<string, string>> = { integer: "bigint", real: "double precision" };

/**
 * Rows a second into PostgreSQL, against a bare COPY of the same rows into a table with the same key: days that are new,
 * and the same days again, as they were and with 5 % of the rows changed, for which the plainest code deletes them first.
 */
export async function bench(): Promise<BenchLine[]> {
  if (!hasPostgres) return [];
  const server = await testServer();
  try {
    const address = await makeDatabase(server);
    const store = await Warehouse.open(address);
    const database = new Database({ client: { connectionString: address }, max: 1 });
    const columns = COLUMNS.map(({ name, type, key }) =>
      `"${name}" ${SQL_TYPES[type] ?? "text"}${key ? ' COLLATE "C"' : ""}`
    );
    await database.sql.text(
      `CREATE TABLE bare (profile_id text COLLATE "C", date date, ${columns.join(", ")}, n bigint,
       PRIMARY KEY (profile_id, date, ${KEY}, n))`,
    );
    const figures = {
      first: [] as number[],
      again: [] as number[],
      bare: [] as number[],
      anew: [] as number[],
      changed: [] as number[],
    };
    for (let round = 0; round < 7; round++) {
      const profileId = String(round);
      figures.bare.push(await perSecond(() => copyBare(database, profileId)));
      figures.first.push(await perSecond(() => storeRows(store, profileId)));
      figures.anew.push(await perSecond(() => copyBare(database, profileId)));
      figures.again.push(await perSecond(() => storeRows(store, profileId)));
      figures.changed.push(await perSecond(() => storeRows(store, profileId, 1)));
    }
    await store.close();
    await database.close();
    const line = (name: string, ours: number[], bare: number[]): BenchLine =>
      benchLine(name, median(ours), { unit: "rows/s", baseline: median(bare) });
    return [
      line(`store ${ROWS} rows in PostgreSQL`, figures.first, figures.bare),
      line(`store the same ${ROWS} rows again`, figures.again, figures.anew),
      line(`store the same ${ROWS} rows again, 5 % of them changed`, figures.changed, figures.anew),
    ];
  } finally {
    await server.stop();
  }
}

async function perSecond(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return ROWS / ((performance.now() - began) / 1000);
}

function storeRows(store: Warehouse, profileId: string, change = 0): Promise<number> {
  const what = {
    profileId,
    countryCode: "US",
    report: "sp_placement",
    start: day(0),
    end: day(DAYS - 1),
  };
  return store.replace(what, batches(change));
}

/** The plainest code that does it: replace everything by one COPY, in one transaction. */
async function copyBare(database: Database, profileId: string): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction`DELETE FROM bare WHERE profile_id = ${profileId}`;
    const names = ["profile_id", "date", ...COLUMNS.map(({ name }) => `"${name}"`), "n"].join(", ");
    const copy = transaction.copyIn(`COPY bare (${names}) FROM STDIN`);
    await pipeline(Readable.from(lines(profileId), { objectMode: true }), copy);
  });
}

function* lines(profileId: string): Generator<string> {
  let n = 0;
  for (const batch of batches()) {
    yield batch.map((row) =>
      `${profileId}\t${row.date}\t${
        COLUMNS.map(({ name }) => row[name] as string | number).join("\t")
      }\t${n++}\n`
    ).join("");
  }
}

/** @param change Added to the sales of every twentieth row. */
function* batches(change = 0): Generator<ReportRow[]> {
  for (let from = 0; from < ROWS; from += 1000) {
    yield Array.from({ length: 1000 }, (_, i) => {
      const row = rowNumber(from + i);
      return i % 20 === 0 ? { ...row, sales14d: Number(row["sales14d"]) + change } : row;
    });
  }
}

function rowNumber(n: number): ReportRow {
  const row: ReportRow = { date: day(n % DAYS) };
  for (const [index, { name, type }] of COLUMNS.entries()) {
    row[name] = type === "integer"
      ? n % (1000 + index)
      : type === "real"
      ? (n % (5000 + index)) / 100
      : name === "campaignId"
      ? String(1e14 + Math.floor(n / DAYS))
      : name === "placementClassification"
      ? "Top of Search on-Platform"
      : `Campaign number ${n % 5000} of the season`;
  }
  return row;
}

function day(n: number): string {
  return new Date(Date.UTC(2026, 7, 1 + n)).toISOString().slice(0, 10);
}
