import type { JsonObject } from "../../core/json.ts";
import { uuid } from "./message_queue.ts";
import type { ProfileRecord } from "../../state/profile_record.ts";
import { type Order, PLACEMENTS } from "../../traffic/clause_day.ts";
import type { Family } from "../../traffic/read_campaigns.ts";
import type { HourChange, HourPlace } from "./hourly_traffic.ts";

interface PublishedDataset {
  readonly family: Family;
  readonly isConversion: boolean;
  readonly subject: (place: HourPlace) => JsonObject;
}

const PRODUCTS_WINDOWS = [1, 7, 14, 30];

const KEYWORD = ({ campaign, adGroup, ad, clause, placement }: HourPlace): JsonObject => ({
  campaign_id: campaign.id,
  ad_group_id: adGroup.id,
  ad_id: ad?.id ?? "",
  keyword_id: clause.id,
  placement: PLACEMENTS[placement] ?? PLACEMENTS[0],
});

const BRANDS = ({ campaign, adGroup, ad, clause, placement }: HourPlace): JsonObject => ({
  campaign_id: campaign.id,
  ad_group_id: adGroup.id,
  ad_id: ad?.id ?? "",
  keyword_id: clause.id,
  keyword_text: clause.text,
  keyword_type: clause.type,
  placement_type: PLACEMENTS[placement] ?? PLACEMENTS[0],
});

export const PUBLISHED: Readonly<Record<string, PublishedDataset>> = {
  "sp-traffic": {
    family: "sp",
    isConversion: false,
    subject: (place) => ({
      ...KEYWORD(place),
      keyword_text: place.clause.text,
      match_type: place.clause.type,
    }),
  },
  "sp-conversion": { family: "sp", isConversion: true, subject: KEYWORD },
  "sb-traffic": { family: "sb", isConversion: false, subject: BRANDS },
  "sb-conversion": { family: "sb", isConversion: true, subject: BRANDS },
  "sd-traffic": {
    family: "sd",
    isConversion: false,
    subject: ({ campaign, adGroup, ad, clause }) => ({
      campaign_id: campaign.id,
      ad_group_id: adGroup.id,
      ad_id: ad?.id ?? "",
      target_id: clause.id,
      targeting_text: clause.text,
    }),
  },
};

interface RecordSource {
  readonly dataset: string;
  readonly profile: ProfileRecord;
  readonly unit: number;
  readonly publication: string;
}

export function streamRecords(changes: Iterable<HourChange>, source: RecordSource): JsonObject[] {
  const { dataset, profile, unit, publication } = source;
  const { family, isConversion, subject } = PUBLISHED[dataset]!;
  const rows = new Map<string, { about: JsonObject; hour: number; sums: Record<string, number> }>();
  for (const change of changes) {
    if ((change.kind === "order") !== isConversion) continue;
    const about = subject(change);
    const key = `${change.hour} ${JSON.stringify(about)}`;
    let row = rows.get(key);
    if (row === undefined) rows.set(key, row = { about, hour: change.hour, sums: {} });
    for (const [name, value] of figures(change, family)) row.sums[name] = (row.sums[name] ?? 0) + value;
  }
  return [...rows].flatMap(([key, { about, hour, sums }]) => {
    if (Object.values(sums).every((sum) => sum === 0)) return [];
    const amounts = Object.entries(sums).map(([name, sum]) => [name, isAmount(name) ? sum / unit : sum]);
    return [{
      idempotency_id: uuid(`${profile.profileId} ${dataset} ${publication} ${key}`),
      dataset_id: dataset,
      marketplace_id: profile.accountInfo.marketplaceStringId,
      currency: profile.currencyCode,
      advertiser_id: profile.accountInfo.id,
      ...about,
      time_window_start: new Date(hour).toISOString().replace(".000Z", "Z"),
      ...Object.fromEntries(amounts),
    }];
  });
}

/** Amounts are in the currency's smallest unit. */
function figures(change: HourChange, family: Family): [string, number][] {
  if (change.kind === "impressions") {
    return [["clicks", 0], ["impressions", change.count], ["cost", 0], ...viewed(family, change.count)];
  }
  const { click, sign } = change;
  if (change.kind === "click") {
    return [["clicks", sign], ["impressions", sign], ["cost", sign * click.cost], ...viewed(family, sign)];
  }
  const { order } = click;
  if (order === undefined) return [];
  return (family === "sp" ? productsPurchase(order) : brandsPurchase(order)).map(([name, value]) => [
    name,
    sign * value,
  ]);
}

function viewed(family: Family, count: number): [string, number][] {
  if (family === "sp") return [];
  return [[family === "sb" ? "viewable_impressions" : "view_impressions", count]];
}

function productsPurchase({ lag, units, sales, promoted }: Order): [string, number][] {
  return PRODUCTS_WINDOWS.flatMap((days): [string, number][] => {
    const isIn = lag <= days ? 1 : 0;
    const isSame = isIn === 1 && promoted ? 1 : 0;
    return [
      [`attributed_conversions_${days}d`, isIn],
      [`attributed_conversions_${days}d_same_sku`, isSame],
      [`attributed_sales_${days}d`, isIn * sales],
      [`attributed_sales_${days}d_same_sku`, isSame * sales],
      [`attributed_units_ordered_${days}d`, isIn * units],
      [`attributed_units_ordered_${days}d_same_sku`, isSame * units],
    ];
  });
}

function brandsPurchase({ units, sales, promoted, newToBrand }: Order): [string, number][] {
  const [same, fresh] = [promoted ? 1 : 0, newToBrand ? 1 : 0];
  return [
    ["attributed_conversions_14d", 1],
    ["attributed_conversions_14d_same_sku", same],
    ["attributed_orders_new_to_brand_14d", fresh],
    ["attributed_sales_14d", sales],
    ["attributed_sales_14d_same_sku", same * sales],
    ["attributed_sales_new_to_brand_14d", fresh * sales],
    ["attributed_units_ordered_14d", units],
    ["attributed_units_ordered_new_to_brand_14d", fresh * units],
  ];
}

function isAmount(name: string): boolean {
  return name === "cost" || name.includes("_sales_");
}
