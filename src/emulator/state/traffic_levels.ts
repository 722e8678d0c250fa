/** Shopper behavior towards one keyword or target, estimated from figures. */
export interface ShopperLevel {
  /** Impressions of a usual day. */
  readonly impressions: number;
  /** Bid behind these impressions, in the currency of the profile. */
  readonly bid: number;
  /** Clicks an impression, from 0 to 1. */
  readonly clickRate: number;
  /** Cost of a click as a share of the bid, from 0 to 1. */
  readonly costShare: number;
  /** Orders a click, from 0 to 1. */
  readonly orderRate: number;
  /** Sales of an order, in the currency. */
  readonly orderValue: number;
}

/** The levels that the traffic of a profile goes on from. */
export interface TrafficLevels {
  /** Levels of keywords, themes and targets, by id. */
  readonly clauses: Readonly<Record<string, ShopperLevel>>;
  /** Levels of what has none of its own, such as new keywords: by EXACT, PHRASE, BROAD or TARGETING_EXPRESSION. */
  readonly usual: Readonly<Record<string, ShopperLevel>>;
  /** Traffic of the days of a week from Sunday, where 1 is a usual day. */
  readonly weekdays: readonly number[];
}
