/** Fields that the platform adds to a Sponsored Products entity or a portfolio on request for extended data. */
export const SP_EXTENDED_FIELDS: readonly string[] = [
  "extendedData.creationDateTime",
  "extendedData.lastUpdateDateTime",
  "extendedData.servingStatus",
];

/** Fields that the platform adds to a Sponsored Brands entity on request for extended data. */
export const SB_EXTENDED_FIELDS: readonly string[] = [
  "extendedData.creationDate",
  "extendedData.lastUpdateDate",
  "extendedData.servingStatus",
];
