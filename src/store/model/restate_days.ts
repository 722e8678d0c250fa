/**
 * Restatement window in days: how long the platform may change the attributed figures of a day.
 *
 * @example
 * ```ts
 * import { RESTATE_DAYS } from "@platform/ads/store";
 *
 * const final = new Date(Date.now() - RESTATE_DAYS * 86_400_000); // the figures of earlier days are final
 * console.log(final);
 * ```
 */
export const RESTATE_DAYS = 42;
