import { addDays } from "../internal/calendar.ts";
import type { EntityFigures } from "../plans/review/estimate_money.ts";
import type { FiguresRequest } from "../plans/review/figures_source.ts";
import type { Warehouse } from "./warehouse.ts";

/** Where the figures of a kind are: the report, its id column and its columns of sales and orders. */
const SOURCES: Readonly<
  Record<string, readonly [report: string, id: string, sales: string, orders: string]>
> = {
  "sp.campaigns": ["sp_campaigns", "campaignId", "sales14d", "purchases14d"],
  "sp.ad_groups": ["sp_ad_groups", "adGroupId", "sales14d", "purchases14d"],
  "sp.keywords": ["sp_targeting", "keywordId", "sales14d", "purchases14d"],
  "sp.targets": ["sp_targeting", "keywordId", "sales14d", "purchases14d"],
  "sp.product_ads": ["sp_advertised_products", "adId", "sales14d", "purchases14d"],
  "sb.campaigns": ["sb_campaigns", "campaignId", "sales", "purchases"],
  "sb.keywords": ["sb_targeting", "keywordId", "sales", "purchases"],
};

const DAYS = [7, 14, 30] as const;

/**
 * Figures of entities over the last 7, 14 and 30 complete days: `clicks30d`, `impressions30d`, `cost30d`, `sales30d`,
 * `orders30d`, and `acos30d` where there were sales. Sales and orders are those of 14 days after a click for Sponsored
 * Products. An entity whose days are not all stored is absent: its figures are unknown, and not 0.
 *
 * @example
 * ```ts
 * import { entityFigures, Warehouse } from "@platform/ads/store";
 *
 * async function poor(store: Warehouse, profileId: string, keywordIds: readonly string[]): Promise<string[]> {
 *   const entities = keywordIds.map((id) => ({ kind: "sp.keywords", id }));
 *   const figures = await entityFigures(store, { profileId, today: "2026-11-22", entities });
 *   return [...figures].flatMap(([id, { acos30d }]) => acos30d !== undefined && acos30d > 0.4 ? [id] : []);
 * }
 * ```
 */
export async function entityFigures(
  store: Pick<Warehouse, "query" | "coverage">,
  { profileId, today, entities }: FiguresRequest,
): Promise<Map<string, EntityFigures>> {
  if (!/^\d+$/.test(profileId)) return new Map();
  const byReport = Map.groupBy(entities, ({ kind }) => SOURCES[kind]?.[0]);
  const found = new Map<string, EntityFigures>();
  for (const [report, wanted] of byReport) {
    const source = SOURCES[wanted[0]?.kind ?? ""];
    if (report === undefined || source === undefined) continue;
    const windows = await storedWindows(store, { profileId, report, today });
    if (windows.length === 0) continue;
    const sums = await sumsOf(store, { profileId, today, windows, source });
    for (const { id } of wanted) found.set(id, figuresOf(sums.get(id), windows));
  }
  return found;
}

/** The windows whose days are all stored. */
async function storedWindows(
  store: Pick<Warehouse, "coverage">,
  { profileId, report, today }: { profileId: string; report: string; today: string },
): Promise<number[]> {
  const [coverage] = (await store.coverage())
    .filter((one) => one.profileId === profileId && one.report === report);
  if (coverage === undefined) return [];
  const last = addDays(today, -1);
  return DAYS.filter((days) => {
    const first = addDays(today, -days);
    const isGap = coverage.gaps.some(({ start, end }) => start <= last && end >= first);
    return coverage.firstDay <= first && coverage.lastDay >= last && !isGap;
  });
}

type Sums = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

async function sumsOf(
  store: Pick<Warehouse, "query">,
  { profileId, today, windows, source: [report, id, sales, orders] }: {
    profileId: string;
    today: string;
    windows: readonly number[];
    source: readonly [string, string, string, string];
  },
): Promise<Sums> {
  const columns = { impressions: "impressions", clicks: "clicks", cost: "cost", sales, orders };
  const parts = windows.flatMap((days) =>
    Object.entries(columns).map(([name, column]) =>
      `SUM(CASE WHEN date >= '${addDays(today, -days)}' THEN "${column}" ELSE 0 END) AS "${name}${days}d"`
    )
  );
  const longest = Math.max(...windows);
  const { rows } = await store.query(
    `SELECT "${id}" AS id, ${parts.join(", ")} FROM ${report} WHERE profile_id = '${profileId}' ` +
      `AND date >= '${addDays(today, -longest)}' AND date < '${today}' GROUP BY "${id}"`,
    [],
    { maxRows: 2_000_000 },
  );
  return new Map(rows.map((row) => [String(row["id"]), row]));
}

function figuresOf(
  sums: Readonly<Record<string, unknown>> | undefined,
  windows: readonly number[],
): EntityFigures {
  const figures: Record<string, number> = {};
  for (const days of windows) {
    for (const name of ["impressions", "clicks", "cost", "sales", "orders"]) {
      figures[`${name}${days}d`] = Number(sums?.[`${name}${days}d`] ?? 0);
    }
    const sales = figures[`sales${days}d`] ?? 0;
    if (sales > 0) figures[`acos${days}d`] = (figures[`cost${days}d`] ?? 0) / sales;
  }
  return figures;
}
