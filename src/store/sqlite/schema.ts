import { COMMON_COLUMNS, DATASET_LAYOUTS, type DatasetLayout } from "../model/dataset_layout.ts";
import type { ReportLayout } from "../model/report_layout.ts";
import { REPORTED_LAYOUTS, reportedIndex } from "../model/reported_hours.ts";
import type { StoreView } from "../model/store_view.ts";
import { changesTable, versionColumns } from "../tables/kept_versions.ts";
import { sqlDialect, SQLITE_TYPES } from "../tables/sql_dialect.ts";
import { reportViews } from "../views/report_views.ts";
import { storeViews } from "../views/store_views.ts";
import type { DatabaseSync } from "node:sqlite";

export const APPLICATION_ID = 0x50414453;

const STREAM_MIGRATION = `
  CREATE TABLE stream_accounts (
    advertiser_id TEXT NOT NULL,
    marketplace_id TEXT NOT NULL,
    profile_id TEXT NOT NULL,
    time_zone TEXT NOT NULL,
    PRIMARY KEY (advertiser_id, marketplace_id)
  ) WITHOUT ROWID;
  CREATE TABLE stream_rejected (
    id TEXT NOT NULL PRIMARY KEY,
    message_id TEXT NOT NULL,
    source TEXT NOT NULL,
    received_at TEXT NOT NULL,
    reason TEXT NOT NULL,
    body TEXT NOT NULL
  );
  CREATE TABLE stream_confirmations (
    url TEXT NOT NULL PRIMARY KEY,
    topic TEXT NOT NULL,
    sent_at TEXT NOT NULL,
    received_at TEXT NOT NULL,
    confirmed_at TEXT
  );
`;

const OBJECTS_MIGRATION = `
  CREATE TABLE stream_objects (
    address TEXT NOT NULL PRIMARY KEY,
    version TEXT NOT NULL,
    read_at TEXT NOT NULL
  ) WITHOUT ROWID;
`;

