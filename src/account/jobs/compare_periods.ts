import { addDays, checkDay, countDays, type DayRange } from "../../base/time/calendar.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import { marketOf } from "../../base/markets/markets.ts";
import { sameAge } from "../../store/figures/same_age.ts";
import { offersDisplay } from "../../client/offers_display.ts";
import { ensureStored, type FigureOptions, type StoredReports } from "./ensure_stored.ts";
import { type ComparedBy, type PartFigures, readParts, reportsOf } from "./read_parts.ts";

/** Options of {@linkcode comparePeriods}. */
export interface CompareOptions extends FigureOptions {
  /** The earlier days. */
  readonly before: DayRange;
  /** The later days. */
  readonly after: DayRange;
  /** Breakdowns of the change; placements are those of Sponsored Products. @default all of them */
  readonly by?: readonly ComparedBy[] | undefined;
  /** Only these campaigns. */
  readonly campaignIds?: readonly string[] | undefined;
}

/** Figures of a period; daily averages if the periods differ in length. */
export interface PeriodFigures {
  /** Cost in the account's currency. */
  readonly cost: number;
  /** Sales within 14 days after a click, in the account's currency. */
  readonly sales: number;
  /** Orders within 14 days after a click. */
  readonly orders: number;
  /** Number of clicks on ads. */
  readonly clicks: number;
  /** Number of times ads were shown. */
  readonly impressions: number;
  /** ACOS: cost divided by sales, 0.3 for 30 %; `null` without sales. */
  readonly acos: number | null;
  /** Cost per click; `null` without clicks. */
  readonly cpc: number | null;
}

/** Figures of the earlier and the later days, and the difference between them. */
export interface Moved {
  /** The earlier days. */
  readonly before: PeriodFigures;
  /** The later days. */
  readonly after: PeriodFigures;
  /** Change: after minus before. */
  readonly change: {
    /** Change in cost, in the account's currency. */
    readonly cost: number;
    /** Change in sales, in the account's currency; `null` if sales cannot be compared yet. */
    readonly sales: number | null;
    /** Change in ACOS; `null` if one of the periods had no sales, or if sales cannot be compared yet. */
    readonly acos: number | null;
  };
}

/** A campaign, keyword or placement, and how much of the total change it accounts for. */
export interface MovedPart extends Moved {
  /** Id of the campaign, keyword or target; name of the placement. */
  readonly id: string;
  /** Display name. */
  readonly name: string;
  /** Id of its campaign; absent for campaigns and placements. */
  readonly campaignId?: string;
  /** Name of its campaign, as in the report. */
  readonly campaignName?: string;
  /**
   * Fraction of the total change: 0.5 for half of it, negative if it moved the other way; `null` if nothing changed.
   */
  readonly share: { readonly cost: number | null; readonly sales: number | null };
}

/** Differences between two periods. */
export interface Comparison {
  /** ISO 4217 code. */
  readonly currency: string;
  /** The earlier days. */
  readonly before: DayRange;
  /** The later days. */
  readonly after: DayRange;
  /** True if the periods differ in length, so that figures are daily averages. */
  readonly isPerDay: boolean;
  /** Figures of all campaigns together. */
  readonly total: Moved;
  /**
   * Change in cost, split into the effect of the number of clicks and the effect of the cost per click; the two add up
   * to the total.
   */
  readonly costBy: { readonly clicks: number; readonly cpc: number };
  /** Parts by breakdown, largest change in cost first. */
  readonly parts: Readonly<Partial<Record<ComparedBy, readonly MovedPart[]>>>;
  /** The stored reports that were read. */
  readonly figures: readonly StoredReports[];
  /**
   * False while sales of the later days are still growing and the sales that the earlier days had at the same age are
   * unknown.
   */
  readonly isComparable: boolean;
  /** Ad products included in the totals: `sp`, `sb`, and `sd` where the market has Display. */
  readonly products: readonly string[];
  /** Remarks for the reader: the age at which both periods are compared, and products that are left out. */
  readonly notes: readonly string[];
}

const ALL: readonly ComparedBy[] = ["campaign", "keyword", "placement"];

