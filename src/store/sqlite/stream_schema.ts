import type { DatabaseSync } from "node:sqlite";
import type { ColumnType } from "../../client/reports/file/report_row.ts";
import { DATASET_LAYOUTS, type DatasetLayout } from "../model/dataset_layout.ts";
import { REPORTED_LAYOUTS, reportedIndex } from "../model/reported_hours.ts";
import { COMMON_COLUMNS } from "../model/stream_columns.ts";

export const STREAM_MIGRATION = `
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

export const OBJECTS_MIGRATION = `
  CREATE TABLE stream_objects (
    address TEXT NOT NULL PRIMARY KEY,
    version TEXT NOT NULL,
    read_at TEXT NOT NULL
  ) WITHOUT ROWID;
`;

const TYPES: Readonly<Record<ColumnType | "json", string>> = {
  date: "TEXT",
  text: "TEXT",
  integer: "INTEGER",
  real: "REAL",
  json: "TEXT",
};

export function prepareStream(database: DatabaseSync): void {
  for (const layout of DATASET_LAYOUTS) {
    const known = new Set(
      database.prepare("SELECT name FROM pragma_table_info(?)").all(layout.table).map(({ name }) => name),
    );
    if (known.size === 0) database.exec(createTable(layout));
    for (const { name, type } of known.size === 0 ? [] : layout.columns) {
      if (!known.has(name)) database.exec(`ALTER TABLE ${layout.table} ADD COLUMN "${name}" ${TYPES[type]}`);
    }
  }
  for (const layout of REPORTED_LAYOUTS) database.exec(reportedIndex(layout));
}

function createTable({ table, columns }: DatasetLayout): string {
  const common = COMMON_COLUMNS.map(([name, type, required]) =>
    `${name} ${TYPES[type]}${required ? " NOT NULL" : ""}`
  );
  const own = columns.map(({ name, type }) => `"${name}" ${TYPES[type]}`);
  return `
    CREATE TABLE ${table} (${[...common, ...own, "extra TEXT"].join(", ")}, PRIMARY KEY (id));
    CREATE INDEX ${table}_days ON ${table} (date);
    CREATE INDEX ${table}_unknown ON ${table} (advertiser_id) WHERE profile_id = '';
  `;
}
