import type { Fields } from "../wire/resource_wire.ts";

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

/** The one that took the place of `productCollection`, which ended on 2024-11-30. */
export const DEFAULT_SB_AD_FORMAT = "productCollectionExtended";

/** Formats whose ads name the page that a click leads to. */
export const SB_AD_FORMATS_WITH_PAGE: readonly string[] = [
  "productCollection",
  "productCollectionExtended",
  "storeSpotlight",
  "brandVideo",
];

/** The format of a new ad. */
export function sbAdFormatOf(ad: Fields): string {
  return String(ad["adFormat"] ?? DEFAULT_SB_AD_FORMAT);
}