/**
 * Explains changes in spend, sales and ACOS between two periods: totals, and how much each campaign, keyword and
 * placement contributed. Reads only the store, which is brought up to date first.
 *
 * @example
 * ```ts
 * import type { ProfileClient } from "@platform/ads";
 * import { comparePeriods } from "@platform/ads/account";
 * import { Warehouse } from "@platform/ads/store";
 *
 * async function why(ca: ProfileClient): Promise<void> {
 *   await using store = await Warehouse.open("ads.sqlite");
 *   const before = { start: "2026-11-01", end: "2026-11-07" };
 *   const after = { start: "2026-11-08", end: "2026-11-14" };
 *   const { total, parts } = await comparePeriods(ca, { store, before, after, by: ["campaign"] });
 *   console.log(total.change.cost);
 *   for (const { name, change, share } of parts.campaign ?? []) console.log(name, change.cost, share.cost);
 * }
 * ```
 * @throws {RangeError} for days that make no sense. Nothing was read.
 */
export async function comparePeriods(profile: ProfileClient, options: CompareOptions): Promise<Comparison> {
  const { store, before, after, by = ALL } = options;
  checkPeriod(before, "before");
  checkPeriod(after, "after");
  for (const name of by) {
    if (!ALL.includes(name)) {
      throw new RangeError(`Cannot compare by "${name}": expected one or more of ${ALL.join(", ")}`);
    }
  }
  const levels = [...new Set<ComparedBy>(["campaign", ...by])];
  const display = await readsDisplay(profile, options);
  const products = display === "not stored" ? ["sp", "sb"] : ["sp", "sb", "sd"];
  const isRead = (report: string): boolean =>
    report.startsWith("sd") ? display === "read" : products.includes(report.slice(0, 2));
  const reports = levels.flatMap(reportsOf).filter(isRead);
  const figures: StoredReports[] = [];
  for (const days of [before, after]) {
    figures.push(await ensureStored(profile, reports, { ...options, days }));
  }

  const lengths = [countDays(before), countDays(after)] as const;
  const isPerDay = lengths[0] !== lengths[1];
  const today = options.today ?? profile.reports.today;
  const age = await sameAge(store, {
    ...{ period: after, before, today, reports },
    profileIds: [profile.profileId],
  });
  const { isComparable } = age;
  const read = async (level: ComparedBy): Promise<Paired[]> => {
    const [earlier, later] = await Promise.all(
      ([[before, lengths[0], age.asOf], [after, lengths[1], undefined]] as const).map(([days, count, asOf]) =>
        readParts(store, level, {
          asOf,
          isRead,
          profileId: profile.profileId,
          days,
          campaignIds: options.campaignIds,
          by: isPerDay ? count : 1,
        })
      ),
    );
    return paired(earlier ?? [], later ?? []);
  };
  const campaigns = await read("campaign");
  const total = moved(
    sumOf(campaigns.map((pair) => pair.before)),
    sumOf(campaigns.map((pair) => pair.after)),
    isComparable,
  );
  const parts: Partial<Record<ComparedBy, readonly MovedPart[]>> = {};
  for (const level of by) {
    parts[level] = partsOf(level === "campaign" ? campaigns : await read(level), isComparable);
  }
  return {
    currency: marketOf(profile.countryCode)?.currency ?? "",
    before,
    after,
    isPerDay,
    total,
    costBy: costBy(total),
    parts,
    figures,
    isComparable,
    products,
    notes: [
      ...age.notes,
      ...(display === "not stored"
        ? ["Display is left out: its reports are not stored. Fetch them with sync()"]
        : []),
    ],
  };
}

interface Paired {
  readonly part: PartFigures;
  readonly before: Counts;
  readonly after: Counts;
}

type Counts = Pick<PartFigures, "cost" | "sales" | "orders" | "clicks" | "impressions">;

const NOTHING: Counts = { cost: 0, sales: 0, orders: 0, clicks: 0, impressions: 0 };

function paired(before: readonly PartFigures[], after: readonly PartFigures[]): Paired[] {
  const earlier = new Map(before.map((part) => [part.id, part]));
  const pairs = after.map((part) => ({ part, before: earlier.get(part.id) ?? NOTHING, after: part }));
  const later = new Set(after.map(({ id }) => id));
  const gone = before.filter(({ id }) => !later.has(id));
  return [...pairs, ...gone.map((part) => ({ part, before: part, after: NOTHING }))];
}

