/** Formats of Sponsored Brands ads; each is created at an endpoint of its own. */
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