const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE profiles (
    profile_id TEXT NOT NULL PRIMARY KEY,
    country_code TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE pulls (
    id INTEGER NOT NULL PRIMARY KEY,
    profile_id TEXT NOT NULL,
    report TEXT NOT NULL,
    start_date TEXT NOT NULL,
    end_date TEXT NOT NULL,
    rows INTEGER NOT NULL,
    report_ids TEXT NOT NULL,
    pulled_at TEXT NOT NULL
  );
  CREATE TABLE days (
    profile_id TEXT NOT NULL,
    report TEXT NOT NULL,
    date TEXT NOT NULL,
    rows INTEGER NOT NULL,
    pull_id INTEGER NOT NULL,
    pulled_at TEXT NOT NULL,
    PRIMARY KEY (profile_id, report, date)
  ) WITHOUT ROWID;
  CREATE TABLE report_requests (
    id TEXT NOT NULL PRIMARY KEY,
    profile_id TEXT NOT NULL,
    country_code TEXT NOT NULL,
    report TEXT NOT NULL,
    start_date TEXT NOT NULL,
    end_date TEXT NOT NULL,
    configuration TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    state TEXT NOT NULL,
    report_id TEXT,
    asked_at TEXT NOT NULL,
    changed_at TEXT NOT NULL,
    rows INTEGER,
    problem TEXT
  );
  CREATE UNIQUE INDEX open_requests ON report_requests (profile_id, fingerprint)
    WHERE state IN ('asking', 'building');
  CREATE INDEX unfinished_requests ON report_requests (profile_id, report) WHERE state <> 'stored';
  CREATE INDEX requests_by_time ON report_requests (asked_at);
  `,
  `
  ALTER TABLE days ADD COLUMN made_at TEXT;
  `,
  `
  ALTER TABLE days ADD COLUMN first_pulled_at TEXT;
  `,
  `
  CREATE TABLE entities (
    kind TEXT NOT NULL,
    profile_id TEXT NOT NULL,
    id TEXT NOT NULL,
    keyword_text TEXT,
    data TEXT NOT NULL,
    known_from INTEGER NOT NULL,
    PRIMARY KEY (kind, profile_id, id)
  ) WITHOUT ROWID;
  CREATE INDEX entity_keywords ON entities (keyword_text, profile_id) WHERE keyword_text IS NOT NULL;
  CREATE TABLE entities_history (
    kind TEXT NOT NULL,
    profile_id TEXT NOT NULL,
    id TEXT NOT NULL,
    keyword_text TEXT,
    data TEXT NOT NULL,
    known_from INTEGER NOT NULL,
    known_to INTEGER NOT NULL,
    PRIMARY KEY (kind, profile_id, id, known_from)
  ) WITHOUT ROWID;
  CREATE INDEX entity_history_keywords ON entities_history (keyword_text, profile_id)
    WHERE keyword_text IS NOT NULL;
  CREATE TRIGGER entities_closed BEFORE UPDATE ON entities BEGIN
    INSERT OR REPLACE INTO entities_history (kind, profile_id, id, keyword_text, data, known_from, known_to)
    VALUES (OLD.kind, OLD.profile_id, OLD.id, OLD.keyword_text, OLD.data, OLD.known_from, NEW.known_from);
  END;
  CREATE TABLE entity_pulls (
    profile_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    pulled_at TEXT NOT NULL,
    first_pulled_at TEXT NOT NULL,
    entities INTEGER NOT NULL,
    source TEXT NOT NULL,
    PRIMARY KEY (profile_id, kind)
  ) WITHOUT ROWID;
  CREATE TABLE maturity (
    report TEXT NOT NULL,
    country_code TEXT NOT NULL,
    metric TEXT NOT NULL,
    age INTEGER NOT NULL,
    share REAL NOT NULL,
    days INTEGER NOT NULL,
    judged_at TEXT NOT NULL,
    PRIMARY KEY (report, country_code, metric, age)
  ) WITHOUT ROWID;
  `,
  STREAM_MIGRATION,
  `
  CREATE TABLE day_hashes (
    profile_id TEXT NOT NULL,
    report TEXT NOT NULL,
    date TEXT NOT NULL,
    layout TEXT NOT NULL,
    hashes BLOB NOT NULL,
    PRIMARY KEY (profile_id, report, date)
  );
  `,
  // The number that a row was given last, by which its differences are found. Numbers are never given twice.
  `
  CREATE TABLE row_numbers (last INTEGER NOT NULL);
  INSERT INTO row_numbers (last) VALUES (0);
  `,
  // The reporting API of each day, and since when the day is stored from it; empty where it always was.
  `
  ALTER TABLE days ADD COLUMN reporting INTEGER;
  ALTER TABLE days ADD COLUMN reporting_since TEXT;
  UPDATE days SET reporting = 3 WHERE pull_id IN (SELECT id FROM pulls WHERE CAST(report_ids AS text) NOT LIKE '["file %' AND CAST(report_ids AS text) <> '[]');
  `,
  // Whole months by campaign, which reach back further than days do.
  `
  CREATE TABLE months (
    profile_id TEXT NOT NULL,
    date TEXT NOT NULL,
    ad_product TEXT NOT NULL,
    campaign_id TEXT NOT NULL,
    currency TEXT NOT NULL,
    impressions INTEGER NOT NULL,
    clicks INTEGER NOT NULL,
    cost REAL NOT NULL,
    orders INTEGER NOT NULL,
    sales REAL NOT NULL,
    PRIMARY KEY (profile_id, date, ad_product, campaign_id)
  ) WITHOUT ROWID;
  CREATE TABLE month_pulls (
    profile_id TEXT NOT NULL,
    date TEXT NOT NULL,
    rows INTEGER NOT NULL,
    pulled_at INTEGER NOT NULL,
    PRIMARY KEY (profile_id, date)
  ) WITHOUT ROWID;
  `,
  OBJECTS_MIGRATION,
  // Results of clean-room queries: versions of each query, its runs by window, and their rows.
  `
  CREATE TABLE workflow_versions (
    instance_id TEXT NOT NULL,
    workflow_id TEXT NOT NULL,
    version INTEGER NOT NULL,
    digest TEXT NOT NULL,
    sql TEXT NOT NULL,
    settings TEXT NOT NULL,
    first_used_at TEXT NOT NULL,
    used_at TEXT NOT NULL,
    PRIMARY KEY (instance_id, workflow_id, version)
  ) WITHOUT ROWID;
  CREATE TABLE workflow_runs (
    id TEXT NOT NULL PRIMARY KEY,
    instance_id TEXT NOT NULL,
    workflow_id TEXT NOT NULL,
    version INTEGER NOT NULL,
    parameters TEXT NOT NULL,
    zone TEXT NOT NULL,
    window_start TEXT NOT NULL,
    window_end TEXT NOT NULL,
    execution_id TEXT NOT NULL,
    rows INTEGER NOT NULL,
    withheld_rows INTEGER,
    withheld TEXT,
    stored_at TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE UNIQUE INDEX one_workflow_run ON workflow_runs
    (workflow_id, instance_id, window_start, window_end, zone, parameters, version);
  CREATE TABLE workflow_rows (
    run_id TEXT NOT NULL,
    number INTEGER NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (run_id, number)
  ) WITHOUT ROWID;
  CREATE TABLE workflow_views (
    workflow_id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    columns TEXT NOT NULL,
    statement TEXT NOT NULL
  ) WITHOUT ROWID;
  `,
];

export const SCHEMA_VERSION: number = MIGRATIONS.length;

export function schemaVersion(database: DatabaseSync): number {
  return Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
}

/** Migrates the schema. Also adds columns, because presets gain some over time. Call inside a transaction. */
export function migrate(database: DatabaseSync, layouts: readonly ReportLayout[]): void {
  const from = schemaVersion(database);
  for (const step of MIGRATIONS.slice(from)) database.exec(step);
  const views = storeViews(layouts, sqlDialect("SQLite"));
  for (const { name } of views) database.exec(`DROP VIEW IF EXISTS ${name}`);
  for (const layout of layouts) prepareReport(database, layout);
  prepareStream(database);
  for (const view of views) database.exec(viewStatement(view));
  database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}`);
}

