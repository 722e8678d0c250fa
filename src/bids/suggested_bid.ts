import type { BidExpression } from "./bid_expression.ts";

/** A suggestion; prices are in the marketplace's currency, and `undefined` where the platform gives none. */
export interface SuggestedBid {
  /** Target of the bid, in the terms of the suggestion service. */
  readonly expression: BidExpression;
  /** Occasion the suggestion is made for, for example `CONVERSION_OPPORTUNITIES`. */
  readonly theme: string;
  /** Lower end of the range of bids that won lately. */
  readonly low: number | undefined;
  /** The bid that is suggested. */
  readonly suggested: number | undefined;
  /** Upper end of the range. */
  readonly high: number | undefined;
}

/** A suggestion for a targeting clause. */
export interface TargetSuggestion extends SuggestedBid {
  /** Id of the clause. */
  readonly targetId: string;
}
