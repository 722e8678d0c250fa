const WORTH_SEEING =
  /^(?:date|startDate|endDate|campaignName|adGroupName|placementClassification|targeting|targetingText|searchTerm|matchType|advertisedAsin|purchasedAsin|productName|attributionType|impressions|clicks|cost|purchases(?:14d)?|sales(?:14d)?|orders14d)$/;
/** Used only if a report has no longer attribution window. */
const SHORTER = /^(?:purchases|sales)7d$/;

export function reportColumns(columns: readonly string[]): readonly string[] {
  const hasLonger = columns.some((column) => /^(?:purchases|sales)14d$/.test(column));
  const chosen = columns.filter((column) => WORTH_SEEING.test(column) || !hasLonger && SHORTER.test(column));
  return chosen.length > 2 ? chosen : columns;
}