/**
 * Returns true if Display is included: the market must have it and, when fetching is not allowed, it must be stored.
 */
async function readsDisplay(
  profile: ProfileClient,
  { store, sync, signal }: CompareOptions,
): Promise<"read" | "not stored" | "none"> {
  const stored = await store.coverage({ profileId: profile.profileId, report: "sd_campaigns" });
  if (stored.length > 0) return "read";
  if (!await offersDisplay(profile, { signal })) return "none";
  return sync === false ? "not stored" : "read";
}

function partsOf(pairs: readonly Paired[], isComparable: boolean): MovedPart[] {
  // Shares are of the change at this level: reports by keyword and by placement leave out what they cannot assign.
  const whole =
    moved(sumOf(pairs.map(({ before }) => before)), sumOf(pairs.map(({ after }) => after)), isComparable)
      .change;
  return pairs.map(({ part, before, after }): MovedPart => {
    const own = moved(before, after, isComparable);
    const { id, name, campaignId, campaignName } = part;
    return {
      id,
      name,
      ...(campaignId === undefined ? {} : { campaignId }),
      ...(campaignName === undefined ? {} : { campaignName }),
      ...own,
      share: {
        cost: ratio(own.change.cost, whole.cost),
        sales: own.change.sales === null || whole.sales === null
          ? null
          : ratio(own.change.sales, whole.sales),
      },
    };
  }).sort((a, b) =>
    Math.abs(b.change.cost) - Math.abs(a.change.cost) ||
    Math.abs(b.change.sales ?? 0) - Math.abs(a.change.sales ?? 0) || (a.id < b.id ? -1 : 1)
  );
}

function moved(before: Counts, after: Counts, isComparable: boolean): Moved {
  const [earlier, later] = [periodFigures(before), periodFigures(after)];
  return {
    before: earlier,
    after: later,
    change: {
      cost: rounded(later.cost - earlier.cost),
      sales: isComparable ? rounded(later.sales - earlier.sales) : null,
      acos: !isComparable || earlier.acos === null || later.acos === null
        ? null
        : rounded(later.acos - earlier.acos),
    },
  };
}

function periodFigures({ cost, sales, orders, clicks, impressions }: Counts): PeriodFigures {
  return {
    cost: rounded(cost),
    sales: rounded(sales),
    orders: rounded(orders),
    clicks: rounded(clicks),
    impressions: rounded(impressions),
    acos: ratio(cost, sales),
    cpc: ratio(cost, clicks),
  };
}

/**
 * Splits the change in cost into the effect of more or fewer clicks at the old price, and the effect of the new price
 * on the current clicks.
 */
function costBy({ before, after, change }: Moved): Comparison["costBy"] {
  const clicks = rounded((after.clicks - before.clicks) * (before.cpc ?? after.cpc ?? 0));
  return { clicks, cpc: rounded(change.cost - clicks) };
}

function sumOf(counts: readonly Counts[]): Counts {
  return counts.reduce((sum, one) => ({
    cost: sum.cost + one.cost,
    sales: sum.sales + one.sales,
    orders: sum.orders + one.orders,
    clicks: sum.clicks + one.clicks,
    impressions: sum.impressions + one.impressions,
  }), NOTHING);
}

function ratio(part: number, whole: number): number | null {
  return Math.abs(whole) < 0.005 ? null : rounded(part / whole);
}

function rounded(value: number): number {
  return Number(value.toFixed(4));
}

function checkPeriod({ start, end }: DayRange, name: string): void {
  checkDay(start, `the first day ${name}`);
  checkDay(end, `the last day ${name}`);
  if (end < start) throw new RangeError(`Cannot compare the days ${name}: ${end} is before ${start}`);
}

/**
 * Returns the period of the same length right before the given one.
 *
 * @example
 * ```ts
 * import { periodBefore } from "@platform/ads/account";
 *
 * console.log(periodBefore({ start: "2026-11-08", end: "2026-11-14" }).start); // 2026-11-01
 * ```
 */
export function periodBefore(period: DayRange): DayRange {
  return { start: addDays(period.start, -countDays(period)), end: addDays(period.start, -1) };
}
