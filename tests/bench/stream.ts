import { DatabaseSync } from "node:sqlite";
import { consumeStream, DATASET_LAYOUTS, textSource, Warehouse } from "../../src/store/mod.ts";
import { hasPostgres, makeDatabase, testServer } from "../support/postgres.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { type BenchLine, benchLine, median, processorTime } from "./bench.ts";
import { processorTimeWith } from "./support/server_time.ts";

const RECORDS = 50_000;
const ROUNDS = 3;
/** Messages of one piece of the text: a consumer stores a thousand in a transaction. */
const LINES = 1000;

type Measure = (work: () => unknown) => Promise<number>;

/**
 * Measures storing records of the stream, as records for each second of one core, the database's processes included: in
 * SQLite against bare prepared inserts of the same parsed messages into a table with the same key, and in PostgreSQL.
 */
export async function bench(): Promise<BenchLine[]> {
  const messages = Array.from({ length: RECORDS }, (_, index) => message(index));
  const pieces = Array.from(
    { length: RECORDS / LINES },
    (_, index) => `${messages.slice(index * LINES, (index + 1) * LINES).join("\n")}\n`,
  );
  const folder = await temporaryFolder();
  const lite = { fresh: [] as number[], again: [] as number[] };
  const bare: number[] = [];
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const hand = handMade(folder.file(`bare-${round}.sqlite`));
      bare.push(RECORDS / await processorTime(() => bareInserts(hand, messages)) * 1000);
      hand.close();
      await storeTwice(folder.file(`store-${round}.sqlite`), pieces, lite, processorTime);
    }
  } finally {
    await folder.remove();
  }
  const lines = [
    benchLine("stream records", median(lite.fresh), { unit: "records/s", baseline: median(bare) }),
    benchLine("stream records that are stored already", median(lite.again), { unit: "records/s" }),
  ];
  if (!hasPostgres) return lines;
  const server = await testServer();
  const postgres = { fresh: [] as number[], again: [] as number[] };
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const address = await makeDatabase(server);
      await storeTwice(address, pieces, postgres, await processorTimeWith(address));
    }
  } finally {
    await server.stop();
  }
  return [
    ...lines,
    benchLine("stream records in PostgreSQL", median(postgres.fresh), { unit: "records/s" }),
    benchLine("stream records that are stored already in PostgreSQL", median(postgres.again), {
      unit: "records/s",
    }),
  ];
}

/** Records a second of a store that has none of them, and of one that has them all. */
async function storeTwice(
  place: string,
  pieces: readonly string[],
  { fresh, again }: { fresh: number[]; again: number[] },
  measure: Measure,
): Promise<void> {
  const store = await Warehouse.open(place);
  await store.stream.putAccounts([{
    advertiserId: "ENTITY1",
    marketplaceId: "M1",
    profileId: "1",
    countryCode: "US",
    timeZone: "America/Los_Angeles",
  }]);
  for (const figures of [fresh, again]) {
    figures.push(RECORDS / await measure(() => consumeStream(store, textSource(pieces))) * 1000);
  }
  await store.close();
}

function message(index: number): string {
  return JSON.stringify({
    idempotency_id: `5f0c2a4e-0000-4000-8000-${String(index * 7919 % RECORDS).padStart(12, "0")}`,
    dataset_id: "sp-traffic",
    marketplace_id: "M1",
    currency: "USD",
    advertiser_id: "ENTITY1",
    campaign_id: String(40_000_000_000_000 + index % 200),
    ad_group_id: String(50_000_000_000_000 + index % 900),
    ad_id: String(60_000_000_000_000 + index % 3000),
    keyword_id: String(70_000_000_000_000 + index % 7000),
    keyword_text: `camping tent ${index % 7000}`,
    match_type: "BROAD",
    placement: "Other on-Platform",
    time_window_start: new Date(Date.UTC(2026, 10, 1, index % 72)).toISOString(),
    clicks: index % 5,
    impressions: index % 90,
    cost: index % 500 / 100,
  });
}

const NAMES = DATASET_LAYOUTS.find(({ dataset }) => dataset === "sp-traffic")!.columns.map(({ name }) =>
  name
);

function handMade(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
  database.exec(`CREATE TABLE records (id TEXT PRIMARY KEY, starts_at TEXT, ${NAMES.join(", ")})`);
  return database;
}

/** Parsed, and one prepared statement in one transaction. */
function bareInserts(database: DatabaseSync, messages: readonly string[]): void {
  const insert = database.prepare(
    `INSERT INTO records (id, starts_at, ${NAMES.join(", ")}) VALUES (?, ?, ${
      NAMES.map(() => "?").join(", ")
    })
     ON CONFLICT (id) DO NOTHING`,
  );
  database.exec("BEGIN IMMEDIATE");
  for (const text of messages) {
    const record = JSON.parse(text) as Record<string, string | number>;
    insert.run(
      record["idempotency_id"]!,
      record["time_window_start"]!,
      ...NAMES.map((name) => record[name] ?? null),
    );
  }
  database.exec("COMMIT");
}
