export const SP_EXTENDED_FIELDS: readonly string[] = [
  "extendedData.creationDateTime",
  "extendedData.lastUpdateDateTime",
  "extendedData.servingStatus",
];

export const SB_EXTENDED_FIELDS: readonly string[] = [
  "extendedData.creationDate",
  "extendedData.lastUpdateDate",
  "extendedData.servingStatus",
];
