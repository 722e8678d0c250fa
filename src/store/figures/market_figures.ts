import { addDays, dayIn, type DayRange, eachDay, joinDays } from "../../base/time/calendar.ts";
import { spendWeight } from "../../base/markets/market_limits.ts";
import { decimalsOf, marketOf, timeZoneOf } from "../../base/markets/markets.ts";
import type { Coverage } from "../model/coverage.ts";
import { type FigureRow, figures } from "./figures.ts";
import { ATTRIBUTION_DAYS } from "./immature_note.ts";
import { sameAge } from "./same_age.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";

const PRODUCTS: Readonly<Record<string, readonly string[]>> = {
  SPONSORED_PRODUCTS: ["sp_campaigns", "sp_placement"],
  SPONSORED_BRANDS: ["sb_campaigns"],
  SPONSORED_DISPLAY: ["sd_campaigns"],
};

const DAYS = 30;
/** Days until the platform has deducted invalid clicks from spend. */
export const SPEND_DAYS = 3;

interface DaySums {
  readonly cost: number;
  readonly sales: number;
  readonly orders: number;
  readonly clicks: number;
  readonly acos: number | null;
}

interface ComparedSums {
  /** `null` if a day is missing, because partial totals would mislead. */
  readonly now: DaySums | null;
  readonly before: DaySums | null;
  /** True if orders and sales are compared at equal age; false if they cannot be compared yet. */
  readonly equal_age: boolean;
  readonly missing: readonly DayRange[];
}

interface MarketFigures {
  readonly profile_id: string;
  readonly country_code: string;
  readonly currency: string | null;
  readonly decimals: number;
  readonly time_zone: string;
  readonly products: readonly string[];
  readonly days: readonly { readonly date: string; readonly sums: DaySums | null }[];
  readonly days_before: readonly { readonly date: string; readonly sums: DaySums | null }[];
  readonly immature_from: { readonly cost: string; readonly sales: string };
  readonly week: ComparedSums;
  readonly month: ComparedSums;
}

/** Figures of a profile, summed over all its products or only over the products with the most stored days. */
interface ProfileFigures extends MarketFigures {
  /** Products with other stored days, which are kept out of the sum. */
  readonly apart: readonly MarketFigures[];
}

/**
 * Figures of the last days for each stored profile, as `figures` in the library computes them, sorted by spend.
 * Products with different stored days are not summed.
 */
