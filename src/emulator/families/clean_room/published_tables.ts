export type PrivacyClass = "NONE" | "LOW" | "MEDIUM" | "HIGH" | "VERY_HIGH";

/**
 * Distinct users that a row needs before it shows a column of each privacy class; `VERY_HIGH` columns never appear
 * directly.
 */
export const NEEDED_USERS: Readonly<Record<PrivacyClass, number>> = {
  NONE: 1,
  LOW: 2,
  MEDIUM: 100,
  HIGH: 100,
  VERY_HIGH: Infinity,
};

export interface PublishedColumn {
  readonly name: string;
  readonly columnType: "DIMENSION" | "METRIC";
  readonly privacy: PrivacyClass;
  readonly description: string;
}

export interface PublishedTable {
  readonly dataSourceId: string;
  readonly description: string;
  readonly timeColumn: string;
  readonly columns: readonly PublishedColumn[];
}

const dimension = (name: string, privacy: PrivacyClass, description: string): PublishedColumn => ({
  name,
  columnType: "DIMENSION",
  privacy,
  description,
});
const metric = (name: string, description: string): PublishedColumn => ({
  name,
  columnType: "METRIC",
  privacy: "LOW",
  description,
});

const USER: readonly PublishedColumn[] = [
  dimension("user_id", "VERY_HIGH", "Pseudonym of a shopper; only inside COUNT"),
  dimension("user_id_type", "LOW", "Kind of the pseudonym"),
];
const CAMPAIGN: readonly PublishedColumn[] = [
  dimension("advertiser", "LOW", "Name of the advertiser"),
  dimension("entity_id", "LOW", "Id of the advertiser's account"),
  dimension("campaign", "LOW", "Name of the campaign"),
  dimension("campaign_id_string", "LOW", "Id of the campaign"),
  dimension("ad_group", "LOW", "Name of the ad group"),
  dimension("ad_product_type", "LOW", "sponsored_products, sponsored_brands or sponsored_display"),
  dimension("targeting", "LOW", "Keyword or targeting expression"),
];
const SALES: readonly PublishedColumn[] = [
  metric("conversions", "Conversions"),
  metric("purchases", "Orders within 14 days of a click"),
  metric("units_sold", "Units of the orders"),
  metric("product_sales", "Sales in the currency of the advertiser"),
  metric("new_to_brand_purchases", "Orders of shoppers who had not bought the brand for a year"),
];

function attributed(by: "traffic" | "conversion"): PublishedTable {
  return {
    dataSourceId: `platform_attributed_events_by_${by}_time`,
    description: `Conversions after clicks, chosen by the time of the ${by}`,
    timeColumn: `${by}_event_dt_utc`,
    columns: [
      dimension("traffic_event_dt_utc", "MEDIUM", "Time of the click"),
      dimension("traffic_event_date_utc", "LOW", "Day of the click"),
      dimension("conversion_event_dt_utc", "MEDIUM", "Time of the conversion"),
      dimension("conversion_event_date_utc", "LOW", "Day of the conversion"),
      ...CAMPAIGN,
      dimension("tracked_item", "LOW", "Product that was bought"),
      ...SALES,
      ...USER,
    ],
  };
}

export const PUBLISHED_TABLES: readonly PublishedTable[] = [
  {
    dataSourceId: "sponsored_ads_traffic",
    description: "Impressions and clicks of sponsored ads",
    timeColumn: "event_dt_utc",
    columns: [
      dimension("event_dt_utc", "MEDIUM", "Time of the event"),
      dimension("event_date_utc", "LOW", "Day of the event"),
      dimension("event_hour_utc", "LOW", "Hour of the event"),
      ...CAMPAIGN,
      dimension("match_type", "LOW", "Match type of the keyword"),
      dimension("customer_search_term", "MEDIUM", "Search term of the shopper"),
      dimension("placement_type", "LOW", "Place of the ad"),
      metric("impressions", "Impressions"),
      metric("clicks", "Clicks"),
      metric("spend", "Cost in hundred millionths of the currency"),
      ...USER,
    ],
  },
  attributed("traffic"),
  attributed("conversion"),
  {
    dataSourceId: "conversions",
    description: "Conversions of advertised products, after an ad or not",
    timeColumn: "event_dt_utc",
    columns: [
      dimension("event_dt_utc", "MEDIUM", "Time of the conversion"),
      dimension("event_date_utc", "LOW", "Day of the conversion"),
      dimension("event_type", "LOW", "Kind of the conversion"),
      dimension("tracked_item", "LOW", "Product"),
      metric("conversions", "Conversions"),
      metric("total_units_sold", "Units"),
      metric("total_product_sales", "Sales in the currency of the advertiser"),
      ...USER,
    ],
  },
];

const CLASSES = Object.keys(NEEDED_USERS).filter(isClass);

export function privacyOf(name: string): PrivacyClass | undefined {
  const found = PUBLISHED_TABLES.flatMap(({ columns }) => columns).filter((column) => column.name === name);
  return found.length === 0 ? undefined : strictest(found.map(({ privacy }) => privacy));
}

export function strictest(classes: readonly PrivacyClass[]): PrivacyClass {
  return CLASSES[Math.max(0, ...classes.map((one) => CLASSES.indexOf(one)))] ?? "NONE";
}

function isClass(name: string): name is PrivacyClass {
  return name in NEEDED_USERS;
}
