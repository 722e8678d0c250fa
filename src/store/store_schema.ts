import type { ColumnType } from "../reports/column_type.ts";
import { REPORT_PRESET_NAMES, REPORT_PRESETS, type ReportPresetName } from "../reports/presets.ts";
import { columnMeaning } from "./column_meaning.ts";
import { reportLayout } from "./report_layout.ts";

/** A column that can be queried. */
export interface SchemaColumn {
  /** Name; one with capitals is quoted on PostgreSQL. */
  readonly name: string;
  /** What it holds; `time` is ISO 8601 text on SQLite and `timestamptz` on PostgreSQL. */
  readonly type: ColumnType | "json" | "time";
  /** A sentence for the reader: content, unit, source. */
  readonly meaning: string;
}

/** A table or view that can be queried. */
export interface SchemaTable {
  /** As it is written in SQL. */
  readonly name: string;
  /** What a row stands for. */
  readonly about: string;
  /** Columns, in order. */
  readonly columns: readonly SchemaColumn[];
  /** Queries to begin with, for SQLite and PostgreSQL alike. */
  readonly examples: readonly string[];
}

const PROFILE: SchemaColumn = { name: "profile_id", type: "text", meaning: "profile" };
const COUNTRY: SchemaColumn = { name: "country_code", type: "text", meaning: "country of the profile" };
const REPORT: SchemaColumn = { name: "report", type: "text", meaning: "name of the report" };

/**
 * What can be queried in a store: a view for each report, then what the store keeps about them.
 *
 * @example
 * ```ts
 * import { storeSchema } from "@platform/ads/store";
 *
 * for (const { name, columns } of storeSchema()) console.log(name, columns.length);
 * ```
 */
export function storeSchema(): SchemaTable[] {
  const views = REPORT_PRESET_NAMES.map(reportView);
  return [...views, ...views.map(historyView), ...TABLES];
}

function reportView(report: ReportPresetName): SchemaTable {
  const { view, columns } = reportLayout(report);
  const { adProduct, reportTypeId, key } = REPORT_PRESETS[report];
  const metric = columns.some(({ name }) => name === "cost") ? "cost" : "sales14d";
  return {
    name: view,
    about: `${adProduct} ${reportTypeId}: a row for each day and ${key.join(", ")}`,
    columns: [
      COUNTRY,
      PROFILE,
      ...columns.map(({ name, type }) => ({ name, type, meaning: columnMeaning(name) })),
      {
        name: "extra",
        type: "json",
        meaning: "what the platform reported besides, or what does not fit its column",
      },
    ],
    examples: [
      `SELECT date, sum(${metric}) AS ${metric} FROM ${view} GROUP BY date ORDER BY date`,
      `SELECT "${
        key[0]
      }", sum(${metric}) AS ${metric} FROM ${view} WHERE date >= '2026-10-01' GROUP BY 1 ORDER BY 2 DESC LIMIT 20`,
    ],
  };
}

function historyView({ name, columns }: SchemaTable): SchemaTable {
  return {
    name: `${name}_history`,
    about: `Every version of the rows of ${name}`,
    columns: [
      ...columns,
      {
        name: "known_from",
        type: "time",
        meaning: "when the version became known; 1970 for rows of older releases",
      },
      {
        name: "known_to",
        type: "time",
        meaning: "when another version took its place; empty for what is known now",
      },
    ],
    examples: [
      `SELECT date, count(*) AS versions FROM ${name}_history GROUP BY date ORDER BY 2 DESC LIMIT 10`,
    ],
  };
}

const TABLES: readonly SchemaTable[] = [
  {
    name: "days",
    about: "A row for each day of a report that is stored whole",
    columns: [
      PROFILE,
      REPORT,
      { name: "date", type: "date", meaning: "day, in the time zone of the profile" },
      { name: "rows", type: "integer", meaning: "rows of the day" },
      { name: "pull_id", type: "text", meaning: "the pull that stored it" },
      { name: "pulled_at", type: "time", meaning: "when it was stored" },
      { name: "made_at", type: "time", meaning: "when the platform made the report" },
      { name: "first_pulled_at", type: "time", meaning: "when the day was stored for the first time" },
    ],
    examples: ["SELECT report, count(*) AS days, sum(rows) AS rows FROM days GROUP BY report"],
  },
  {
    name: "pulls",
    about: "A row for each replacement of days",
    columns: [
      { name: "id", type: "text", meaning: "id of the pull" },
      PROFILE,
      REPORT,
      { name: "start_date", type: "date", meaning: "first day" },
      { name: "end_date", type: "date", meaning: "last day" },
      { name: "rows", type: "integer", meaning: "rows that were stored" },
      { name: "report_ids", type: "json", meaning: "the platform's ids of the reports" },
      { name: "pulled_at", type: "time", meaning: "when" },
    ],
    examples: ["SELECT * FROM pulls ORDER BY pulled_at DESC LIMIT 10"],
  },
  {
    name: "profiles",
    about: "A row for each profile whose reports are stored",
    columns: [PROFILE, COUNTRY],
    examples: ["SELECT * FROM profiles"],
  },
  {
    name: "report_requests",
    about: "The ledger: a row for each report that sync requested",
    columns: [
      { name: "id", type: "text", meaning: "id of the entry" },
      PROFILE,
      COUNTRY,
      REPORT,
      { name: "start_date", type: "date", meaning: "first day" },
      { name: "end_date", type: "date", meaning: "last day" },
      { name: "configuration", type: "json", meaning: "what was requested" },
      { name: "fingerprint", type: "text", meaning: "equal for two requests that ask for the same" },
      { name: "state", type: "text", meaning: "asking, building, stored, held, failed or dropped" },
      { name: "report_id", type: "text", meaning: "the platform's id" },
      { name: "asked_at", type: "time", meaning: "when it was requested" },
      { name: "changed_at", type: "time", meaning: "when the entry last changed" },
      { name: "rows", type: "integer", meaning: "rows that were stored" },
      { name: "problem", type: "text", meaning: "why it is not stored" },
    ],
    examples: ["SELECT state, count(*) AS requests FROM report_requests GROUP BY state"],
  },
];
