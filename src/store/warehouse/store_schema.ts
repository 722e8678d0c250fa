import { REPORT_PRESET_NAMES } from "../../client/reports/requests/presets.ts";
import { DATASET_LAYOUTS, type DatasetColumn, type DatasetLayout } from "../model/dataset_layout.ts";
import { type ReportLayout, reportLayout } from "../model/report_layout.ts";
import type { SchemaColumn, SchemaTable } from "../model/schema_table.ts";
import { ENTITY_LAYOUTS, type EntityLayout } from "../tables/entity_layout.ts";
import { READY_TABLES } from "../views/ready_tables.ts";
import { viewColumn } from "../views/view_columns.ts";
import { columnMeaning } from "./column_meaning.ts";

const PROFILE: SchemaColumn = { name: "profile_id", type: "text", meaning: "profile" };
const COUNTRY: SchemaColumn = { name: "country_code", type: "text", meaning: "country of the profile" };
const REPORT: SchemaColumn = { name: "report", type: "text", meaning: "name of the report" };

/**
 * Queryable tables of a store: the ready views, a view for each report and each kind of entity, the history of both,
 * the hourly stream, then the store's own records about them.
 *
 * @example
 * ```ts
 * import { storeSchema } from "@platform/ads/store";
 *
 * for (const { name, columns } of storeSchema()) console.log(name, columns.length);
 * ```
 */
export function storeSchema(
  layouts: readonly ReportLayout[] = REPORT_PRESET_NAMES.map(reportLayout),
): SchemaTable[] {
  const reports = layouts.map(reportView);
  const entities = ENTITY_LAYOUTS.map(entityView);
  const histories = [...reports, ...entities].map(historyView);
  return [...READY_TABLES, ...reports, ...entities, ...histories, ...streamSchema(), ...TABLES];
}

function reportView({ view, columns, source }: ReportLayout): SchemaTable {
  const { adProduct, reportTypeId, key } = source;
  const measured =
    ["cost", "sales14d", "impressions"].find((name) => columns.some((each) => each.name === name)) ??
      columns.find(({ type }) => type !== "text" && type !== "date")?.name ?? "1";
  const metric = /^\d./.test(measured) ? `"${viewColumn(measured)}"` : viewColumn(measured);
  return {
    name: view,
    about: `${adProduct} ${reportTypeId}: a row for each day and ${key.map(viewColumn).join(", ")}`,
    columns: [
      COUNTRY,
      PROFILE,
      ...columns.map(({ name, type }) => ({ name: viewColumn(name), type, meaning: columnMeaning(name) })),
      {
        name: "extra",
        type: "json",
        meaning: "other reported fields, and values that do not fit their column",
      },
    ],
    examples: [
      `SELECT date, sum(${metric}) AS ${metric} FROM ${view} GROUP BY date ORDER BY date`,
      `SELECT ${
        viewColumn(key[0] ?? "date")
      }, sum(${metric}) AS ${metric} FROM ${view} WHERE date >= '2026-10-01' GROUP BY 1 ORDER BY 2 DESC LIMIT 20`,
    ],
  };
}

function entityView({ kind, view, plural, idField, columns, hasKeywordText }: EntityLayout): SchemaTable {
  return {
    name: view,
    about: `${plural[0]?.toUpperCase()}${plural.slice(1)} as they were read last (${kind})`,
    columns: [
      COUNTRY,
      PROFILE,
      { name: viewColumn(idField), type: "text", meaning: "its id, as in reports" },
      ...columns.map(({ name, type }): SchemaColumn => ({
        name: viewColumn(name),
        type: type === "number" ? "real" : "text",
        meaning: entityFieldMeaning(name),
      })),
      ...hasKeywordText
        ? [
          {
            name: "keyword_text",
            type: "text",
            meaning: "the text in lower case, like search terms",
          } as const,
        ]
        : [],
      { name: "data", type: "json", meaning: "all fields as returned by the platform" },
    ],
    examples: [`SELECT state, count(*) AS entities FROM ${view} GROUP BY state`],
  };
}

function entityFieldMeaning(name: string): string {
  return ENTITY_MEANINGS[name] ?? columnMeaning(name);
}

const ENTITY_MEANINGS: Readonly<Record<string, string>> = {
  state: "enabled, paused or archived",
  bid: "bid now, in the currency of the profile; empty if the ad group's default applies",
  defaultBid: "bid of keywords and targets without one of their own",
  budget: "budget now, in the currency of the profile",
  amount: "budget now, in currencyCode",
  expression: "targeting expression, as JSON",
  expressions: "targeting expressions, as JSON",
  name: "name",
};

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
        meaning: "when another version replaced it; empty for the current version",
      },
    ],
    examples: [
      columns.some((column) => column.name === "date")
        ? `SELECT date, count(*) AS versions FROM ${name}_history GROUP BY date ORDER BY 2 DESC LIMIT 10`
        : `SELECT * FROM ${name}_history ORDER BY known_from DESC LIMIT 10`,
    ],
  };
}

