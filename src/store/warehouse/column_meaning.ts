const MEANINGS: Readonly<Record<string, string>> = {
  date: "day, in the time zone of the profile",
  impressions: "times an ad was shown",
  clicks: "clicks on ads",
  cost: "spend, in the currency of the profile",
  campaignStatus: "state of the campaign when the report was made, not on the day",
  campaignBudgetAmount: "budget when the report was made, not on the day",
  campaignBudgetType: "DAILY or LIFETIME",
  campaignBudgetCurrencyCode: "ISO 4217 code of the budget",
  campaignBiddingStrategy: "bidding strategy of the campaign",
  adStatus: "state of the ad group when the report was made",
  adKeywordStatus: "state of the keyword or target when the report was made",
  keywordBid: "bid when the report was made, not on the day",
  keywordId: "keyword; for product targets the target",
  keyword: "text of the keyword or target",
  keywordText: "text of the keyword",
  targeting: "text of the keyword, or expression of the target",
  matchType: "match type of the keyword; empty for targets",
  searchTerm: "what the shopper searched for; terms with a click only",
  placementClassification: "where the ad was shown",
  topOfSearchImpressionShare:
    "share of the impressions at the top of search that the campaign could have had",
  advertisedAsin: "product that was advertised",
  advertisedSku: "seller's id of the product that was advertised",
  purchasedAsin: "product that was bought",
  attributionType: "Promoted, or Brand Halo for another product of the brand",
  detailPageViews: "views of product pages",
  purchases: "orders within 14 days of a click",
  sales: "sales within 14 days of a click, in the currency of the profile",
  unitsSold: "units within 14 days of a click",
};

const COUNTED: readonly (readonly [start: string, what: string])[] = [
  ["newToBrandPurchases", "orders of shoppers new to the brand"],
  ["newToBrandSales", "sales to shoppers new to the brand, in the currency of the profile,"],
  ["newToBrandUnitsSold", "units bought by shoppers new to the brand"],
  ["kindleEditionNormalizedPagesRead", "e-book pages read"],
  ["kindleEditionNormalizedPagesRoyalties", "royalties of e-book pages, in the currency of the profile,"],
  ["salesOtherSku", "sales of other products than the advertised one, in the currency of the profile,"],
  ["unitsSoldOtherSku", "units of other products than the advertised one"],
  ["purchases", "orders"],
  ["orders", "orders"],
  ["sales", "sales, in the currency of the profile,"],
  ["unitsSold", "units"],
];

export function columnMeaning(name: string): string {
  const known = MEANINGS[name];
  if (known !== undefined) return known;
  const days = /(\d+)d$/.exec(name)?.[1];
  const counted = COUNTED.find(([start]) => name.startsWith(start));
  if (counted !== undefined && days !== undefined) {
    return `${counted[1]} within ${days} ${days === "1" ? "day" : "days"} of a click`;
  }
  return name.replace(/([a-z])([A-Z0-9])/g, "$1 $2").toLowerCase().replace(/ id$/, " id");
}
