import { REPORT_COLUMNS } from "../../../../catalog/report_columns.ts";
import { type Column, type Columns, ratio, type ReportRow } from "./column.ts";
import type { Tally } from "./tally.ts";

const INTEGERS = namesOf(REPORT_COLUMNS.integer);
const NUMBERS = namesOf(REPORT_COLUMNS.real);

const PARTS: Readonly<Record<string, readonly [string, string, string]>> = {
  bidAdjustmentMatchedTermIds: ["7001", "7002", "7003"],
  bidAdjustmentMatchedTerms: ["Device: Phone", "Device: Tablet", "Device: Desktop"],
  browserName: ["Chrome", "Safari", "Firefox"],
  browserVersion: ["Chrome 131", "Safari 18", "Firefox 133"],
  city: ["Springfield", "Riverside", "Fairview"],
  contentGenre: ["Drama", "Comedy", "Documentary"],
  contentRating: ["PG", "PG-13", "G"],
  contentTitle: ["The Long Trail", "Kitchen Stories", "Rivers of the North"],
  contentType: ["Series", "Film", "Live"],
  country: ["US", "CA", "MX"],
  deal: ["Autumn package", "Outdoor package", "Kitchen package"],
  dealId: ["5001", "5002", "5003"],
  dealType: ["Preferred", "Private auction", "Guaranteed"],
  deviceName: ["Phone", "Tablet", "Desktop"],
  dmaCode: ["501", "803", "602"],
  dmaName: ["New York", "Los Angeles", "Chicago"],
  environmentName: ["App", "Web", "Connected TV"],
  frequencyGroupId: ["9001", "9002", "9003"],
  frequencyGroupName: ["Awareness", "Consideration", "Purchase"],
  operatingSystemName: ["Android", "iOS", "Windows"],
  placement: ["Top of page", "Side of page", "End of page"],
  placementSize: ["300x250", "728x90", "160x600"],
  postalCode: ["10001", "90001", "60601"],
  region: ["New York", "California", "Illinois"],
  simplifiedPath: ["Display > Products", "Brands > Products", "Products"],
  site: ["news.example", "recipes.example", "sports.example"],
  supplySource: ["Open exchange", "Private marketplace", "Streaming TV"],
  supplySourceId: ["3001", "3002", "3003"],
};

/** In DSP, an order is a campaign, a line item an ad group, and a creative an ad. */
const SUBJECTS: Columns = {
  advertiserId: (_row, { account }) => account.id,
  advertiserName: (_row, { account }) => account.name,
  advertiserCountry: (_row, { account }) => account.countryCode,
  advertiserTimezone: (_row, { account }) => account.timezone,
  brandName: (_row, { account }) => account.name,
  entityId: (_row, { account }) => account.id,
  marketplace: (_row, { marketplaceId }) => marketplaceId,
  intervalStart: ({ day }, { startDate }) => day || startDate,
  intervalEnd: ({ day }, { endDate }) => day || endDate,
  orderId: ({ campaign }) => BigInt(campaign.id),
  orderName: ({ campaign }) => String(campaign.entity.name),
  orderCurrency: (_row, { currencyCode }) => currencyCode,
  orderBudget: ({ campaign }, { asOf }) => campaign.budget.at(asOf),
  lineItemId: ({ campaign, adGroup }) => BigInt(adGroup?.id ?? campaign.id),
  lineItemName: ({ campaign, adGroup }) => String((adGroup ?? campaign).entity.name),
  lineItemStatus: ({ campaign, adGroup }, { asOf }) => (adGroup ?? campaign).life.state.at(asOf),
  lineItemType: () => "DISPLAY",
  creativeId: ({ ad }) => ad === undefined ? null : BigInt(ad.id),
  creativeAdId: ({ ad }) => ad === undefined ? null : BigInt(ad.id),
  creativeName: ({ ad }) => ad === undefined ? null : `Creative ${ad.id}`,
  creativeType: ({ ad }) => ad === undefined ? null : "IMAGE",
  creativeSize: ({ ad }) => ad === undefined ? null : "300x250",
};

const COSTS: Readonly<Record<string, number>> = { totalCost: 1, supplyCost: 0.8, totalFee: 0.2 };

export function generalColumn(name: string): Column {
  const subject = SUBJECTS[name];
  if (subject !== undefined) return subject;
  if (INTEGERS.has(name)) return ({ tally }) => counted(name, tally);
  if (NUMBERS.has(name)) return (row, { unit }) => amount(name, row, unit);
  return ({ part }) => part === undefined ? null : PARTS[name]?.[part] ?? null;
}

/** Derives a count from clicks, so that click-based and view-based counts add up to the total. */
function counted(name: string, { clicks, impressions }: Tally): number {
  if (/^(?:reach|householdReach|.*Reach)$/.test(name)) return Math.max(clicks, Math.floor(impressions / 2));
  if (/impressions/i.test(name)) return Math.floor(impressions * share(name));
  const stem = name.replace(/(?:Views|Clicks)$/, "");
  const total = Math.floor(clicks * share(stem));
  const clicked = Math.floor(total * 0.6);
  if (stem === name) return total;
  return name.endsWith("Clicks") ? clicked : total - clicked;
}

function amount(name: string, { tally }: ReportRow, unit: number): number | null {
  const { clicks, impressions } = tally;
  const cost = tally.cost / unit;
  const sales = tally.all.sales[2] / unit;
  const whole = COSTS[name];
  if (whole !== undefined) return rounded(cost * whole);
  if (/^eCPM$|^costPerThousand|CPM$/.test(name)) return ratio(1000 * cost, impressions);
  if (/^eCPC$/.test(name)) return ratio(cost, clicks);
  if (/^(?:eCP|totalECP|effectiveCost)|CPA$/.test(name)) return ratio(cost, Math.floor(clicks * share(name)));
  if (/roas/i.test(name)) return ratio(sales, cost);
  if (/frequency/i.test(name)) return ratio(impressions, Math.max(clicks, Math.floor(impressions / 2)));
  if (/rate$|percentage|CVR$/i.test(name)) return ratio(100 * Math.floor(clicks * share(name)), impressions);
  if (/cost|fee|budget/i.test(name)) return rounded(cost * share(name) * 0.2);
  return rounded(sales * share(name));
}

function rounded(amount: number): number {
  return Number(amount.toFixed(2));
}

/** Returns a fraction between 0.05 and 0.65 that is fixed per name. */
function share(name: string): number {
  let hash = 7;
  for (const char of name) hash = (hash * 31 + char.charCodeAt(0)) % 9973;
  return 0.05 + 0.6 * hash / 9973;
}

function namesOf(lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(" ")));
}
