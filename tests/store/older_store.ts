import { DatabaseSync } from "node:sqlite";
import type { Sql } from "../../src/store/tables/postgres_sql.ts";

/** Version of the schema that {@linkcode makeOlderFile} leaves. */
export const OLDER_VERSION = 6;

/** Tables of clean-room results. */
const WORKFLOWS = ["workflow_versions", "workflow_runs", "workflow_rows", "workflow_views"];

/** Turns a store in a file into that of a release which kept versions whole. */
export function makeOlderFile(path: string): DatabaseSync {
  const old = new DatabaseSync(path);
  for (const { name } of old.prepare("SELECT name FROM sqlite_master WHERE type = 'view'").all()) {
    old.exec(`DROP VIEW ${name}`);
  }
  const tables = old.prepare("SELECT name FROM sqlite_master WHERE name GLOB 'report_s*_changes'").all();
  for (const name of tables.map((table) => String(table["name"]))) {
    old.exec(`DROP TABLE ${name}; ALTER TABLE ${name.replace("_changes", "")} DROP COLUMN ref`);
  }
  old.exec("ALTER TABLE days DROP COLUMN reporting; ALTER TABLE days DROP COLUMN reporting_since");
  old.exec("DROP TABLE months; DROP TABLE month_pulls; DROP TABLE stream_objects");
  for (const name of WORKFLOWS) old.exec(`DROP TABLE ${name}`);
  old.exec(`DROP TABLE row_numbers; DELETE FROM day_hashes; PRAGMA user_version = ${OLDER_VERSION}`);
  return old;
}

/** Turns a store in a database into that of a release which kept versions whole. */
export async function makeOlderDatabase(sql: Sql): Promise<void> {
  const tables = await sql`
    SELECT relname FROM pg_class WHERE relkind = 'p' AND relname LIKE 'report\\_s%\\_changes'`;
  for (const name of tables.map(({ relname }) => `platform_ads.${relname}`)) {
    await sql.text(`DROP TABLE ${name} CASCADE`);
    await sql.text(`ALTER TABLE ${name.replace("_changes", "")} DROP COLUMN ref`);
  }
  await sql`DROP SEQUENCE platform_ads.row_numbers`;
  await sql`DROP INDEX platform_ads.begun_plans`;
  await sql`ALTER TABLE platform_ads.rollout_plans DROP COLUMN job_id, DROP COLUMN attempt`;
  await sql`ALTER TABLE platform_ads.days DROP COLUMN reporting, DROP COLUMN reporting_since`;
  await sql`DROP TABLE platform_ads.months, platform_ads.month_pulls, platform_ads.stream_objects CASCADE`;
  for (const name of WORKFLOWS) await sql.text(`DROP TABLE platform_ads.${name}`);
  await sql`UPDATE platform_ads.schema_version SET version = 9, views = 'older'`;
  await sql`DELETE FROM platform_ads.day_hashes`;
}
