/** One of the three regional hosts groups: North America, Europe (with India), Far East (with Australia). */
export type Region = "NA" | "EU" | "FE";

/**
 * Every region, in the order in which they are asked.
 *
 * @example
 * ```ts
 * import { PlatformAds, REGIONS } from "@platform/ads";
 *
 * function hosts(ads: PlatformAds): void {
 *   for (const region of REGIONS) if (ads.platform.regions[region]) console.log(region, ads.baseUrl(region));
 * }
 * ```
 */
export const REGIONS: readonly Region[] = ["NA", "EU", "FE"];
