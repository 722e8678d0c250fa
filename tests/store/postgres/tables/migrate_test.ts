import { deepEqual, equal, match, ok, rejects } from "../../../support/assert.ts";
import type { Database } from "../../../../src/store/postgres/database.ts";
import { addReport, migrate, SCHEMA_VERSION } from "../../../../src/store/postgres/schema.ts";
import { reportLayout } from "../../../../src/store/model/report_layout.ts";
import { StoreError } from "../../../../src/store/model/store_error.ts";
import { type Answers, fakeSql } from "../../queue/fake_sql.ts";

/** Brings a database to this release's schema, and gives the statements that are sent inside of a transaction. */
async function sentBy(
  answers: Answers,
  work: (database: Database) => Promise<unknown> = migrate,
): Promise<{ text: string; values: readonly unknown[] }[]> {
  const { sql, sent } = fakeSql(answers);
  let before = Infinity;
  const transaction = (run: (own: typeof sql) => Promise<unknown>): Promise<unknown> => {
    before = sent.length;
    return run(sql);
  };
  await work({ sql, transaction } as unknown as Database);
  return sent.slice(before);
}

/** A database with a version of the schema, and what its views were made of. */
const having = (version: number, views: unknown = "others"): Answers => ({
  "relname = 'schema_version'": [{}],
  "SELECT version FROM": [{ version }],
  // The first releases had no such column.
  "SELECT views FROM": version < SCHEMA_VERSION ? new Error("no column views") : [{ views }],
});
const first = (sent: readonly { text: string }[], words: number): string[] =>
  sent.map(({ text }) => text.split(" ").slice(0, words).join(" "));

Deno.test("an empty database gets the schema, every migration, tables and views, under a lock", async () => {
  const sent = await sentBy({});
  match(sent[0]!.text, /^SELECT pg_advisory_xact_lock/);
  const texts = first(sent, 3);
  const made = texts.indexOf("CREATE SCHEMA platform_ads");
  deepEqual(texts.slice(made, made + 4), [
    "CREATE SCHEMA platform_ads",
    "CREATE TABLE schema_version",
    "INSERT INTO schema_version",
    "CREATE TABLE profiles",
  ]);
  equal(texts.filter((text) => text === "CREATE TABLE profiles").length, 1);
  const views = texts.filter((text) => text.startsWith("CREATE VIEW")).map((text) => text.slice(12));
  const dropped = sent.filter(({ text }) => text.startsWith("DROP VIEW IF EXISTS ")).map(({ text }) =>
    text.slice(20)
  );
  deepEqual(dropped, views.toReversed(), "a view goes before those that it reads");
  const [table, view] = ["CREATE TABLE report_sp_campaigns", "CREATE VIEW sp_campaigns"];
  ok(texts.includes(table) && texts.indexOf(table) < texts.indexOf(view));
  ok(texts.includes("CREATE TABLE stream_sp_traffic"));
  match(sent.at(-1)!.text, /^UPDATE schema_version SET version = \$1, views = \$2$/);
  equal(sent.at(-1)!.values[0], SCHEMA_VERSION);
});

Deno.test("the schema is not made again where the user was given an empty one", async () => {
  const texts = first(await sentBy({ "FROM pg_namespace WHERE": [{}] }), 3);
  ok(!texts.includes("CREATE SCHEMA platform_ads"));
  ok(texts.includes("CREATE TABLE schema_version"));
});

Deno.test("a store gets the migrations that it lacks, and none where its views alone are old", async () => {
  const migrations = (texts: readonly string[]): string[] =>
    texts.filter((text) =>
      /^CREATE (?:SEQUENCE|TABLE (?:profiles|day_hashes|schema_version))|^ALTER TABLE rollout_plans/.test(
        text,
      )
    );
  const lacking = first(await sentBy(having(SCHEMA_VERSION - 6)), 3);
  deepEqual(migrations(lacking), ["CREATE SEQUENCE row_numbers;", "ALTER TABLE rollout_plans"]);
  const old = first(await sentBy(having(SCHEMA_VERSION)), 3);
  deepEqual(migrations(old), []);
  ok(old.includes("CREATE VIEW sp_campaigns"));
});

Deno.test("a store that is as this release makes it is left alone", async () => {
  const [, views] = (await sentBy({})).at(-1)!.values;
  deepEqual(await sentBy(having(SCHEMA_VERSION, views)), []);
});

Deno.test("a store of a newer release is refused by its version", async () => {
  await rejects(sentBy(having(SCHEMA_VERSION + 1)), (error: Error) => {
    ok(error instanceof StoreError);
    match(error.message, new RegExp(`its schema is version ${SCHEMA_VERSION + 1}, made by a newer release`));
    return true;
  });
});

Deno.test("a report that is added has its tables, its views and its part of what the views were made of", async () => {
  const known = having(SCHEMA_VERSION);
  const add = (database: Database): Promise<void> =>
    addReport(database, { ...reportLayout("sp_campaigns"), report: "few", table: "rows_few", view: "few" });
  const columns = [{ table_name: "rows_few_history", column_name: "date" }, {
    table_name: "rows_few_history",
    column_name: "profile_id",
  }];
  const sent = await sentBy({ ...known, "information_schema.columns": columns }, add);
  match(sent[0]!.text, /^SELECT pg_advisory_xact_lock/);
  const texts = first(sent, 3);
  deepEqual(texts.filter((text) => text.startsWith("CREATE TABLE")), [
    "CREATE TABLE rows_few",
    "CREATE TABLE rows_few_changes",
  ]);
  ok(texts.includes("ALTER TABLE rows_few_history"));
  const altered = sent.filter(({ text }) => text.startsWith("ALTER TABLE")).map(({ text }) => text);
  ok(!altered.some((text) => /COLUMN "(?:date|profile_id)"/.test(text)), "columns that are there stay");
  deepEqual(texts.filter((text) => text.startsWith("CREATE OR")), ["CREATE OR REPLACE", "CREATE OR REPLACE"]);
  match(sent.at(-1)!.text, /^UPDATE schema_version SET views = \$1$/);
});
