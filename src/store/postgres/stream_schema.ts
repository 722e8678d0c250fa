import type { ColumnType } from "../../client/reports/file/report_row.ts";
import { COMMON_COLUMNS, DATASET_LAYOUTS, type DatasetLayout } from "../model/dataset_layout.ts";
import { REPORTED_LAYOUTS, reportedIndex } from "../model/reported_hours.ts";
import type { Sql } from "../tables/postgres_sql.ts";

export const STREAM_MIGRATION = `
  CREATE TABLE stream_accounts (
    advertiser_id text COLLATE "C" NOT NULL,
    marketplace_id text COLLATE "C" NOT NULL,
    profile_id text COLLATE "C" NOT NULL,
    time_zone text NOT NULL,
    PRIMARY KEY (advertiser_id, marketplace_id)
  );
  CREATE TABLE stream_rejected (
    id text COLLATE "C" PRIMARY KEY,
    message_id text NOT NULL,
    source text NOT NULL,
    received_at timestamptz NOT NULL,
    reason text NOT NULL,
    body text NOT NULL
  );
  CREATE TABLE stream_confirmations (
    url text COLLATE "C" PRIMARY KEY,
    topic text NOT NULL,
    sent_at text COLLATE "C" NOT NULL,
    received_at timestamptz NOT NULL,
    confirmed_at timestamptz
  );
  DO $$ BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'platform_ads_reader') THEN
      REVOKE ALL ON stream_confirmations FROM platform_ads_reader;
    END IF;
  END $$;
`;

export const OBJECTS_MIGRATION = `
  CREATE TABLE stream_objects (
    address text COLLATE "C" PRIMARY KEY,
    version text NOT NULL,
    read_at timestamptz NOT NULL
  );
`;

export const STREAM_TYPES: Readonly<Record<ColumnType | "json", string>> = {
  date: "date",
  text: `text COLLATE "C"`,
  integer: "bigint",
  real: "double precision",
  json: "json",
};

export async function prepareStream(
  sql: Sql,
  known: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<void> {
  for (const layout of DATASET_LAYOUTS) {
    const there = known.get(layout.table);
    if (there === undefined) await sql.text(createTable(layout));
    for (const { name, type } of there === undefined ? [] : layout.columns) {
      if (there?.has(name)) continue;
      await sql.text(`ALTER TABLE ${layout.table} ADD COLUMN "${name}" ${STREAM_TYPES[type]}`);
    }
    if (there !== undefined) continue;
    await sql.text(`CREATE INDEX ${layout.table}_days ON ${layout.table} (date)`);
    await sql.text(
      `CREATE INDEX ${layout.table}_unknown ON ${layout.table} (advertiser_id) WHERE profile_id = ''`,
    );
  }
  for (const layout of REPORTED_LAYOUTS) await sql.text(reportedIndex(layout));
}

function createTable({ table, columns }: DatasetLayout): string {
  const common = COMMON_COLUMNS.map(([name, type, required]) =>
    `${name} ${STREAM_TYPES[type]}${required ? " NOT NULL" : ""}`
  );
  const own = columns.map(({ name, type }) => `"${name}" ${STREAM_TYPES[type]}`);
  return `CREATE TABLE ${table} (${[...common, ...own, "extra json"].join(", ")}, PRIMARY KEY (id))`;
}