export function isCurrent(database: DatabaseSync, layouts: readonly ReportLayout[]): boolean {
  if (schemaVersion(database) !== SCHEMA_VERSION) return false;
  const shown = new Map(
    database.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'view'").all()
      .map(({ name, sql }) => [name, sql]),
  );
  return storeViews(layouts, sqlDialect("SQLite")).every((view) =>
    shown.get(view.name) === viewStatement(view)
  );
}

export function typedReports(database: DatabaseSync): string[] {
  const tables = database.prepare(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'rows_*' AND name NOT GLOB '*_history'
       AND name NOT GLOB '*_changes'`,
  ).all();
  return tables.map(({ name }) => String(name).replace(/^rows_/, "")).sort();
}

export function addReport(database: DatabaseSync, layout: ReportLayout): void {
  prepareReport(database, layout);
  for (const view of reportViews(layout, sqlDialect("SQLite"))) {
    database.exec(`DROP VIEW IF EXISTS ${view.name}; ${viewStatement(view)}`);
  }
}

function viewStatement({ name, sql }: StoreView): string {
  return `CREATE VIEW ${name} AS ${sql.trim()}`;
}

const CURRENT = { known_from: "INTEGER NOT NULL DEFAULT 0", ref: "INTEGER" };
const CLOSED = { known_from: "INTEGER NOT NULL DEFAULT 0", known_to: "INTEGER NOT NULL DEFAULT 0" };

function prepareReport(database: DatabaseSync, layout: ReportLayout): void {
  const { table } = layout;
  prepareTable(database, table, columnsOfRows(layout, CURRENT), primaryKey(layout));
  prepareTable(
    database,
    `${table}_history`,
    columnsOfRows(layout, CLOSED),
    `${primaryKey(layout)}, known_from`,
  );
  prepareTable(database, changesTable(layout), columnsOfChanges(layout), "ref, known_from");
  // Releases before the differences kept whole versions by it.
  database.exec(`DROP TRIGGER IF EXISTS ${table}_closed`);
}

function prepareTable(
  database: DatabaseSync,
  table: string,
  columns: readonly (readonly [name: string, type: string])[],
  key: string,
): void {
  const known = columnsOf(database, table);
  if (known.size === 0) {
    const lines = columns.map(([name, type]) => `"${name}" ${type}`);
    database.exec(`CREATE TABLE ${table} (${lines.join(", ")}, PRIMARY KEY (${key})) WITHOUT ROWID`);
    return;
  }
  for (const [name, type] of columns) {
    if (known.has(name)) continue;
    database.exec(`ALTER TABLE ${table} ADD COLUMN "${name}" ${type.replace(/ NOT NULL$/, "")}`);
  }
}

function primaryKey({ columns }: ReportLayout): string {
  const key = columns.filter((column) => column.key).map(({ name }) => `"${name}"`);
  return ["profile_id", ...key, "repeat"].join(", ");
}

function columnsOfRows(
  { columns }: ReportLayout,
  times: Readonly<Record<string, string>>,
): (readonly [string, string])[] {
  return [
    ["profile_id", "TEXT NOT NULL"],
    ...columns.map(({ name, type, key }) =>
      [name, `${SQLITE_TYPES[type]}${key ? " NOT NULL" : ""}`] as const
    ),
    ["extra", "TEXT"],
    ["repeat", "INTEGER NOT NULL"],
    ...Object.entries(times),
  ];
}

function columnsOfChanges(layout: ReportLayout): (readonly [string, string])[] {
  return [
    ["ref", "INTEGER NOT NULL"],
    ["known_from", "INTEGER NOT NULL"],
    ["known_to", "INTEGER NOT NULL"],
    ...versionColumns(layout).map(({ name, type }) => [name, SQLITE_TYPES[type]] as const),
    ["emptied", "TEXT"],
  ];
}

const STREAM_TYPES = { ...SQLITE_TYPES, json: "TEXT" };

function prepareStream(database: DatabaseSync): void {
  for (const layout of DATASET_LAYOUTS) {
    const known = columnsOf(database, layout.table);
    if (known.size === 0) database.exec(createStreamTable(layout));
    for (const { name, type } of known.size === 0 ? [] : layout.columns) {
      if (known.has(name)) continue;
      database.exec(`ALTER TABLE ${layout.table} ADD COLUMN "${name}" ${STREAM_TYPES[type]}`);
    }
  }
  for (const layout of REPORTED_LAYOUTS) database.exec(reportedIndex(layout));
}

function createStreamTable({ table, columns }: DatasetLayout): string {
  const common = COMMON_COLUMNS.map(([name, type, required]) =>
    `${name} ${STREAM_TYPES[type]}${required ? " NOT NULL" : ""}`
  );
  const own = columns.map(({ name, type }) => `"${name}" ${STREAM_TYPES[type]}`);
  return `
    CREATE TABLE ${table} (${[...common, ...own, "extra TEXT"].join(", ")}, PRIMARY KEY (id));
    CREATE INDEX ${table}_days ON ${table} (date);
    CREATE INDEX ${table}_unknown ON ${table} (advertiser_id) WHERE profile_id = '';
  `;
}

function columnsOf(database: DatabaseSync, table: string): Set<string> {
  const rows = database.prepare("SELECT name FROM pragma_table_info(?)").all(table);
  return new Set(rows.map((row) => String(row["name"])));
}
