import type { JsonObject } from "../core/json.ts";

export interface ItemError {
  readonly errorType: string;
  readonly reason: string;
  readonly message: string;
  /** Field path in the item, for example `budget.budget`; empty for the item itself. */
  readonly field: string;
  readonly trigger?: unknown;
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
