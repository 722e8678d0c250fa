/**
 * Outcome of an item that did not succeed: `refused` — the platform did not do it; `partial` — it did part of it;
 * `not_sent` — it was never sent; `unknown` — it may or may not have been done, because there was no response.
 */
export type ItemOutcome = "refused" | "partial" | "not_sent" | "unknown";

/** The verdict on one item of a batch that did not succeed. */
export interface BatchError<Item = unknown> {
  /** Position of the item in the input list. */
  readonly index: number;
  /** The item as sent. */
  readonly item: Item | undefined;
  /** The platform's error family, for example `biddingError`; new ones may appear. */
  readonly errorType: string;
  /**
   * The platform's code, for example `BID_OUT_OF_MARKET_PLACE_RANGE`; `NO_VERDICT`, `NOT_SENT` and `UNKNOWN` are this
   * package's own codes.
   */
  readonly code: string;
  /** The platform's message. */
  readonly message: string;
  /** Result on the platform, as far as known. */
  readonly outcome: ItemOutcome;
  /** Id of the entity, if the platform returned it; only for `partial`. */
  readonly id?: string;
  /** The entity as returned by the platform; only for `partial`. */
  readonly entity?: unknown;
  /** Lowest accepted value, as the platform writes it, for bid, budget and range errors. */
  readonly lowerLimit: string | undefined;
  /** Highest accepted value. */
  readonly upperLimit: string | undefined;
  /** Advice. */
  readonly hint: string | undefined;
  /** True if the platform did not act on the item, and a retry may succeed. */
  readonly transient: boolean;
  /** The platform's error object, or the error that ended the request. */
  readonly raw: unknown;
}

/** The verdict on one item of a batch that was accepted. */
export interface BatchSuccess<Item = unknown, Entity = unknown> {
  /** Position of the item in the input list. */
  readonly index: number;
  /** Id of the entity, given by the platform. */
  readonly id: string | undefined;
  /** The item as sent. */
  readonly item: Item | undefined;
  /** The entity as returned by the platform, if it returns it. */
  readonly entity: Entity | undefined;
  /** True if nothing was sent, because the platform has the entity already. */
  readonly already?: true;
}
