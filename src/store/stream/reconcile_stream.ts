import { checkDay } from "../../base/time/calendar.ts";
import { REPORTED } from "../model/reported_hours.ts";
import { salesColumns } from "../views/sales_columns.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";

/** Figure for comparing hours with reports. */
export type ReconcileMetric = "impressions" | "clicks" | "cost" | "orders" | "sales";

/** The figures of a day, or of a campaign on a day, according to the hourly stream and to the stored report. */
export interface Reconciliation {
  /** Country of the profile. */
  readonly country_code: string;
  /** The platform's id of the profile. */
  readonly profile_id: string;
  /** SPONSORED_PRODUCTS, SPONSORED_BRANDS or SPONSORED_DISPLAY. */
  readonly ad_product: string;
  /** Day in the market's time zone. */
  readonly date: string;
  /** Id of the campaign, if campaigns are compared. */
  readonly campaign_id?: string;
  /** Compared figure. */
  readonly metric: ReconcileMetric;
  /** The sum of the hours. */
  readonly stream: number;
  /** Figure of the stored report. */
  readonly report: number;
  /** `stream` minus `report`. */
  readonly difference: number;
  /** `difference` / `report`; `null` if the report has no value. */
  readonly share: number | null;
  /** Name of the stored report. */
  readonly source: string;
  /** Explanation of a difference: missing hours, records that arrived after the report, a day that is not over. */
  readonly note: string;
}

/** Options of {@linkcode reconcileStream}. */
export interface ReconcileOptions {
  /** First compared day, `YYYY-MM-DD`. */
  readonly start?: string | undefined;
  /** Last compared day, `YYYY-MM-DD`. */
  readonly end?: string | undefined;
  /** Compare each campaign. @default false, days as a whole */
  readonly byCampaign?: boolean | undefined;
}

interface Product {
  readonly adProduct: string;
  readonly traffic: string;
  /** Reports that add up to the product's figures; the first stored one is used. */
  readonly reports: readonly string[];
  readonly orders: string;
  readonly sales: string;
  readonly hasConversions: boolean;
}

const PRODUCTS: readonly Product[] = [
  {
    adProduct: "SPONSORED_PRODUCTS",
    traffic: "stream_sp_traffic",
    reports: ["sp_campaigns", "sp_placement", "sp_targeting"],
    ...salesColumns("sp"),
    hasConversions: true,
  },
  {
    adProduct: "SPONSORED_BRANDS",
    traffic: "stream_sb_traffic",
    reports: ["sb_campaigns", "sb_targeting"],
    ...salesColumns("sb"),
    hasConversions: true,
  },
  {
    adProduct: "SPONSORED_DISPLAY",
    traffic: "stream_sd_traffic",
    reports: ["sd_campaigns", "sd_targeting"],
    orders: "0",
    sales: "0",
    hasConversions: false,
  },
];
const TRAFFIC: readonly ReconcileMetric[] = ["impressions", "clicks", "cost"];
const CONVERSIONS: readonly ReconcileMetric[] = ["orders", "sales"];

type Row = Readonly<Record<string, unknown>>;

/**
 * Compares the hours of the stream, summed up to days, with the stored daily reports: every day that has both.
 *
 * @throws {RangeError} for what is not a day.
 *
 * @example
 * ```ts
 * import { reconcileStream, type Warehouse } from "@platform/ads/store";
 *
 * async function differing(store: Warehouse): Promise<number> {
 *   const lines = await reconcileStream(store, { start: "2026-11-01" });
 *   return lines.filter(({ share }) => Math.abs(share ?? 0) > 0.01).length;
 * }
 * ```
 */
export async function reconcileStream(
  store: Warehouse,
  { start = "0001-01-01", end = "9999-12-31", byCampaign = false }: ReconcileOptions = {},
): Promise<Reconciliation[]> {
  checkDay(start, "the first day");
  checkDay(end, "the last day");
  const key = ["profile_id", "date", ...(byCampaign ? ["campaign_id"] : [])];
  const found: Reconciliation[] = [];
  for (const product of PRODUCTS) {
    const { rows: streamed } = await store.query(
      `SELECT country_code, ${
        key.join(", ")
      }, sum(impressions) AS impressions, sum(clicks) AS clicks, sum(cost) AS cost,
         sum(orders) AS orders, sum(sales) AS sales
       FROM performance_hourly WHERE ad_product = '${product.adProduct}' AND profile_id <> ''
         AND date >= ? AND date <= ? GROUP BY country_code, ${key.join(", ")}`,
      [start, end],
      { maxRows: Infinity },
    );
    const days = await coveredDays(store, product, { start, end });
    const streamedDays = new Set(streamed.map((row) => dayKey(row)));
    const notes = await dayNotes(store, product.traffic, { start, end });
    const hours = new Map(streamed.map((row) => [keyOf(row), row]));
    const reported = new Map<string, Row>();
    for (const report of product.reports) {
      for (const row of await reportRows(store, { product, report, start, end, byCampaign })) {
        if (days.get(dayKey(row))?.report === report) reported.set(keyOf(row), row);
      }
    }
    for (const each of new Set([...hours.keys(), ...reported.keys()])) {
      const row = hours.get(each) ?? reported.get(each)!;
      const day = days.get(dayKey(row));
      if (day === undefined || !streamedDays.has(dayKey(row))) continue;
      const note = notes(dayKey(row), day.knownAt);
      for (const metric of product.hasConversions ? [...TRAFFIC, ...CONVERSIONS] : TRAFFIC) {
        const compared = comparison(metric, hours.get(each), reported.get(each));
        found.push({
          country_code: String(row["country_code"]),
          profile_id: String(row["profile_id"]),
          ad_product: product.adProduct,
          date: String(row["date"]),
          ...(byCampaign ? { campaign_id: String(row["campaign_id"]) } : {}),
          metric,
          ...compared,
          source: day.report,
          note,
        });
      }
    }
  }
  const sorted = [...Map.groupBy(found, sortKey)].sort(([a], [b]) => a < b ? -1 : 1);
  return sorted.flatMap(([, lines]) => lines);
}

