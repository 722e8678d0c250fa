import { deepEqual, equal, match, ok, throws } from "../../../support/assert.ts";
import type { Session } from "../../../../src/store/postgres/database.ts";
import { keepVersions } from "../../../../src/store/postgres/write_rows.ts";
import { shardPlan } from "../../../../src/store/postgres/shard_plan.ts";
import { prepareReport } from "../../../../src/store/postgres/report_tables.ts";
import { storeSql } from "../../../../src/store/tables/postgres_sql.ts";
import { writeEntities } from "../../../../src/store/postgres/write_entities.ts";
import { openEntry } from "../../../../src/store/tables/ledger_table.ts";
import { storedDays } from "../../../../src/store/tables/pulls_table.ts";
import { type ReportLayout, reportLayout } from "../../../../src/store/model/report_layout.ts";
import { entry } from "../../contract/ground.ts";
import { keyword, pull as entityPull } from "../../contract/entities.ts";
import { fakeSql } from "../../queue/fake_sql.ts";

const LAYOUT: ReportLayout = {
  ...reportLayout("sp_campaigns"),
  report: "few",
  table: "rows_few",
  view: "few",
  columns: [
    { name: "date", type: "date", key: true },
    { name: "campaignId", type: "text", key: true },
    { name: "campaignName", type: "text", key: false },
    { name: "cost", type: "real", key: false },
    { name: "clicks", type: "integer", key: false },
  ],
};
const PULL = {
  ...{ profileId: "1", countryCode: "US", layout: LAYOUT, start: "2026-09-01", end: "2026-09-02" },
  ...{ reportIds: [], pulledAt: "2026-09-03T00:00:00.000Z", madeAt: null },
};

Deno.test("a report has its rows, their whole versions and their differences, and gets the columns that it lacks", async () => {
  const made = fakeSql();
  await prepareReport(made.sql, LAYOUT, new Map());
  const text = 'text COLLATE "C"';
  const columns = `"profile_id" ${text} NOT NULL, "date" date NOT NULL, "campaignId" ${text} NOT NULL, ` +
    `"campaignName" ${text}, "cost" double precision, "clicks" bigint, "extra" json, "repeat" bigint NOT NULL, ` +
    '"known_from" bigint NOT NULL DEFAULT 0';
  deepEqual(made.sent.map(({ text }) => text), [
    `CREATE TABLE rows_few (${columns}, "ref" bigint, ` +
    'PRIMARY KEY (profile_id, "date", "campaignId", repeat)) PARTITION BY RANGE (date)',
    `CREATE TABLE rows_few_history (${columns}, "known_to" bigint NOT NULL DEFAULT 0, ` +
    'PRIMARY KEY (profile_id, "date", "campaignId", repeat, known_from)) PARTITION BY RANGE (date)',
    // Numbers come before texts, which would pad them.
    'CREATE TABLE rows_few_changes ("ref" bigint NOT NULL, "known_from" bigint NOT NULL, "known_to" bigint NOT NULL, ' +
    `"cost" double precision, "clicks" bigint, "date" date NOT NULL, "profile_id" ${text} NOT NULL, ` +
    `"campaignName" ${text}, "extra" json, "emptied" text) PARTITION BY RANGE (date)`,
    "CREATE INDEX ON rows_few_changes (ref)",
  ]);
  const known = new Map(
    made.sent.slice(0, 3).map(({ text }) => [
      text.split(" ")[2]!,
      new Set([...text.matchAll(/"(\w+)" (?:text|date|double|bigint|json)/g)].map(([, name]) => name!)),
    ]),
  );
  known.get("rows_few")?.delete("cost");
  known.get("rows_few_history")?.delete("known_to");
  const lacking = fakeSql();
  await prepareReport(lacking.sql, LAYOUT, known);
  deepEqual(lacking.sent.map(({ text }) => text), [
    'ALTER TABLE rows_few ADD COLUMN "cost" double precision',
    'ALTER TABLE rows_few_history ADD COLUMN "known_to" bigint NOT NULL DEFAULT 0',
  ]);
});

Deno.test("nothing is sent about vanished rows where none has vanished", async () => {
  const count = async (vanished: boolean): Promise<number> => {
    const { sql, sent } = fakeSql();
    await keepVersions(sql as Session, PULL, { known: 5, vanished });
    ok(sent.every(({ values }) => values.join() === "1,2026-09-01,2026-09-02"));
    ok(sent.slice(0, 3).every(({ text }) => text.includes("places.kind = 'changed'")));
    return sent.length;
  };
  deepEqual([await count(false), await count(true)], [3, 7]);
});

Deno.test("a stored day of a report without cost costs 0", async () => {
  const { sql, sent } = fakeSql({
    "FROM days": [{ date: "2026-09-01", rows: "2", cost: "0", made_at: null }],
  });
  const columns = LAYOUT.columns.filter(({ name }) => name !== "cost");
  const days = await storedDays(storeSql(sql), { ...PULL, layout: { ...LAYOUT, columns } });
  deepEqual(days, [{ day: "2026-09-01", rows: 2, cost: 0, madeAt: null }]);
  await storedDays(storeSql(sql), PULL);
  deepEqual(sent.map(({ text }) => text.includes("FROM rows_few")), [false, true]);
});

Deno.test("an entry of the ledger is written when the open one was closed meanwhile", async () => {
  let attempts = 0;
  const { sql, sent } = fakeSql({
    "INSERT INTO report_requests": () => ++attempts === 2 ? [{ id: "x" }] : [],
  });
  const own = entry({});
  equal(await openEntry(storeSql(sql), own), own);
  deepEqual(sent.map(({ text }) => text.split(" ")[0]), ["INSERT", "SELECT", "INSERT"]);
});

Deno.test("entities are written under a lock of their kind, some thousands with one statement", async () => {
  const counts = { "count(*) AS n": [{ n: 0 }], "AS removed": [{ removed: 0, changed: 0 }] };
  const { sql, sent } = fakeSql(counts);
  const entities = Array.from({ length: 5001 }, (_, id) => keyword(String(id)));
  await writeEntities(sql as Session, entityPull(0), { entities, gone: undefined });
  match(sent[0]?.text ?? "", /^SELECT pg_advisory_xact_lock/);
  deepEqual(sent[0]?.values, ["1001 sp.keywords"]);
  const lists = sent.filter(({ text }) => text.startsWith("INSERT INTO fresh"));
  deepEqual(lists.map(({ values }) => JSON.parse(String(values[0])).length), [5000, 1]);
});

Deno.test("a store is distributed over 32 parts unless another whole number from 1 up is given", () => {
  const parts = (shards?: number): string | undefined =>
    /shard_count => (\d+)/.exec(shardPlan(shards)[1]!)?.[1];
  deepEqual([parts(), parts(1), parts(64)], ["32", "1", "64"]);
  match(shardPlan().at(-1)!, /^SELECT create_distributed_table\(c\.oid.* FROM pg_class .*;$/);
  for (const shards of [0, -1, 1.5, NaN]) throws(() => shardPlan(shards), RangeError);
});
