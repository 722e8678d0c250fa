import data from "./stream_datasets_data.js";
import type { ColumnType } from "../../client/reports/file/report_row.ts";

export const COMMON_COLUMNS: readonly (readonly [name: string, type: ColumnType, required: boolean])[] = [
  ["id", "text", true],
  ["advertiser_id", "text", true],
  ["marketplace_id", "text", true],
  ["profile_id", "text", true],
  ["date", "date", false],
  ["hour", "integer", false],
  ["starts_at", "integer", false],
  ["message_id", "text", true],
  ["received_at", "integer", true],
];

export function streamColumns({ columns }: DatasetLayout): string[] {
  return [...COMMON_COLUMNS.map(([name]) => name), ...columns.map(({ name }) => name), "extra"];
}

/** A column of a dataset of the stream. */
export interface DatasetColumn {
  /** Name in the store. */
  readonly name: string;
  /** Dotted path of the field in a record. */
  readonly path: string;
  /** Type of the field; `json` for lists and objects. */
  readonly type: Exclude<ColumnType, "date"> | "json";
  /** True for a figure, whose records are summed up. */
  readonly isMetric: boolean;
}

/** Store layout of a dataset of the hourly stream. */
export interface DatasetLayout {
  /** Id of the dataset, for example `sp-traffic`. */
  readonly dataset: string;
  /** Name of the table, which has a row for each record. */
  readonly table: string;
  /** Prefix of the names of its views: `sp_traffic_hourly`, `sp_traffic_daily`. */
  readonly view: string;
  /** True if records are changes of an hour's figures; otherwise they describe states. */
  readonly isHourly: boolean;
  /** Fields in addition to those that every record has. */
  readonly columns: readonly DatasetColumn[];
}

const COMMON = ["idempotency_id", "dataset_id", "advertiser_id", "marketplace_id", "time_window_start"];

const LAST_DIMENSIONS = ["campaign_id", "flight_id"];

/**
 * Every published dataset of the stream.
 *
 * @example
 * ```ts
 * import { DATASET_LAYOUTS } from "@platform/ads/store";
 *
 * console.log(DATASET_LAYOUTS.map(({ dataset }) => dataset).includes("sp-traffic")); // true
 * ```
 */
export const DATASET_LAYOUTS: readonly DatasetLayout[] = Object.entries(data).map(([dataset, fields]) => {
  const view = dataset.replaceAll("-", "_").toLowerCase();
  const isHourly = "time_window_start" in fields;
  return { dataset, table: `stream_${view}`, view, isHourly, columns: columnsOf(fields, isHourly) };
});

const BY_ID: ReadonlyMap<unknown, DatasetLayout> = new Map(
  DATASET_LAYOUTS.map((layout) => [layout.dataset, layout]),
);

export function datasetLayout(dataset: unknown): DatasetLayout | undefined {
  return BY_ID.get(dataset);
}

function columnsOf(fields: Readonly<Record<string, string>>, isHourly: boolean): DatasetColumn[] {
  const lastDimension = Object.keys(fields).findLastIndex((name) => LAST_DIMENSIONS.includes(name));
  const isUntyped = fields["dataset_id"] === "N/A";
  return Object.entries(fields).flatMap(([path, published], index): DatasetColumn[] => {
    if (COMMON.includes(path) || isInsideJson(path, fields)) return [];
    const type = isUntyped ? index > lastDimension ? "real" : "text" : typeOf(published);
    const isMetric = isHourly && (type === "integer" || type === "real");
    return [{ name: path.replaceAll(".", "_"), path, type, isMetric }];
  });
}

function isInsideJson(path: string, fields: Readonly<Record<string, string>>): boolean {
  const parts = path.split(".");
  return parts.some((_, index) => fields[parts.slice(0, index).join(".")] !== undefined);
}

function typeOf(published: string): DatasetColumn["type"] {
  switch (published.toLowerCase()) {
    case "long":
    case "integer":
      return "integer";
    case "double":
    case "decimal":
      return "real";
    case "array":
    case "object":
    case "map":
      return "json";
    default:
      return "text";
  }
}
