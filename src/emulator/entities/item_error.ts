import type { JsonObject } from "../core/json.ts";

/** Why one item of a batch was refused, in the platform's error families. */
export interface ItemError {
  /** The family, for example `biddingError`. */
  readonly errorType: string;
  /** The reason within the family, for example `BID_OUT_OF_MARKET_PLACE_RANGE`. */
  readonly reason: string;
  readonly message: string;
  /** The field below the item, for example `budget.budget`; empty for the item itself. */
  readonly field: string;
  /** The value that caused it. */
  readonly trigger?: unknown;
  /** Further fields of the family: limits, marketplace, entity. */
  readonly details?: JsonObject;
}

/** Options of an error beside family, reason and field. */
interface ItemErrorOptions {
  /** The value that caused it. */
  readonly trigger?: unknown;
  /** Limits, marketplace, entity. */
  readonly details?: JsonObject;
}

/** An item error of a family. */
export function itemError(
  [errorType, reason]: readonly [errorType: string, reason: string],
  field: string,
  message: string,
  options: ItemErrorOptions = {},
): ItemError {
  return { errorType, reason, field, message, ...options };
}

/** The errors of one item as the response to a batch holds them. */
export function toWireErrors(
  errors: readonly ItemError[],
  at: { collection: string; index: number },
): JsonObject {
  return {
    index: at.index,
    errors: errors.map(({ errorType, reason, message, field, trigger, details }) => ({
      errorType,
      errorValue: {
        [errorType]: {
          reason,
          message,
          cause: {
            location: `$.${at.collection}[${at.index}]${field === "" ? "" : `.${field}`}`,
            ...(trigger === undefined ? {} : { trigger: String(trigger) }),
          },
          ...details,
        },
      },
    })),
  };
}
