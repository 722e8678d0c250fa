/** What a marketplace allows: bids of a click and budgets of a day, in its currency. */
export interface MarketplaceLimits {
  /** Lowest and highest bid. */
  readonly bid: readonly [low: number, high: number];
  /** Lowest and highest daily budget. */
  readonly budget: readonly [low: number, high: number];
  /** A usual bid, for plausible numbers. */
  readonly usualBid: number;
}

const EURO: MarketplaceLimits = { bid: [0.02, 1000], budget: [1, 1_000_000], usualBid: 0.55 };

const LIMITS: Readonly<Record<string, MarketplaceLimits>> = {
  US: { bid: [0.02, 1000], budget: [1, 1_000_000], usualBid: 0.95 },
  CA: { bid: [0.02, 1000], budget: [1, 1_000_000], usualBid: 0.85 },
  MX: { bid: [0.1, 20_000], budget: [1, 21_000_000], usualBid: 6.5 },
  BR: { bid: [0.07, 3700], budget: [1.33, 3_700_000], usualBid: 1.1 },
  UK: { bid: [0.02, 1000], budget: [1, 1_000_000], usualBid: 0.6 },
  SE: { bid: [0.18, 9300], budget: [9, 9_300_000], usualBid: 3.5 },
  PL: { bid: [0.04, 2000], budget: [4, 4_000_000], usualBid: 1.2 },
  TR: { bid: [0.05, 2500], budget: [5, 5_000_000], usualBid: 2.5 },
  AE: { bid: [0.24, 184], budget: [4, 3_700_000], usualBid: 1.6 },
  SA: { bid: [0.1, 3670], budget: [4, 3_700_000], usualBid: 1.5 },
  EG: { bid: [0.15, 55_000], budget: [15, 55_000_000], usualBid: 3.5 },
  IN: { bid: [1, 5000], budget: [50, 21_000_000], usualBid: 8 },
  ZA: { bid: [0.2, 18_000], budget: [18, 18_000_000], usualBid: 6 },
  JP: { bid: [2, 100_000], budget: [100, 21_000_000], usualBid: 48 },
  AU: { bid: [0.1, 1410], budget: [1.4, 1_500_000], usualBid: 0.8 },
  SG: { bid: [0.02, 1100], budget: [1.39, 1_500_000], usualBid: 0.7 },
};

/** The limits of a country's marketplace; those of the euro where the table has no line. */
export function limitsOf(countryCode: string): MarketplaceLimits {
  return LIMITS[countryCode] ?? EURO;
}
