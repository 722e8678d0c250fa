import type { DatabaseSync } from "node:sqlite";
import { REPORT_PRESET_NAMES } from "../../reports/presets.ts";
import { type ReportLayout, reportLayout } from "../report_layout.ts";

/** Marks an SQLite file as a store: "PADS". */
export const APPLICATION_ID = 0x50414453;

/** What brings a file from one version of the schema to the next; the first makes it. Never changed, only added to. */
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
];

/** The version of the schema that this program writes. */
export const SCHEMA_VERSION: number = MIGRATIONS.length;

/**
 * Brings the file to this program's schema: the migrations it lacks, then a table, a view and all columns of every
 * report, for presets gain columns over time. Called inside a transaction.
 */
export function migrate(database: DatabaseSync): void {
  const from = Number(database.prepare("PRAGMA user_version").get()!["user_version"]);
  for (const step of MIGRATIONS.slice(from)) database.exec(step);
  for (const report of REPORT_PRESET_NAMES) prepareReport(database, reportLayout(report));
  if (from !== SCHEMA_VERSION) {
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}`);
  }
}

/** True when nothing needs to be done to the file. */
export function isCurrent(database: DatabaseSync): boolean {
  const version = Number(database.prepare("PRAGMA user_version").get()!["user_version"]);
  if (version !== SCHEMA_VERSION) return false;
  return REPORT_PRESET_NAMES.every((report) => {
    const layout = reportLayout(report);
    const known = columnsOf(database, layout.view);
    return known.size > 0 && layout.columns.every(({ name }) => known.has(name));
  });
}

function prepareReport(database: DatabaseSync, layout: ReportLayout): void {
  const known = columnsOf(database, layout.table);
  if (known.size === 0) database.exec(createTable(layout));
  else {
    for (const { name, type } of layout.columns) {
      if (!known.has(name)) {
        database.exec(`ALTER TABLE ${layout.table} ADD COLUMN "${name}" ${type.toUpperCase()}`);
      }
    }
  }
  const columns = layout.columns.map(({ name }) => `, rows."${name}"`).join("");
  database.exec(`
    DROP VIEW IF EXISTS ${layout.view};
    CREATE VIEW ${layout.view} AS
      SELECT profiles.country_code, rows.profile_id${columns}, rows.extra
      FROM ${layout.table} AS rows LEFT JOIN profiles ON profiles.profile_id = rows.profile_id`);
}

function createTable({ table, columns }: ReportLayout): string {
  const lines = columns.map(({ name, type, key }) =>
    `"${name}" ${type.toUpperCase()}${key ? " NOT NULL" : ""}`
  );
  const key = columns.filter((column) => column.key).map(({ name }) => `"${name}"`);
  return `
    CREATE TABLE ${table} (
      profile_id TEXT NOT NULL,
      ${lines.join(",\n      ")},
      extra TEXT,
      repeat INTEGER NOT NULL,
      PRIMARY KEY (profile_id, ${key.join(", ")}, repeat)
    ) WITHOUT ROWID`;
}

function columnsOf(database: DatabaseSync, table: string): Set<string> {
  const rows = database.prepare("SELECT name FROM pragma_table_info(?)").all(table);
  return new Set(rows.map((row) => String(row["name"])));
}
