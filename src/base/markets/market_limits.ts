import { type CountryCode, normalizeCountry } from "./markets.ts";

export interface AmountLimits {
  readonly min: number;
  readonly max: number;
  /** True if the published figure looks wrong and must not reject anything. */
  readonly doubtful: boolean;
}

/**
 * Maximum daily cost as a multiple of the daily budget. The platform documents 100 % more if a portfolio shares its
 * unspent budget and 25 % otherwise, but not where sharing applies, so the higher value is assumed. Over a calendar
 * month, cost stays within daily budget × days.
 */
export const MAX_DAY_SPEND = 2;

type BidLimitKind = typeof BID_KINDS[number];

type BudgetLimitKind = "sp_daily" | "sb_daily" | "sb_lifetime" | "sd_daily";

const BID_KINDS = [
  "sp",
  "sd_cpc",
  "sd_vcpm",
  "sb_image_cpc",
  "sb_video_cpc",
  "sb_image_vcpm_bis",
  "sb_video_vcpm_bis",
  "sb_image_vcpm_ntb",
  "sb_video_vcpm_ntb",
] as const;

/** Bid limits, in the order of the kinds above; `vcpm` is per 1,000 viewable impressions. */
const BIDS = `
  US 0.02..1000 0.02..1000 1..1000     0.1..49      0.25..49     8..5000     12..5000    1..5000     4..5000
  CA 0.02..1000 0.02..1000 1..1000     0.1..49      0.15..49     11..5000    11..5000    1..5000     2..5000
  MX 0.1..20000 0.1..20000 5..20000    0.1..20000   0.15..20000  128..800000 80..800000  8..800000   24..800000
  BR 0.07..3700 0.07..3700 2..3700     0.53..200    0.8..25000   37..8000    53..8000    6..8000     10..8000
  UK 0.02..1000 0.02..1000 1..1000     0.1..31      0.15..31     4..5000     8..5000     1..5000     2..5000
  DE 0.02..1000 0.02..1000 1..1000     0.1..39      0.15..39     5..5000     7..5000     1..5000     3..5000
  FR 0.02..1000 0.02..1000 1..1000     0.1..39      0.15..39     4..5000     8..5000     1..5000     2..5000
  IT 0.02..1000 0.02..1000 1..1000     0.1..39      0.15..39     4..5000     6..5000     1..5000     2..5000
  ES 0.02..1000 0.02..1000 1..1000     0.1..39      0.15..39     4..5000     7..5000     2..5000     2..5000
  NL 0.02..1000 0.02..1000 1..1000     0.1..39      0.15..39     6..1560     8..1560     1..1560     2..1560
  SE 0.18..9300 0.18..1000 1..1000     0.9..500     1.3..500     36..20000   276..20000  2..200000   2..200000
  PL 0.04..2000 0.02..1000 1..1000     0.2..200     0.3..200     92..8000    180..8000   1..80000    2..80000
  BE 0.02..1000 0.02..1000 1..1000     0.1..39      0.15..39     4..1560     6..1560     1..1560     2..1560
  IE 0.02..1000 -          -           0.1..39      0.15..39     4..1560     6..1560     1..1560     2..1560
  TR 0.05..2500 0.05..2500 1.85..2500  0.2..200     0.3..200     74..8000    0.3..200?   106..8000?  2..80000
  AE 0.24..184  0.2..3670  1..3670     0.4..184     0.6..184     44..7360    28..7360    4..7360     8..7360
  SA 0.1..3670  0.1..3670  4..3670     0.4..184     0.6..184     28..7360    40..7360    5..7360     12..7360
  EG 0.15..5.5? 0.15..7400 5..7400     0.7..400     1..400       160..16000  300..16000  5..160000   10..160000
  IN 1..5000    1..5000    4..5000     1..500       1.5..500     84..80000   200..80000  28..800000  111..800000
  ZA 1..7000    0.7..1000  1.5..1000   0.7..350     1.1..350     0.7..350?   1.1..350?   0.7..350?   1.1..350?
  JP 2..100000  2..100000  100..100000 10..7760     15..7760     560..310400 800..310400 100..310400 356..310400
  AU 0.02..1410 0.2..1000  1..1000     0.1..70      0.15..70     14..2800    20..2800    3..2800     3..2800
  SG 0.02..1100 0.14..1410 4..1410     0.14..100    0.2..1400    6..4000     29..4000    4..4000     8..4000`;

const BUDGET_COLUMNS = [
  "sp_daily",
  "sb_daily seller",
  "sb_daily vendor",
  "sb_lifetime",
  "sd_daily seller",
  "sd_daily vendor",
] as const;

