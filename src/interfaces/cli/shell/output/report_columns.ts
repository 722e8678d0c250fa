/** Columns that a person wants to see first; a table has no room for all. */
const WORTH_SEEING =
  /^(?:date|startDate|endDate|campaignName|adGroupName|placementClassification|targeting|targetingText|searchTerm|matchType|advertisedAsin|purchasedAsin|productName|attributionType|impressions|clicks|cost|purchases(?:14d)?|sales(?:14d)?|orders14d)$/;
/** Purchases within a shorter window, shown where a report has no other. */
const SHORTER = /^(?:purchases|sales)7d$/;

/**
 * The columns of a report that a table shows when none were chosen.
 *
 * @param columns Those that have values.
 */
export function reportColumns(columns: readonly string[]): readonly string[] {
  const hasLonger = columns.some((column) => /^(?:purchases|sales)14d$/.test(column));
  const chosen = columns.filter((column) => WORTH_SEEING.test(column) || !hasLonger && SHORTER.test(column));
  return chosen.length > 2 ? chosen : columns;
}
