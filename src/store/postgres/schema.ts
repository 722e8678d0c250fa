import { sha256 } from "../../base/text/sha256.ts";
import { StoreError } from "../model/store_error.ts";
import { type ReportLayout, storedLayouts } from "../model/report_layout.ts";
import { reportViews } from "../views/report_views.ts";
import { sqlDialect } from "../tables/sql_dialect.ts";
import type { StoreView } from "../model/store_view.ts";
import { storeViews } from "../views/store_views.ts";
import { SCHEMA, type Sql } from "../tables/postgres_sql.ts";
import type { Database } from "./database.ts";
import { DAY_HASHES_MIGRATION } from "./day_hashes.ts";
import { prepareReport } from "./report_tables.ts";
import { OBJECTS_MIGRATION, prepareStream, STREAM_MIGRATION } from "./stream_schema.ts";

const MIGRATION_LOCK = 0x50414453;

/** Migrations between schema versions. Never changed, only added to. */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE profiles (
    profile_id text COLLATE "C" PRIMARY KEY,
    country_code text NOT NULL
  );
  CREATE TABLE pulls (
    profile_id text COLLATE "C" NOT NULL,
    id uuid NOT NULL,
    report text NOT NULL,
    start_date date NOT NULL,
    end_date date NOT NULL,
    rows bigint NOT NULL,
    report_ids json NOT NULL,
    pulled_at timestamptz NOT NULL,
    PRIMARY KEY (profile_id, id)
  );
  CREATE TABLE days (
    profile_id text COLLATE "C" NOT NULL,
    report text COLLATE "C" NOT NULL,
    date date NOT NULL,
    rows bigint NOT NULL,
    pull_id uuid NOT NULL,
    pulled_at timestamptz NOT NULL,
    PRIMARY KEY (profile_id, report, date)
  );
  CREATE TABLE report_requests (
    profile_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    country_code text NOT NULL,
    report text NOT NULL,
    start_date date NOT NULL,
    end_date date NOT NULL,
    configuration json NOT NULL,
    fingerprint text NOT NULL,
    state text NOT NULL,
    report_id text,
    asked_at timestamptz NOT NULL,
    changed_at timestamptz NOT NULL,
    rows bigint,
    problem text,
    PRIMARY KEY (profile_id, id)
  );
  CREATE UNIQUE INDEX open_requests ON report_requests (profile_id, fingerprint)
    WHERE state IN ('asking', 'building');
  CREATE INDEX unfinished_requests ON report_requests (profile_id, report) WHERE state <> 'stored';
  CREATE INDEX requests_by_time ON report_requests (asked_at);
  `,
  `
  CREATE TABLE workers (
    id text PRIMARY KEY,
    pool_id text NOT NULL,
    host text NOT NULL,
    process_id bigint NOT NULL,
    started_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    state text NOT NULL,
    rows bigint NOT NULL DEFAULT 0
  );
  CREATE TABLE sync_leases (
    profile_id text COLLATE "C" NOT NULL,
    report text COLLATE "C" NOT NULL,
    worker_id text NOT NULL,
    taken_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (profile_id, report)
  );
  CREATE TABLE cool_downs (
    credential text PRIMARY KEY,
    until timestamptz NOT NULL
  );
  CREATE TABLE report_pace (
    credential text PRIMARY KEY,
    seconds double precision NOT NULL,
    next_at timestamptz NOT NULL,
    slowed_at timestamptz NOT NULL
  );
  CREATE TABLE schedules (
    id text PRIMARY KEY,
    cron text NOT NULL,
    selection json NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT now()
  );
  `,
  `
  ALTER TABLE days ADD COLUMN made_at timestamptz;
  `,
  `
  ALTER TABLE days ADD COLUMN first_pulled_at timestamptz;
  `,
  `
  CREATE TABLE entities (
    kind text COLLATE "C" NOT NULL,
    profile_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    keyword_text text COLLATE "C",
    data json NOT NULL,
    known_from bigint NOT NULL,
    PRIMARY KEY (kind, profile_id, id)
  );
  CREATE INDEX entity_keywords ON entities (keyword_text, profile_id) WHERE keyword_text IS NOT NULL;
  CREATE TABLE entities_history (
    kind text COLLATE "C" NOT NULL,
    profile_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    keyword_text text COLLATE "C",
    data json NOT NULL,
    known_from bigint NOT NULL,
    known_to bigint NOT NULL,
    PRIMARY KEY (kind, profile_id, id, known_from)
  );
  CREATE INDEX entity_history_keywords ON entities_history (keyword_text, profile_id)
    WHERE keyword_text IS NOT NULL;
  CREATE TABLE entity_pulls (
    profile_id text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    pulled_at timestamptz NOT NULL,
    first_pulled_at timestamptz NOT NULL,
    entities bigint NOT NULL,
    source text NOT NULL,
    PRIMARY KEY (profile_id, kind)
  );
  CREATE TABLE maturity (
    report text COLLATE "C" NOT NULL,
    country_code text COLLATE "C" NOT NULL,
    metric text COLLATE "C" NOT NULL,
    age integer NOT NULL,
    share double precision NOT NULL,
    days bigint NOT NULL,
    judged_at timestamptz NOT NULL,
    PRIMARY KEY (report, country_code, metric, age)
  );
  ALTER TABLE schema_version ADD COLUMN views text;
  `,
  `
  DROP TABLE IF EXISTS cool_downs;
  DROP TABLE IF EXISTS report_pace;
  CREATE TABLE paces (
    credential text PRIMARY KEY,
    state json NOT NULL
  ) WITH (fillfactor = 20);
  `,
  `
  CREATE TABLE rollouts (
    id text PRIMARY KEY,
    note text,
    options json NOT NULL,
    state text NOT NULL,
    stopped text,
    changed_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE TABLE rollout_plans (
    plan_id text PRIMARY KEY,
    rollout_id text NOT NULL REFERENCES rollouts,
    place integer NOT NULL,
    profile_id text NOT NULL,
    country_code text NOT NULL,
    fingerprint text NOT NULL,
    plan text NOT NULL,
    approved_by text,
    approval text,
    state text NOT NULL,
    stage integer,
    worker_id text,
    summary text,
    result text,
    rollback_id text,
    rollback text,
    changed_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX plans_of_rollout ON rollout_plans (rollout_id, place);
  CREATE TABLE plan_journals (
    plan_id text NOT NULL REFERENCES rollout_plans,
    id bigint GENERATED ALWAYS AS IDENTITY,
    line text NOT NULL,
    text text NOT NULL,
    PRIMARY KEY (plan_id, line)
  );
  CREATE TABLE drift_runs (
    profile_id text NOT NULL,
    country_code text NOT NULL,
    ran_at timestamptz NOT NULL,
    since timestamptz NOT NULL,
    by_plan bigint NOT NULL,
    by_platform bigint NOT NULL,
    by_other bigint NOT NULL,
    entries json NOT NULL,
    PRIMARY KEY (profile_id, ran_at)
  );
  DO $$ BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'platform_ads_reader') THEN
      REVOKE ALL ON rollouts, rollout_plans, plan_journals FROM platform_ads_reader;
    END IF;
  END $$;
  `,
  STREAM_MIGRATION,
  DAY_HASHES_MIGRATION,
  // Numbers of rows, by which their differences are found.
  `
  CREATE SEQUENCE row_numbers;
  `,
  // The attempt that holds a plan of a rollout.
  `
  ALTER TABLE rollout_plans ADD COLUMN job_id bigint, ADD COLUMN attempt integer;
  CREATE INDEX begun_plans ON rollout_plans (rollout_id) WHERE state IN ('queued', 'running');
  `,
  // Reporting API that each day came from, and since when; empty if it never changed.
  `
  ALTER TABLE days ADD COLUMN reporting integer, ADD COLUMN reporting_since timestamptz;
  UPDATE days SET reporting = 3 WHERE pull_id IN (SELECT id FROM pulls WHERE CAST(report_ids AS text) NOT LIKE '["file %' AND CAST(report_ids AS text) <> '[]');
  `,
  // Whole months by campaign, which reach back further than days do.
  `
  CREATE TABLE months (
    profile_id text COLLATE "C" NOT NULL,
    date date NOT NULL,
    ad_product text COLLATE "C" NOT NULL,
    campaign_id text COLLATE "C" NOT NULL,
    currency text NOT NULL,
    impressions bigint NOT NULL,
    clicks bigint NOT NULL,
    cost double precision NOT NULL,
    orders bigint NOT NULL,
    sales double precision NOT NULL,
    PRIMARY KEY (profile_id, date, ad_product, campaign_id)
  );
  CREATE TABLE month_pulls (
    profile_id text COLLATE "C" NOT NULL,
    date date NOT NULL,
    rows bigint NOT NULL,
    pulled_at bigint NOT NULL,
    PRIMARY KEY (profile_id, date)
  );
  `,
  OBJECTS_MIGRATION,
  // Results of clean-room queries: versions of each query, its runs by window, and their rows.
  `
  CREATE TABLE workflow_versions (
    instance_id text COLLATE "C" NOT NULL,
    workflow_id text COLLATE "C" NOT NULL,
    version integer NOT NULL,
    digest text NOT NULL,
    sql text NOT NULL,
    settings json NOT NULL,
    first_used_at timestamptz NOT NULL,
    used_at timestamptz NOT NULL,
    PRIMARY KEY (instance_id, workflow_id, version)
  );
  CREATE TABLE workflow_runs (
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    instance_id text COLLATE "C" NOT NULL,
    workflow_id text COLLATE "C" NOT NULL,
    version integer NOT NULL,
    parameters text COLLATE "C" NOT NULL,
    zone text COLLATE "C" NOT NULL,
    window_start date NOT NULL,
    window_end date NOT NULL,
    execution_id text COLLATE "C" NOT NULL,
    rows bigint NOT NULL,
    withheld_rows bigint,
    withheld json,
    stored_at timestamptz NOT NULL
  );
  CREATE UNIQUE INDEX one_workflow_run ON workflow_runs
    (workflow_id, instance_id, window_start, window_end, zone, parameters, version);
  CREATE TABLE workflow_rows (
    run_id text COLLATE "C" NOT NULL,
    number bigint NOT NULL,
    data json NOT NULL,
    PRIMARY KEY (run_id, number)
  );
  CREATE TABLE workflow_views (
    workflow_id text COLLATE "C" NOT NULL PRIMARY KEY,
    name text COLLATE "C" NOT NULL UNIQUE,
    columns json NOT NULL,
    statement text NOT NULL
  );
  `,
];

export const SCHEMA_VERSION: number = MIGRATIONS.length;

/**
 * Migrates the schema. Safe for concurrent processes: one migrates, the others wait.
 *
 * @param onOlder Called after migrating a database of an older release.
 * @returns Layouts of the stored reports.
 * @throws {StoreError} when the database is from a newer release.
 */
export async function migrate(database: Database, onOlder?: () => void): Promise<readonly ReportLayout[]> {
  const layouts = await layoutsIn(database.sql);
  if (await isCurrent(database.sql, layouts)) return layouts;
  const before = await database.transaction(async (sql) => {
    await sql`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`;
    const from = await versionOf(sql);
    if (from === 0) await makeSchema(sql);
    for (const step of MIGRATIONS.slice(from)) await sql.text(step);
    const known = await columnsOf(sql);
    const views = storeViews(layouts, sqlDialect("PostgreSQL"));
    for (const { name } of views.toReversed()) await sql.text(`DROP VIEW IF EXISTS ${name}`);
    for (const layout of layouts) await prepareReport(sql, layout, known);
    await prepareStream(sql, known);
    for (const { name, sql: shown } of views) await sql.text(`CREATE VIEW ${name} AS ${shown}`);
    await sql`UPDATE schema_version SET version = ${SCHEMA_VERSION}, views = ${fingerprint(views)}`;
    return from;
  });
  if (before > 0 && before < SCHEMA_VERSION) onOlder?.();
  return layouts;
}

export async function underMigrationLock<T>(database: Database, work: () => Promise<T>): Promise<T> {
  return await database.withSession(async (sql) => {
    await sql`SELECT pg_advisory_lock(${MIGRATION_LOCK})`;
    try {
      return await work();
    } finally {
      await sql`SELECT pg_advisory_unlock(${MIGRATION_LOCK})`.catch(() => {});
    }
  });
}

async function isCurrent(sql: Sql, layouts: readonly ReportLayout[]): Promise<boolean> {
  const version = await versionOf(sql);
  if (version > SCHEMA_VERSION) {
    throw new StoreError(
      `Cannot open the store: its schema is version ${version}, made by a newer release. This program ` +
        `supports ${SCHEMA_VERSION}. Update the program`,
    );
  }
  if (version < SCHEMA_VERSION) return false;
  const [row] = await sql`SELECT views FROM schema_version`;
  return row?.["views"] === fingerprint(storeViews(layouts, sqlDialect("PostgreSQL")));
}

/** Layouts of the stored reports: all presets, and the types added to them. */
export async function layoutsIn(sql: Sql): Promise<ReportLayout[]> {
  const tables = await sql`
    SELECT relname FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE nspname = ${SCHEMA} AND relkind = 'p' AND relname LIKE 'rows\\_%'
      AND relname NOT LIKE '%\\_history' AND relname NOT LIKE '%\\_changes'`;
  return await storedLayouts(tables.map(({ relname }) => String(relname).replace(/^rows_/, "")).sort());
}

export async function addReport(database: Database, layout: ReportLayout): Promise<void> {
  await database.transaction(async (sql) => {
    await sql`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`;
    await prepareReport(sql, layout, await columnsOf(sql));
    for (const { name, sql: shown } of reportViews(layout, sqlDialect("PostgreSQL"))) {
      await sql.text(`CREATE OR REPLACE VIEW ${name} AS ${shown}`);
    }
    const layouts = await layoutsIn(sql);
    const views = fingerprint(storeViews(layouts, sqlDialect("PostgreSQL")));
    await sql`UPDATE schema_version SET views = ${views}`;
  });
}

/** The server rewrites the SQL of views, so a hash of the source is stored with the version. */
function fingerprint(views: readonly StoreView[]): string {
  return sha256(views.map(({ name, sql }) => `${name} ${sql}`).join("\n"));
}

async function versionOf(sql: Sql): Promise<number> {
  const there = await sql`
    SELECT 1 FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE nspname = ${SCHEMA} AND relname = 'schema_version'`;
  if (there.length === 0) return 0;
  const [row] = await sql`SELECT version FROM schema_version`;
  return Number(row?.["version"]);
}

async function makeSchema(sql: Sql): Promise<void> {
  const there = await sql`SELECT 1 FROM pg_namespace WHERE nspname = ${SCHEMA}`;
  if (there.length === 0) await sql.text(`CREATE SCHEMA ${SCHEMA}`);
  await sql.text("CREATE TABLE schema_version (version integer NOT NULL)");
  await sql.text("INSERT INTO schema_version (version) VALUES (0)");
}

async function columnsOf(sql: Sql): Promise<Map<string, Set<string>>> {
  const rows = await sql`
    SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = ${SCHEMA}`;
  const columns = new Map<string, Set<string>>();
  for (const row of rows) {
    const table = String(row["table_name"]);
    columns.set(table, (columns.get(table) ?? new Set()).add(String(row["column_name"])));
  }
  return columns;
}
