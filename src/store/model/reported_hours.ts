import type { Cell } from "./encode_rows.ts";
import { COMMON_COLUMNS, type DatasetLayout, datasetLayout } from "./dataset_layout.ts";
import type { DatasetRows } from "./stream_tables.ts";

export const REPORTED = "reporting 1";

type Row = Readonly<Record<string, unknown>>;

const DAYS = "profile_id = ? AND date >= ? AND date <= ?";

export const REPORTED_LAYOUTS: readonly DatasetLayout[] = [
  "sp-traffic",
  "sp-conversion",
  "sb-traffic",
  "sb-conversion",
  "sd-traffic",
].flatMap((dataset) => datasetLayout(dataset) ?? []);

export function reportedIndex({ table }: DatasetLayout): string {
  return `CREATE INDEX IF NOT EXISTS ${table}_reported ON ${table} (profile_id, starts_at)
    WHERE message_id = '${REPORTED}'`;
}

export function reportedSql(layout: DatasetLayout): { taken: string; sums: string; remove: string } {
  const { table, columns } = layout;
  const sums = columns.filter(({ isMetric }) => isMetric).map(({ name }) => `sum("${name}") AS "${name}"`);
  const taken = `SELECT DISTINCT starts_at FROM ${trafficOf(layout).table}
    WHERE ${DAYS} AND message_id <> '${REPORTED}' AND impressions > 0 AND starts_at IS NOT NULL`;
  const key = `starts_at, campaign_id, ad_group_id, ${keywordColumn(layout)}`;
  return {
    taken,
    sums: `SELECT ${key}, ${sums.join(", ")} FROM ${table}
      WHERE ${DAYS} AND message_id <> '${REPORTED}' AND starts_at NOT IN (${taken}) GROUP BY ${key}`,
    remove: `DELETE FROM ${table} WHERE ${DAYS} AND message_id = '${REPORTED}'`,
  };
}

interface StreamedGroup {
  readonly left: Map<string, Row>;
  reported?: readonly Cell[];
}

/**
 * Subtracts streamed figures from reported hours, so that both together equal the reported figures per keyword and ad
 * group. Reported hours for which the stream has impressions are dropped.
 */
export class AddedHours {
  readonly #layout: DatasetLayout;
  readonly #own: ReadonlySet<number>;
  readonly #streamed = new Map<string, StreamedGroup>();
  readonly #at: Readonly<Record<"campaign" | "adGroup" | "keyword", number>>;

  constructor(
    layout: DatasetLayout,
    { taken, sums }: { readonly taken: readonly Row[]; readonly sums: readonly Row[] },
  ) {
    this.#layout = layout;
    this.#own = new Set(taken.map((row) => Number(row["starts_at"])));
    const keyword = keywordColumn(layout);
    this.#at = {
      campaign: placeOf(layout, "campaign_id"),
      adGroup: placeOf(layout, "ad_group_id"),
      keyword: placeOf(layout, keyword),
    };
    for (const row of sums) {
      const key = keyOf(row["starts_at"], row["campaign_id"], row["ad_group_id"]);
      const group = this.#streamed.get(key) ?? { left: new Map() };
      this.#streamed.set(key, group);
      group.left.set(String(row[keyword] ?? null), row);
    }
  }

  add(rows: readonly (readonly Cell[])[]): (readonly Cell[])[] {
    const { campaign, adGroup, keyword } = this.#at;
    return rows.flatMap((row) => {
      const startsAt = row[STARTS_AT];
      if (this.#own.has(Number(startsAt))) return [];
      const group = this.#streamed.get(keyOf(startsAt, row[campaign], row[adGroup]));
      if (group === undefined) return [row];
      group.reported ??= row;
      const name = String(row[keyword] ?? null);
      const streamed = group.left.get(name);
      if (streamed === undefined) return [row];
      group.left.delete(name);
      return [this.#less(row, streamed)];
    });
  }

  rest(): (readonly Cell[])[] {
    const own = COMMON_COLUMNS.length;
    return [...this.#streamed.values()].flatMap(({ left, reported }) => {
      if (reported === undefined) return [];
      return Array.from(left.values(), (streamed) => {
        const keyword = streamed[keywordColumn(this.#layout)];
        const row = reported.map((cell, place) => {
          const column = this.#layout.columns[place - own];
          if (column?.isMetric) return cell === null ? null : 0;
          return /^(?:keyword|target|match)/.test(column?.name ?? "") ? null : cell;
        });
        row[0] = `${reported[0]} less ${keyword}`;
        row[this.#at.keyword] = keyword === null || keyword === undefined ? null : String(keyword);
        return this.#less(row, streamed);
      });
    });
  }

  #less(row: readonly Cell[], streamed: Row): readonly Cell[] {
    const rest = [...row];
    for (const { name, isMetric } of this.#layout.columns) {
      const [place, sum] = [placeOf(this.#layout, name), streamed[name]];
      if (!isMetric || rest[place] === null || sum === null) continue;
      rest[place] = Number((Number(rest[place]) - Number(sum)).toFixed(6));
    }
    return rest;
  }
}

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

function keywordColumn({ columns }: DatasetLayout): string {
  return columns.some(({ name }) => name === "keyword_id") ? "keyword_id" : "target_id";
}

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