export async function marketFigures(
  store: Warehouse,
  { coverage, now }: { readonly coverage: readonly Coverage[]; readonly now: number },
): Promise<ProfileFigures[]> {
  const own = coverage.filter(({ report }) => Object.values(PRODUCTS).flat().includes(report));
  if (own.length === 0) return [];
  const today = dayIn("UTC", now);
  const read = async (
    period: DayRange,
    options: { asOf?: string | undefined; profileIds?: readonly string[] } = {},
  ): Promise<Map<string, FigureRow>> => {
    const { rows } = await figures(store, {
      by: ["profile", "product", "day"],
      from: period.start,
      to: period.end,
      today,
      notes: false,
      ...options,
    });
    return new Map(rows.map((row) => [keyOf(row["profile_id"], row["product"], row["day"]), row]));
  };
  const known = await read({ start: addDays(today, -2 * DAYS - 2), end: addDays(today, 1) });
  const found: { readonly figures: ProfileFigures; readonly weight: number }[] = [];
  for (const [profileId, lines] of Map.groupBy(own, ({ profileId }) => profileId)) {
    const countryCode = lines[0]?.countryCode ?? "";
    const zone = timeZoneOf({ countryCode });
    const here = dayIn(zone, now);
    const range = (from: number, to: number): string[] => [
      ...eachDay({ start: addDays(here, from), end: addDays(here, to) }),
    ];
    const [last, earlier] = [range(-DAYS, -1), range(-2 * DAYS, -DAYS - 1)];
    const products = Object.entries(PRODUCTS).flatMap(([product, reports]) => {
      const stored = new Set(
        [...last, ...earlier].filter((day) => lines.some((line) => holds(line, reports, day))),
      );
      return stored.size === 0 ? [] : [{ product, stored }];
    });
    const groups = Map.groupBy(products, ({ stored }) => [...stored].join());
    const parts: MarketFigures[] = [];
    for (const members of groups.values()) {
      const stored = members[0]?.stored ?? new Set<string>();
      const sumsOf = (days: readonly string[], rows: ReadonlyMap<string, FigureRow> = known): DaySums =>
        summed(
          days.flatMap((day) =>
            members.flatMap(({ product }) => rows.get(keyOf(profileId, product, day)) ?? [])
          ),
        );
      const daily = (days: readonly string[]): MarketFigures["days"] =>
        days.map((date) => ({ date, sums: stored.has(date) ? sumsOf([date]) : null }));
      const reports = members.flatMap(({ product }) => PRODUCTS[product] ?? [])
        .filter((name) => lines.some(({ report }) => report === name));
      const compared = async (days: number): Promise<ComparedSums> => {
        const [period, before] = [range(-days, -1), range(-2 * days, -days - 1)];
        const missing = joinDays(period.filter((day) => !stored.has(day)));
        const isWhole = missing.length === 0 && before.every((day) => stored.has(day));
        const ranges = {
          period: { start: addDays(here, -days), end: addDays(here, -1) },
          before: { start: addDays(here, -2 * days), end: addDays(here, -days - 1) },
        };
        const age = await sameAge(store, { ...ranges, reports, profileIds: [profileId], today: here });
        const then = age.asOf === undefined
          ? known
          : await read(ranges.before, { asOf: age.asOf, profileIds: [profileId] });
        return {
          now: missing.length === 0 ? sumsOf(period) : null,
          before: isWhole ? sumsOf(before, then) : null,
          equal_age: age.isComparable,
          missing,
        };
      };
      parts.push({
        profile_id: profileId,
        country_code: countryCode,
        currency: marketOf(countryCode)?.currency ?? null,
        decimals: decimalsOf(countryCode),
        time_zone: zone,
        products: members.map(({ product }) => product),
        days: daily(last),
        days_before: daily(earlier),
        immature_from: { cost: addDays(here, -SPEND_DAYS), sales: addDays(here, -ATTRIBUTION_DAYS) },
        week: await compared(7),
        month: await compared(DAYS),
      });
    }
    const [main, ...apart] = parts.sort((a, b) => storedDays(b) - storedDays(a));
    if (main === undefined) continue;
    const spent = parts.flatMap(({ days }) => days).reduce((sum, { sums }) => sum + (sums?.cost ?? 0), 0);
    found.push({ figures: { ...main, apart }, weight: spendWeight(spent, countryCode) });
  }
  return found.sort((a, b) => b.weight - a.weight).map((one) => one.figures);
}

/** Finds the profile that spent most in the last 30 days; `null` if no campaigns are stored for these days. */
export async function mostSpend(store: Pick<Warehouse, "query">, now: number): Promise<string | null> {
  const today = dayIn("UTC", now);
  const { rows } = await store.query(
    `SELECT profile_id, country_code, sum(cost) AS cost FROM budget_pressure WHERE date BETWEEN ? AND ?
    GROUP BY profile_id, country_code`,
    [addDays(today, -DAYS), today],
  );
  const spent = rows.map((row) => ({
    id: String(row["profile_id"]),
    weight: spendWeight(Number(row["cost"] ?? 0), String(row["country_code"])),
  }));
  return spent.sort((a, b) => b.weight - a.weight)[0]?.id ?? null;
}

function storedDays({ days }: MarketFigures): number {
  return days.filter(({ sums }) => sums !== null).length;
}

function keyOf(...parts: readonly unknown[]): string {
  return parts.map((part) => String(part).slice(0, 40)).join(" ");
}

function holds(
  { report, firstDay, lastDay, gaps }: Coverage,
  reports: readonly string[],
  day: string,
): boolean {
  return reports.includes(report) && firstDay <= day && day <= lastDay &&
    !gaps.some((gap) => gap.start <= day && day <= gap.end);
}

function summed(rows: readonly FigureRow[]): DaySums {
  const sum = (name: "cost" | "sales" | "orders" | "clicks"): number =>
    Number(rows.reduce((all, row) => all + row[name], 0).toFixed(6));
  const [cost, sales] = [sum("cost"), sum("sales")];
  return {
    cost,
    sales,
    orders: sum("orders"),
    clicks: sum("clicks"),
    acos: sales === 0 ? null : cost / sales,
  };
}
