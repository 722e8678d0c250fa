/**
 * Formats of Sponsored Brands ads; each is created at an endpoint of its own.
 *
 * @example
 * ```ts
 * import { SB_AD_FORMATS } from "@platform/ads";
 *
 * console.log(SB_AD_FORMATS.includes("video")); // true
 * ```
 */
export const SB_AD_FORMATS = [
  "productCollection",
  "productCollectionExtended",
  "storeSpotlight",
  "video",
  "brandVideo",
  "autoCollection",
  "manualCollection",
] as const;

/** A format of a Sponsored Brands ad. */
export type SbAdFormat = typeof SB_AD_FORMATS[number];