const TABLES: readonly SchemaTable[] = [
  {
    name: "days",
    about: "A row for each completely stored day of a report",
    columns: [
      PROFILE,
      REPORT,
      { name: "date", type: "date", meaning: "day, in the time zone of the profile" },
      { name: "rows", type: "integer", meaning: "rows of the day" },
      { name: "pull_id", type: "text", meaning: "the pull that stored it" },
      { name: "pulled_at", type: "time", meaning: "when it was stored" },
      { name: "made_at", type: "time", meaning: "when the platform made the report" },
      { name: "first_pulled_at", type: "time", meaning: "when the day was stored for the first time" },
      {
        name: "reporting",
        type: "integer",
        meaning: "source reporting API: 3 or 1; empty for rows from other sources",
      },
      {
        name: "reporting_since",
        type: "time",
        meaning: "when that API became the source; empty if it always was",
      },
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
    name: "entity_pulls",
    about: "A row for each kind of entity of a profile: when it was read",
    columns: [
      PROFILE,
      { name: "kind", type: "text", meaning: "kind, for example sp.keywords" },
      { name: "pulled_at", type: "time", meaning: "when it was read last" },
      { name: "first_pulled_at", type: "time", meaning: "when it was read for the first time" },
      { name: "entities", type: "integer", meaning: "number of entities" },
      { name: "source", type: "text", meaning: "list, or export if read from a file" },
    ],
    examples: ["SELECT kind, pulled_at, entities FROM entity_pulls ORDER BY kind"],
  },
  {
    name: "workflow_runs",
    about:
      "A row for each stored run of a clean-room query. The view clean_room_<query> has its rows, with the version used " +
      "last for each window; clean_room_<query>_history has all versions. Reports by week, such as brand_metrics, are " +
      "stored in the same way: the views brand_metrics and brand_metrics_history",
    columns: [
      { name: "id", type: "text", meaning: "id of the stored run" },
      { name: "instance_id", type: "text", meaning: "clean room; the profile or DSP advertiser of a report" },
      {
        name: "workflow_id",
        type: "text",
        meaning: "id of the query, or report:<name> or advertiser-report:<name>",
      },
      { name: "version", type: "integer", meaning: "version of the query; restatement of a report" },
      { name: "parameters", type: "text", meaning: "values of its parameters, as JSON" },
      { name: "zone", type: "text", meaning: "time zone of the window" },
      { name: "window_start", type: "date", meaning: "first day of the window" },
      { name: "window_end", type: "date", meaning: "last day of the window" },
      { name: "execution_id", type: "text", meaning: "the platform's id of the run" },
      { name: "rows", type: "integer", meaning: "rows of the result" },
      {
        name: "withheld_rows",
        type: "integer",
        meaning: "rows with values that privacy left empty; empty if the query does not mark them",
      },
      { name: "withheld", type: "json", meaning: "rows with such values, by column" },
      { name: "stored_at", type: "time", meaning: "when it was stored" },
    ],
    examples: [
      "SELECT workflow_id, version, window_start, window_end, rows FROM workflow_runs ORDER BY window_start DESC LIMIT 20",
    ],
  },
  {
    name: "workflow_versions",
    about: "A row for each version of a clean-room query that was run, or restatement of a report",
    columns: [
      { name: "instance_id", type: "text", meaning: "clean room; the profile or DSP advertiser of a report" },
      {
        name: "workflow_id",
        type: "text",
        meaning: "id of the query, or report:<name> or advertiser-report:<name>",
      },
      { name: "version", type: "integer", meaning: "1 for the first" },
      { name: "digest", type: "text", meaning: "equal for equal queries" },
      { name: "sql", type: "text", meaning: "text of the query, request of a report" },
      { name: "settings", type: "json", meaning: "privacy settings; the age in days of a restatement" },
      { name: "first_used_at", type: "time", meaning: "when a sync used it for the first time" },
      { name: "used_at", type: "time", meaning: "when a sync used it last" },
    ],
    examples: ["SELECT workflow_id, version, used_at FROM workflow_versions ORDER BY used_at DESC"],
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
      { name: "configuration", type: "json", meaning: "requested configuration" },
      { name: "fingerprint", type: "text", meaning: "equal for identical requests" },
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

const STREAM_PROFILE: SchemaColumn = {
  name: "profile_id",
  type: "text",
  meaning: "profile; empty until the profile of the advertiser is known",
};
const ADVERTISER: SchemaColumn = {
  name: "advertiser_id",
  type: "text",
  meaning: "advertiser, as the stream names it",
};
const DATE: SchemaColumn = {
  name: "date",
  type: "date",
  meaning: "day in the time zone of the market; in UTC until the profile is known",
};
const HOUR: SchemaColumn = { name: "hour", type: "integer", meaning: "hour of that day, 0 to 23" };
const STARTS: SchemaColumn = { name: "starts_at", type: "time", meaning: "when the hour begins" };
const MILLISECONDS = "in milliseconds since 1970";

export function streamSchema(): SchemaTable[] {
  const views = DATASET_LAYOUTS.filter(({ isHourly }) => isHourly).flatMap((layout) => [
    streamView(layout, "hourly"),
    streamView(layout, "daily"),
  ]);
  return [...views, ...DATASET_LAYOUTS.map(recordTable), ...STREAM_TABLES];
}

function streamView({ dataset, view, columns }: DatasetLayout, unit: "hourly" | "daily"): SchemaTable {
  const name = `${view}_${unit}`;
  const own = columns.map(streamColumn);
  const metric = columns.find(({ isMetric }) => isMetric)?.name;
  return {
    name,
    about: `The hourly stream's ${dataset}, with records summed by ${unit === "hourly" ? "hour" : "day"}`,
    columns: [
      COUNTRY,
      STREAM_PROFILE,
      ADVERTISER,
      DATE,
      ...unit === "hourly" ? [HOUR, STARTS] : [],
      ...own,
      { name: "records", type: "integer", meaning: "records that were summed up" },
      { name: "received_at", type: "time", meaning: "when the last of them was received" },
    ],
    examples: [
      `SELECT date, sum("${metric}") AS "${metric}" FROM ${name} GROUP BY date ORDER BY date DESC LIMIT 14`,
    ],
  };
}

function recordTable({ dataset, table, columns, isHourly }: DatasetLayout): SchemaTable {
  return {
    name: table,
    about: `The hourly stream's ${dataset}: a row for each record, as it was received`,
    columns: [
      {
        name: "id",
        type: "text",
        meaning: isHourly ? "idempotency_id of the record" : "SHA-256 of the record",
      },
      ADVERTISER,
      { name: "marketplace_id", type: "text", meaning: "marketplace, as the stream names it" },
      STREAM_PROFILE,
      DATE,
      HOUR,
      { name: "starts_at", type: "integer", meaning: `when the hour begins, ${MILLISECONDS}` },
      { name: "message_id", type: "text", meaning: "the queue's id of the message, or file and line" },
      { name: "received_at", type: "integer", meaning: `when it was received, ${MILLISECONDS}` },
      ...columns.map(streamColumn),
      { name: "extra", type: "json", meaning: "fields that are not published" },
    ],
    examples: [`SELECT * FROM ${table} ORDER BY received_at DESC LIMIT 10`],
  };
}

function streamColumn({ name, type, isMetric }: DatasetColumn): SchemaColumn {
  const days = /_(\d+)d(?:_|$)/.exec(name)?.[1];
  const words = name.replace(/_\d+d(?=_|$)/, "").replaceAll("_", " ");
  const within = days === undefined ? "" : ` within ${days} ${days === "1" ? "day" : "days"}`;
  return { name, type, meaning: `${words}${within}${isMetric ? "; the sum of all changes" : ""}` };
}

const STREAM_TABLES: readonly SchemaTable[] = [
  {
    name: "stream_rejected",
    about: "Messages of the stream that cannot be read",
    columns: [
      { name: "id", type: "text", meaning: "SHA-256 of the message" },
      { name: "message_id", type: "text", meaning: "the queue's id of the message, or file and line" },
      { name: "source", type: "text", meaning: "queue, folder or file" },
      { name: "received_at", type: "time", meaning: "when it was received for the first time" },
      { name: "reason", type: "text", meaning: "why it cannot be read" },
      { name: "body", type: "text", meaning: "the message as it was received" },
    ],
    examples: ["SELECT reason, count(*) AS messages FROM stream_rejected GROUP BY reason ORDER BY 2 DESC"],
  },
  {
    name: "stream_accounts",
    about: "Profiles by their ids in the stream",
    columns: [
      ADVERTISER,
      { name: "marketplace_id", type: "text", meaning: "marketplace, as the stream names it" },
      { name: "profile_id", type: "text", meaning: "profile" },
      { name: "time_zone", type: "text", meaning: "time zone of its days" },
    ],
    examples: ["SELECT * FROM stream_accounts ORDER BY profile_id"],
  },
];
