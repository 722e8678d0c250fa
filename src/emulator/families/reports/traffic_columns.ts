import { type Column, type Columns, ratio } from "./column.ts";
import type { Tally } from "./tally.ts";

const VIEWABLE = 0.68;
const VIDEO = { five: 0.42, first: 0.38, middle: 0.27, third: 0.2, complete: 0.15, unmuted: 0.02 } as const;
const INVALID = { impressions: 0.012, clicks: 0.03 } as const;

export const TRAFFIC_COLUMNS: Columns = {
  impressions: ({ tally }) => tally.impressions,
  clicks: ({ tally }) => tally.clicks,
  cost: ({ tally }, { unit }) => tally.cost / unit,
  spend: ({ tally }, { unit }) => tally.cost / unit,
  costPerClick: ({ tally }, { unit }) => ratio(tally.cost / unit, tally.clicks),
  clickThroughRate: ({ tally }) => ratio(100 * tally.clicks, tally.impressions),
  topOfSearchImpressionShare: ({ tally: { topShare } }) =>
    topShare === undefined ? null : Number(topShare.toFixed(2)),

  viewableImpressions: count(viewable),
  impressionsViews: count(viewable),
  viewabilityRate: ({ tally }) => ratio(100 * viewable(tally), tally.impressions),
  viewClickThroughRate: ({ tally }) => ratio(100 * tally.clicks, viewable(tally)),
  cumulativeReach: count(reach),
  impressionsFrequencyAverage: ({ tally }) => ratio(tally.impressions, reach(tally)),

  video5SecondViews: video("five"),
  video5SecondViewRate: ({ tally }) => ratio(100 * played(tally, VIDEO.five), tally.impressions),
  videoFirstQuartileViews: video("first"),
  videoMidpointViews: video("middle"),
  videoThirdQuartileViews: video("third"),
  videoCompleteViews: video("complete"),
  videoUnmutes: video("unmuted"),

  invalidImpressions: count(invalidImpressions),
  invalidImpressionRate: ({ tally }) => ratio(100 * invalidImpressions(tally), grossImpressions(tally)),
  grossImpressions: count(grossImpressions),
  invalidClickThroughs: count(invalidClicks),
  invalidClickThroughRate: ({ tally }) => ratio(100 * invalidClicks(tally), grossClicks(tally)),
  grossClickThroughs: count(grossClicks),

  detailPageViews: count(({ views }) => views),
  detailPageViewsClicks: count(({ views }) => views),
  newToBrandDetailPageViews: count(({ newViews }) => newViews),
  newToBrandDetailPageViewsClicks: count(({ newViews }) => newViews),
  newToBrandDetailPageViewClicks: count(({ newViews }) => newViews),
  newToBrandDetailPageViewViews: count(() => 0),
  newToBrandDetailPageViewRate: ({ tally }) => ratio(100 * tally.newViews, tally.impressions),
  newToBrandECPDetailPageView: costOf(({ newViews }) => newViews),
  addToCart: count(({ carts }) => carts),
  addToCartClicks: count(({ carts }) => carts),
  addToCartViews: count(() => 0),
  addToCartRate: ({ tally }) => ratio(100 * tally.carts, tally.impressions),
  eCPAddToCart: costOf(({ carts }) => carts),
  addToList: count(({ lists }) => lists),
  addToListFromClicks: count(({ lists }) => lists),
  addToListFromViews: count(() => 0),
  brandedSearches: count(({ searches }) => searches),
  brandedSearchesClicks: count(({ searches }) => searches),
  brandedSearchesViews: count(() => 0),
  brandedSearchRate: ({ tally }) => ratio(100 * tally.searches, tally.impressions),
  eCPBrandSearch: costOf(({ searches }) => searches),

  kindleEditionNormalizedPagesRead14d: count(({ pages }) => pages),
  kindleEditionNormalizedPagesRoyalties14d: ({ tally }, { unit }) =>
    Math.round(tally.pages * 0.0042 * unit) / unit,
  qualifiedBorrows: count(borrows),
  qualifiedBorrowsFromClicks: count(borrows),
  qualifiedBorrowsFromViews: count(() => 0),
  royaltyQualifiedBorrows: count(borrows),
  royaltyQualifiedBorrowsFromClicks: count(borrows),
  royaltyQualifiedBorrowsFromViews: count(() => 0),
};

function count(read: (tally: Tally) => number): Column {
  return ({ tally }) => read(tally);
}

function costOf(read: (tally: Tally) => number): Column {
  return ({ tally }, { unit }) => ratio(tally.cost / unit, read(tally));
}

function video(point: keyof typeof VIDEO): Column {
  return ({ tally }) => played(tally, VIDEO[point]);
}

function played(tally: Tally, share: number): number {
  return Math.floor(viewable(tally) * share);
}

function viewable({ impressions, clicks }: Tally): number {
  return Math.max(clicks, Math.floor(impressions * VIEWABLE));
}

function reach({ impressions, clicks }: Tally): number {
  return Math.max(clicks, Math.floor(impressions / 1.9));
}

function invalidImpressions({ impressions }: Tally): number {
  return Math.floor(impressions * INVALID.impressions);
}

function grossImpressions(tally: Tally): number {
  return tally.impressions + invalidImpressions(tally);
}

function invalidClicks({ clicks }: Tally): number {
  return Math.floor(clicks * INVALID.clicks);
}

function grossClicks(tally: Tally): number {
  return tally.clicks + invalidClicks(tally);
}

/** Every 250 pages read count as one borrowed book. */
function borrows({ pages }: Tally): number {
  return Math.floor(pages / 250);
}
