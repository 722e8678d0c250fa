import type { JsonObject } from "../core/json.ts";

/** Refusal of an item, in the platform's error families. */
export interface ItemError {
  /** The family, for example `biddingError`. */
  readonly errorType: string;
  /** The reason within the family, for example `BID_OUT_OF_MARKET_PLACE_RANGE`. */
  readonly reason: string;
  readonly message: string;
  /** Field path in the item, for example `budget.budget`; empty for the item itself. */
  readonly field: string;
  readonly trigger?: unknown;
  /** Further fields of the family: limits, marketplace, entity. */
  readonly details?: JsonObject;
}

interface ItemErrorOptions {
  readonly trigger?: unknown;
  readonly details?: JsonObject;
}

export function itemError(
  [errorType, reason]: readonly [errorType: string, reason: string],
  field: string,
  message: string,
  options: ItemErrorOptions = {},
): ItemError {
  return { errorType, reason, field, message, ...options };
}

/** An item's errors in a batch response. */
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
