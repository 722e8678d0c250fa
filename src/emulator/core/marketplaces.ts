/** A host of the platform: one of the three regions, or the sandbox, which serves all regions. */
export type ApiHost = "NA" | "EU" | "FE" | "SANDBOX";

type AmountRange = readonly [low: number, high: number];

/** Unit that a bid pays for. `Vcpm` bids are for a thousand viewable impressions. */
export type BidKind = typeof BID_KINDS[number];

export type BudgetKind = "sp" | "sb" | "sbLifetime" | "sd";

const BID_KINDS = ["sp", "sdCpc", "sdVcpm", "sbImage", "sbVideo", "sbImageVcpm", "sbVideoVcpm"] as const;

const BIDS = readTable(`
  US  0.95  0.02..1000  0.02..1000  1..1000      0.1..49     0.25..49     8..5000      12..5000
  CA  0.85  0.02..1000  0.02..1000  1..1000      0.1..49     0.15..49     11..5000     11..5000
  MX  6.5   0.1..20000  0.1..20000  5..20000     0.1..20000  0.15..20000  128..800000  80..800000
  BR  1.1   0.07..3700  0.07..3700  2..3700      0.53..200   0.8..25000   37..8000     53..8000
  UK  0.6   0.02..1000  0.02..1000  1..1000      0.1..31     0.15..31     4..5000      8..5000
  DE  0.55  0.02..1000  0.02..1000  1..1000      0.1..39     0.15..39     5..5000      7..5000
  FR  0.55  0.02..1000  0.02..1000  1..1000      0.1..39     0.15..39     4..5000      8..5000
  IT  0.55  0.02..1000  0.02..1000  1..1000      0.1..39     0.15..39     4..5000      6..5000
  ES  0.55  0.02..1000  0.02..1000  1..1000      0.1..39     0.15..39     4..5000      7..5000
  NL  0.55  0.02..1000  0.02..1000  1..1000      0.1..39     0.15..39     6..1560      8..1560
  SE  3.5   0.18..9300  0.18..1000  1..1000      0.9..500    1.3..500     36..20000    276..20000
  PL  1.2   0.04..2000  0.02..1000  1..1000      0.2..200    0.3..200     92..8000     180..8000
  BE  0.55  0.02..1000  0.02..1000  1..1000      0.1..39     0.15..39     4..1560      6..1560
  IE  0.55  0.02..1000  -           -            0.1..39     0.15..39     4..1560      6..1560
  TR  2.5   0.05..2500  0.05..2500  1.85..2500   0.2..200    0.3..200     74..8000     0.3..200
  AE  1.6   0.24..184   0.2..3670   1..3670      0.4..184    0.6..184     44..7360     28..7360
  SA  1.5   0.1..3670   0.1..3670   4..3670      0.4..184    0.6..184     28..7360     40..7360
  EG  3.5   0.15..7400  0.15..7400  5..7400      0.7..400    1..400       160..16000   300..16000
  IN  8     1..5000     1..5000     4..5000      1..500      1.5..500     84..80000    200..80000
  ZA  6     1..7000     0.7..1000   1.5..1000    0.7..350    1.1..350     0.7..350     1.1..350
  JP  48    2..100000   2..100000   100..100000  10..7760    15..7760     560..310400  800..310400
  AU  0.8   0.02..1410  0.2..1000   1..1000      0.1..70     0.15..70     14..2800     20..2800
  SG  0.7   0.02..1100  0.14..1410  4..1410      0.14..100   0.2..1400    6..4000      29..4000`);

/** Budget limits; columns: sp, sb of sellers, sb of vendors, sb lifetime, sd of sellers, sd of vendors. */
const BUDGETS = readTable(`
  US  1..1000000     1..1000000     1..1000000     100..20000000    1..1000000     1..50000
  CA  1..1000000     1..1000000     1..1000000     100..20000000    1..1000000     1..50000
  MX  1..21000000    1..21000000    1..21000000    1000..200000000  1..21000000    1..21000000
  BR  1.32..5300000  4..3700000     4..3700000     367..74000000    1.32..5300000  1.32..5300000
  UK  1..1000000     1..1000000     1..1000000     100..20000000    1..1000000     1..50000
  DE  1..1000000     1..1000000     1..1000000     100..20000000    1..1000000     1..50000
  FR  1..1000000     1..1000000     1..1000000     100..20000000    1..1000000     1..50000
  IT  1..1000000     1..1000000     1..1000000     100..20000000    1..1000000     1..50000
  ES  1..1000000     1..1000000     1..1000000     100..20000000    1..1000000     1..50000
  NL  1..1000000     4..3700000     4..3700000     367..74000000    1..1000000     1..1000000
  SE  9..9300000     9..9400000     9..9400000     900..187000000   1..1000000     1..1000000
  PL  2..2000000     2..2400000     2..2400000     200..47000000    1..1000000     1..1000000
  BE  1..1000000     1..1000000     1..1000000     100..20000000    1..1000000     1..1000000
  IE  1..1000000     1..1000000     1..1000000     100..2000000     -              -
  TR  2..2500000     2..2700000     2..2700000     250..53000000    2..2700000     2..2700000
  AE  4..3700000     4..3700000     4..3700000     367..74000000    4..3700000     4..3700000
  SA  4..3700000     4..3700000     4..3700000     367..74000000    4..3700000     4..3700000
  EG  7..7400000     7..7600000     7..7600000     750..151000000   7..7600000     7..7600000
  IN  50..21000000   100..21000000  500..21000000  5000..200000000  50..21000000   50..5000000
  ZA  20..7000000    6..7000000     6..7000000     650..140000000   6..7000000     6..7000000
  JP  100..21000000  100..21000000  100..21000000  10000..21000000  100..21000000  100..5000000
  AU  1.4..1500000   1.4..1500000   1.4..1500000   141..28000000    1.4..1500000   1.4..1500000
  SG  1.39..1300000  4..3700000     4..3700000     367..74000000    4..1300000     4..1300000`);

/** Returns the limits of a bid: those of Germany for a country without a marketplace, the widest if unpublished. */
export function bidRange(countryCode: string, kind: BidKind): AmountRange {
  const [_usual, ...ranges] = lineOf(BIDS, countryCode);
  return rangeOf(ranges[BID_KINDS.indexOf(kind)]);
}

export function budgetRange(countryCode: string, kind: BudgetKind, accountType = "seller"): AmountRange {
  const [sp, sbSeller, sbVendor, sbLifetime, sdSeller, sdVendor] = lineOf(BUDGETS, countryCode);
  const isVendor = accountType === "vendor";
  return rangeOf(
    { sp, sb: isVendor ? sbVendor : sbSeller, sbLifetime, sd: isVendor ? sdVendor : sdSeller }[kind],
  );
}

export function usualBid(countryCode: string): number {
  return Number(lineOf(BIDS, countryCode)[0]);
}

export function decimalsOf(countryCode: string): number {
  return countryCode === "JP" ? 0 : 2;
}

function lineOf(table: ReadonlyMap<string, readonly string[]>, countryCode: string): readonly string[] {
  return table.get(countryCode) ?? table.get("DE") ?? [];
}

function rangeOf(text: string | undefined): AmountRange {
  const [low, high] = (text ?? "-").split("..");
  return high === undefined ? [0.01, Infinity] : [Number(low), Number(high)];
}

function readTable(text: string): ReadonlyMap<string, readonly string[]> {
  return new Map(
    text.trim().split("\n").map((line) => {
      const [country = "", ...cells] = line.trim().split(/\s+/);
      return [country, cells];
    }),
  );
}
