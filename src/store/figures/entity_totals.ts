import { addDays, type DayRange } from "../../base/time/calendar.ts";
import { salesColumns } from "../views/sales_columns.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";

type Source = readonly [report: string, id: string];

const SP_TARGETING: Source = ["sp_targeting", "keyword_id"];

const SOURCES: Readonly<Record<string, Source>> = {
  "sp.campaigns": ["sp_campaigns", "campaign_id"],
  "sp.ad_groups": ["sp_ad_groups", "ad_group_id"],
  "sp.keywords": SP_TARGETING,
  "sp.targets": SP_TARGETING,
  "sp.product_ads": ["sp_advertised_products", "ad_id"],
  "sb.campaigns": ["sb_campaigns", "campaign_id"],
  "sb.keywords": ["sb_targeting", "keyword_id"],
  "sb.targets": ["sb_targeting", "targeting_id"],
  "sd.campaigns": ["sd_campaigns", "campaign_id"],
  "sd.ad_groups": ["sd_ad_groups", "ad_group_id"],
  "sd.product_ads": ["sd_advertised_products", "ad_id"],
  "sd.targets": ["sd_targeting", "targeting_id"],
};

/** Sums of an entity over a range of days; amounts in the account's currency. */
export interface EntityTotals {
  /** Number of times its ads were shown. */
  readonly impressions: number;
  /** Clicks that the account is charged for. */
  readonly clicks: number;
  /** Cost of the clicks. */
  readonly cost: number;
  /** Attributed sales, within 14 days of a click for Sponsored Products. */
  readonly sales: number;
  /** Attributed orders, with the same window as the sales. */
  readonly orders: number;
  /** Days by which the range was moved back, because newer days are not stored; absent for none. */
  readonly daysBack?: number;
}

interface TotalsRequest {
  readonly profileId: string;
  readonly entities: readonly { readonly kind: string; readonly id: string }[];
  readonly ranges: readonly DayRange[];
  readonly maxDaysBack?: number | undefined;
}

/**
 * Sums entities over ranges of days. Keys are `<kind> <id>`, and each entity's sums are in the order of the ranges. A
 * sum is `undefined` for an incomplete range; entities without a report are absent.
 */
export async function entityTotals(
  store: Pick<Warehouse, "query" | "coverage">,
  { profileId, entities, ranges, maxDaysBack = 0 }: TotalsRequest,
): Promise<Map<string, readonly (EntityTotals | undefined)[]>> {
  const found = new Map<string, readonly (EntityTotals | undefined)[]>();
  if (!/^\d+$/.test(profileId) || ranges.length === 0) return found;
  const coverage = entities.length === 0 ? [] : await store.coverage({ profileId });
  for (const [source, wanted] of Map.groupBy(entities, ({ kind }) => SOURCES[kind])) {
    if (source === undefined) continue;
    const [report] = source;
    const covered = coverage.find((one) => one.profileId === profileId && one.report === report);
    const isStored = ({ start, end }: DayRange): boolean =>
      covered !== undefined && covered.firstDay <= start && covered.lastDay >= end &&
      !covered.gaps.some((gap) => gap.start <= end && gap.end >= start);
    const stored = ranges.map((range): MovedRange | undefined => {
      for (let daysBack = 0; daysBack <= maxDaysBack; daysBack++) {
        const moved = { start: addDays(range.start, -daysBack), end: addDays(range.end, -daysBack) };
        if (isStored(moved)) return { ...moved, daysBack };
      }
      return undefined;
    });
    if (stored.every((range) => range === undefined)) continue;
    const sums = await sumsOf(store, { profileId, ranges: stored, source });
    for (const { kind, id } of wanted) {
      const row = sums.get(id);
      found.set(`${kind} ${id}`, stored.map((range, at) => range && totalsIn(row, at, range)));
    }
  }
  return found;
}

type MovedRange = DayRange & { readonly daysBack: number };

type SumRow = Readonly<Record<string, unknown>>;

async function sumsOf(
  store: Pick<Warehouse, "query">,
  { profileId, ranges, source: [report, id] }: {
    profileId: string;
    ranges: readonly (DayRange | undefined)[];
    source: Source;
  },
): Promise<Map<string, SumRow>> {
  const columns = { impressions: "impressions", clicks: "clicks", cost: "cost", ...salesColumns(report) };
  const parts = ranges.flatMap((range, at) =>
    range === undefined
      ? []
      : Object.entries(columns).map(([name, column]) =>
        `SUM(CASE WHEN date BETWEEN '${range.start}' AND '${range.end}' THEN ${column} ELSE 0 END) ` +
        `AS "${name}${at}"`
      )
  );
  const days = ranges.flatMap((range) => range === undefined ? [] : [range.start, range.end]).sort();
  const { rows } = await store.query(
    `SELECT "${id}" AS id, ${parts.join(", ")} FROM ${report} WHERE profile_id = '${profileId}' ` +
      `AND date BETWEEN '${days[0]}' AND '${days.at(-1)}' GROUP BY "${id}"`,
    [],
    { maxRows: Infinity },
  );
  return new Map(rows.map((row) => [String(row["id"]), row]));
}

function totalsIn(row: SumRow | undefined, at: number, { daysBack }: MovedRange): EntityTotals {
  const sum = (name: string): number => Number(row?.[`${name}${at}`] ?? 0);
  return {
    impressions: sum("impressions"),
    clicks: sum("clicks"),
    cost: sum("cost"),
    sales: sum("sales"),
    orders: sum("orders"),
    ...(daysBack === 0 ? {} : { daysBack }),
  };
}
