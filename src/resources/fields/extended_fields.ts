/** What the platform adds to a Sponsored Products entity or a portfolio when extended data is asked for. */
export const SP_EXTENDED_FIELDS: readonly string[] = [
  "extendedData.creationDateTime",
  "extendedData.lastUpdateDateTime",
  "extendedData.servingStatus",
];

/** What the platform adds to a Sponsored Brands entity when extended data is asked for. */
export const SB_EXTENDED_FIELDS: readonly string[] = [
  "extendedData.creationDate",
  "extendedData.lastUpdateDate",
  "extendedData.servingStatus",
];
