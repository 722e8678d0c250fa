import type { Cell } from "../encode_rows.ts";
import { type DatasetLayout, datasetLayout } from "./dataset_layout.ts";
import { COMMON_COLUMNS } from "./stream_columns.ts";
import type { DatasetRows } from "./stream_tables.ts";

/** Message id of records that are hours of reporting 1. */
export const REPORTED = "reporting 1";

type Row = Readonly<Record<string, unknown>>;

const DAYS = "profile_id = ? AND date >= ? AND date <= ?";

/** Datasets that reported hours go into. */
export const REPORTED_LAYOUTS: readonly DatasetLayout[] = [
  "sp-traffic",
  "sp-conversion",
  "sb-traffic",
  "sb-conversion",
  "sd-traffic",
].flatMap((dataset) => datasetLayout(dataset) ?? []);

/** The statement that makes reported hours quick to find. */
export function reportedIndex({ table }: DatasetLayout): string {
  return `CREATE INDEX IF NOT EXISTS ${table}_reported ON ${table} (profile_id, starts_at)
    WHERE message_id = '${REPORTED}'`;
}

/** Statements by which reported hours are replaced; their parameters are the profile, the first and the last day. */
export function reportedSql(layout: DatasetLayout): { taken: string; sums: string; remove: string } {
  const { table, columns } = layout;
  const sums = columns.filter(({ isMetric }) => isMetric).map(({ name }) => `sum("${name}") AS "${name}"`);
  return {
    taken: `SELECT DISTINCT starts_at FROM ${trafficOf(layout).table}
      WHERE ${DAYS} AND message_id <> '${REPORTED}' AND impressions > 0`,
    sums: `SELECT starts_at, campaign_id, ad_group_id, ${sums.join(", ")} FROM ${table}
      WHERE ${DAYS} AND message_id <> '${REPORTED}' GROUP BY starts_at, campaign_id, ad_group_id`,
    remove: `DELETE FROM ${table} WHERE ${DAYS} AND message_id = '${REPORTED}'`,
  };
}

/**
 * The records that reported hours add to those of the stream: an hour in which the stream has impressions is its own, and
 * of the others what the stream has of them is left out, so that both together are what was reported.
 */
export function addedHours(
  { layout, rows }: DatasetRows,
  { taken, sums }: { readonly taken: readonly Row[]; readonly sums: readonly Row[] },
): (readonly Cell[])[] {
  const own = new Set(taken.map((row) => Number(row["starts_at"])));
  const known = new Map(sums.map((row) => [
    keyOf(row["starts_at"], row["campaign_id"], row["ad_group_id"]),
    row,
  ]));
  const at = (name: string): number => placeOf(layout, name);
  const [campaign, adGroup] = [at("campaign_id"), at("ad_group_id")];
  return rows.flatMap((row) => {
    const startsAt = row[STARTS_AT];
    if (own.has(Number(startsAt))) return [];
    const streamed = known.get(keyOf(startsAt, row[campaign], row[adGroup]));
    if (streamed === undefined) return [row];
    const rest = [...row];
    for (const { name, isMetric } of layout.columns) {
      const [place, sum] = [at(name), streamed[name]];
      if (!isMetric || rest[place] === null || sum === null) continue;
      rest[place] = Number((Number(rest[place]) - Number(sum)).toFixed(6));
    }
    return [rest];
  });
}

/** Hours of profiles in which records have impressions: they are the stream's, and take the place of reported ones. */
export function streamedHours(
  { layout, rows }: DatasetRows,
): { tables: readonly string[]; hours: readonly (readonly [profileId: string, startsAt: number])[] } {
  const impressions = placeOf(layout, "impressions");
  const hours = new Map<string, readonly [string, number]>();
  for (const row of impressions < 0 ? [] : rows) {
    const [profileId, startsAt] = [String(row[PROFILE_ID]), Number(row[STARTS_AT])];
    if (profileId === "" || !(Number(row[impressions]) > 0)) continue;
    hours.set(`${profileId} ${startsAt}`, [profileId, startsAt]);
  }
  const tables = REPORTED_LAYOUTS.filter((one) => trafficOf(one) === layout).map(({ table }) => table);
  return { tables, hours: tables.length === 0 ? [] : [...hours.values()] };
}

/** The dataset of a product's impressions and clicks. */
function trafficOf(layout: DatasetLayout): DatasetLayout {
  return datasetLayout(layout.dataset.replace("conversion", "traffic")) ?? layout;
}

const [PROFILE_ID, STARTS_AT] = ["profile_id", "starts_at"].map((name) =>
  COMMON_COLUMNS.findIndex(([one]) => one === name)
) as [number, number];

function placeOf({ columns }: DatasetLayout, name: string): number {
  const place = columns.findIndex((column) => column.name === name);
  return place < 0 ? place : COMMON_COLUMNS.length + place;
}

function keyOf(startsAt: unknown, campaignId: unknown, adGroupId: unknown): string {
  return [startsAt, campaignId, adGroupId].map(String).join(" ");
}