const BUDGETS = `
  US 1..1000000    1..1000000   1..1000000   100..20000000   1..1000000    1..50000
  CA 1..1000000    1..1000000   1..1000000   100..20000000   1..1000000    1..50000
  MX 1..21000000   1..21000000  1..21000000  1000..200000000 1..21000000   1..21000000
  BR 1.32..5300000 4..3700000?  4..3700000?  367..74000000?  1.32..5300000 1.32..5300000
  UK 1..1000000    1..1000000   1..1000000   100..20000000   1..1000000    1..50000
  DE 1..1000000    1..1000000   1..1000000   100..20000000   1..1000000    1..50000
  FR 1..1000000    1..1000000   1..1000000   100..20000000   1..1000000    1..50000
  IT 1..1000000    1..1000000   1..1000000   100..20000000   1..1000000    1..50000
  ES 1..1000000    1..1000000   1..1000000   100..20000000   1..1000000    1..50000
  NL 1..1000000    4..3700000?  4..3700000?  367..74000000?  1..1000000    1..1000000
  SE 9..9300000    9..9400000   9..9400000   900..187000000  1..1000000    1..1000000
  PL 2..2000000    2..2400000   2..2400000   200..47000000   1..1000000    1..1000000
  BE 1..1000000    1..1000000   1..1000000   100..20000000   1..1000000    1..1000000
  IE 1..1000000    1..1000000   1..1000000   100..2000000    -             -
  TR 2..2500000    2..2700000   2..2700000   250..53000000   2..2700000    2..2700000
  AE 4..3700000    4..3700000   4..3700000   367..74000000   4..3700000    4..3700000
  SA 4..3700000    4..3700000   4..3700000   367..74000000   4..3700000    4..3700000
  EG 7..7400000    7..7600000   7..7600000   750..151000000  7..7600000    7..7600000
  IN 50..21000000  100..21000000 500..21000000 5000..200000000 50..21000000  50..5000000
  ZA 20..7000000   6..7000000   6..7000000   650..140000000  6..7000000    6..7000000
  JP 100..21000000 100..21000000 100..21000000 10000..21000000 100..21000000 100..5000000
  AU 1.4..1500000  1.4..1500000 1.4..1500000 141..28000000   1.4..1500000  1.4..1500000
  SG 1.39..1300000 4..3700000?  4..3700000?  367..74000000?  4..1300000    4..1300000`;

const BID_LIMITS: ReadonlyMap<string, AmountLimits> = parse(BIDS, BID_KINDS);
const BUDGET_LIMITS: ReadonlyMap<string, AmountLimits> = parse(BUDGETS, BUDGET_COLUMNS);

/**
 * Returns the limits of a bid, as published in 2025-09; `undefined` if nothing is published. A question mark in the
 * table marks a probable error, such as Egypt's maximum Sponsored Products bid of 5.50 (its other products take
 * 7,400).
 */
export function bidLimits(country: CountryCode, kind: BidLimitKind): AmountLimits | undefined {
  return BID_LIMITS.get(`${normalizeCountry(country)} ${kind}`);
}

/**
 * Returns the limits of a budget, as published in 2025-09; `undefined` if nothing is published.
 *
 * @param accountType If unknown, the narrower vendor limits apply.
 */
export function budgetLimits(
  country: CountryCode,
  kind: BudgetLimitKind,
  accountType?: string,
): AmountLimits | undefined {
  const market = `${normalizeCountry(country)} ${kind}`;
  return BUDGET_LIMITS.get(market) ??
    BUDGET_LIMITS.get(`${market} ${accountType === "seller" ? "seller" : "vendor"}`);
}

/**
 * Converts an amount to multiples of the market's smallest daily budget, which makes currencies comparable without
 * rates. Use the result only for sorting and never display it.
 */
export function spendWeight(amount: number, country: CountryCode): number {
  return amount / (budgetLimits(country, "sp_daily")?.min ?? 1);
}

/** Properties of an entity that determine the limits of its bid. */
export interface BidOwner {
  /** Resource kind, such as `sb.keywords`. */
  readonly kind: string;
  /** Cost type of the campaign. @default unknown, and the widest limits hold */
  readonly costType?: unknown;
  /** True if the ads of the ad group are videos. @default unknown, and the widest limits hold */
  readonly isVideo?: boolean | undefined;
}

export function bidLimitsOf(
  country: CountryCode,
  { kind, costType, isVideo }: BidOwner,
): AmountLimits | undefined {
  const limits = (kinds: readonly BidLimitKind[]): AmountLimits | undefined =>
    kinds.map((one) => bidLimits(country, one)).reduce(widest, undefined);
  const byViews = typeof costType === "string" ? costType.toUpperCase() === "VCPM" : undefined;
  if (kind.startsWith("sd.")) {
    if (byViews === undefined) return limits(["sd_cpc", "sd_vcpm"]);
    return limits([byViews ? "sd_vcpm" : "sd_cpc"]);
  }
  if (!kind.startsWith("sb.")) return limits(["sp"]);
  const isImage = isVideo === undefined ? undefined : !isVideo;
  return byViews === true
    ? limits([
      ...(isVideo === true ? [] : ["sb_image_vcpm_bis", "sb_image_vcpm_ntb"] as const),
      ...(isImage === true ? [] : ["sb_video_vcpm_bis", "sb_video_vcpm_ntb"] as const),
    ])
    : limits([
      ...(isVideo === true ? [] : ["sb_image_cpc"] as const),
      ...(isImage === true ? [] : ["sb_video_cpc"] as const),
    ]);
}

export function budgetLimitsOf(
  country: CountryCode,
  { kind, accountType, isLifetime = false }: {
    readonly kind: string;
    readonly accountType?: string | undefined;
    readonly isLifetime?: boolean | undefined;
  },
): AmountLimits | undefined {
  if (kind.startsWith("sb.")) {
    return budgetLimits(country, isLifetime ? "sb_lifetime" : "sb_daily", accountType);
  }
  return budgetLimits(country, kind.startsWith("sd.") ? "sd_daily" : "sp_daily", accountType);
}

function widest(a: AmountLimits | undefined, b: AmountLimits | undefined): AmountLimits | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max), doubtful: a.doubtful || b.doubtful };
}

function parse(table: string, columns: readonly string[]): Map<string, AmountLimits> {
  return new Map(
    table.trim().split("\n").flatMap((line) => {
      const [country, ...cells] = line.trim().split(/ +/);
      return cells.flatMap((cell, at) => {
        const [, min, max, doubt] = /^([\d.]+?)\.\.([\d.]+)(\??)$/.exec(cell) ?? [];
        if (min === undefined) return [];
        const limits = { min: Number(min), max: Number(max), doubtful: doubt === "?" };
        return [[`${country} ${columns[at]}`, limits] as const];
      });
    }),
  );
}
