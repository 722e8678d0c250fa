/** Shopper behavior towards one keyword or target, estimated from figures. */
export interface ShopperLevel {
  /** Impressions on a usual day. */
  readonly impressions: number;
  /** Bid behind these impressions, in the currency of the profile. */
  readonly bid: number;
  /** Clicks per impression, from 0 to 1. */
  readonly clickRate: number;
  /** Cost per click as a share of the bid, from 0 to 1. */
  readonly costShare: number;
  /** Orders per click, from 0 to 1. */
  readonly orderRate: number;
  /** Sales per order, in the currency of the profile. */
  readonly orderValue: number;
}

/** Traffic levels from which a profile's traffic continues. */
export interface TrafficLevels {
  /** Levels of keywords, themes and targets, by id. */
  readonly clauses: Readonly<Record<string, ShopperLevel>>;
  /**
   * Default levels for entities without their own, such as new keywords: by EXACT, PHRASE, BROAD or
   * TARGETING_EXPRESSION.
   */
  readonly usual: Readonly<Record<string, ShopperLevel>>;
  /** Traffic by day of the week, Sunday first; 1 is a usual day. */
  readonly weekdays: readonly number[];
}