function comparison(
  metric: ReconcileMetric,
  hours: Row | undefined,
  reported: Row | undefined,
): Pick<Reconciliation, "stream" | "report" | "difference" | "share"> {
  const figure = (row: Row | undefined): number => rounded(Number(row?.[metric] ?? 0));
  const [stream, report] = [figure(hours), figure(reported)];
  const difference = rounded(stream - report);
  return {
    stream,
    report,
    difference,
    share: report === 0 ? null : Number((difference / report).toFixed(4)),
  };
}

async function coveredDays(
  store: Warehouse,
  { reports }: Product,
  { start, end }: { start: string; end: string },
): Promise<Map<string, { report: string; knownAt: number }>> {
  const days = new Map<string, { report: string; knownAt: number }>();
  const names = reports.map((name) => `'${name}'`).join(", ");
  const { rows } = await store.query(
    `SELECT profile_id, date, report, coalesce(made_at, pulled_at) AS known_at FROM days
     WHERE report IN (${names}) AND date >= ? AND date <= ?`,
    [start, end],
    { maxRows: Infinity },
  );
  for (const row of rows) {
    const report = String(row["report"]);
    const before = days.get(dayKey(row));
    if (before !== undefined && reports.indexOf(before.report) < reports.indexOf(report)) continue;
    days.set(dayKey(row), { report, knownAt: Date.parse(String(row["known_at"])) });
  }
  return days;
}

async function reportRows(
  store: Warehouse,
  { product, report, start, end, byCampaign }: {
    product: Product;
    report: string;
    start: string;
    end: string;
    byCampaign: boolean;
  },
): Promise<readonly Row[]> {
  if (!store.layouts.some((layout) => layout.report === report)) return [];
  const campaign = byCampaign ? `, campaign_id` : "";
  const { rows } = await store.query(
    `SELECT country_code, profile_id, date${
      byCampaign ? `, campaign_id` : ""
    }, sum(impressions) AS impressions, sum(clicks) AS clicks, sum(cost) AS cost, sum(${product.orders}) AS orders,
       sum(${product.sales}) AS sales
     FROM ${report} WHERE date >= ? AND date <= ?
     GROUP BY country_code, profile_id, date${campaign}`,
    [start, end],
    { maxRows: Infinity },
  );
  return rows;
}

function dayKey(row: Row): string {
  return `${String(row["profile_id"])} ${String(row["date"])}`;
}

function keyOf(row: Row): string {
  return `${dayKey(row)} ${String(row["campaign_id"])}`;
}

function sortKey({ country_code, profile_id, ad_product, date, campaign_id = "" }: Reconciliation): string {
  return [country_code, profile_id, ad_product, date, campaign_id].join(" ");
}

function rounded(value: number): number {
  return Number(value.toFixed(6));
}

const HOUR = 3_600_000;

interface Received {
  hours: Set<number>;
  readonly reported: Set<number>;
  readonly at: [receivedAt: number, records: number][];
}

export async function dayNotes(
  store: Warehouse,
  table: string,
  { start, end }: { start: string; end: string },
): Promise<(day: string, knownAt: number) => string> {
  const { rows } = await store.query(
    `SELECT profile_id, date, starts_at, received_at, count(*) AS records,
       count(CASE WHEN message_id = '${REPORTED}' THEN 1 END) AS reported FROM ${table}
     WHERE date >= ? AND date <= ? GROUP BY profile_id, date, starts_at, received_at`,
    [start, end],
    { maxRows: Infinity },
  );
  const days = new Map<string, Received>();
  for (const row of rows) {
    const key = `${String(row["profile_id"])} ${String(row["date"])}`;
    let day = days.get(key);
    if (day === undefined) days.set(key, day = { hours: new Set(), reported: new Set(), at: [] });
    day.hours.add(Number(row["starts_at"]));
    if (Number(row["reported"] ?? 0) > 0) day.reported.add(Number(row["starts_at"]));
    day.at.push([Number(row["received_at"]), Number(row["records"])]);
  }
  return (key, knownAt) => {
    const day = days.get(key);
    if (day === undefined) return "no traffic in the stream";
    const parts: string[] = [];
    // A day has 23 hours when clocks go forward.
    if (day.hours.size < 23) parts.push(`${day.hours.size} hours in the stream`);
    if (day.reported.size > 0) parts.push(`${day.reported.size} hours of new reports`);
    const later = day.at.reduce((sum, [at, records]) => at > knownAt ? sum + records : sum, 0);
    if (later > 0) parts.push(`${later} records came after the report`);
    const last = Math.max(...day.at.map(([at]) => at));
    if (knownAt - last > HOUR) parts.push("the report is newer than the last record");
    return parts.join("; ");
  };
}
