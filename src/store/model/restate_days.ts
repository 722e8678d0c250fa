/**
 * The restatement window: the longest after which the platform changes what it attributed to a day.
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
