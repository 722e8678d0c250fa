import { nearest } from "../../base/text/nearest.ts";
import { ConfigurationError } from "../../errors.ts";

/** Name of a report that has an API of its own. */
export type JobReportName =
  | "attribution_campaigns"
  | "attribution_creatives"
  | "attribution_products"
  | "brand_metrics"
  | "dsp_campaigns";

/** Several such reports by one name, as a sync stores them. */
export type JobReportGroup = "attribution" | "brand-metrics" | "dsp";

/** Type of a column: a calendar day is `YYYY-MM-DD`. */
export type JobReportColumnType = "text" | "number" | "day";

/** A report that has an API of its own. */
export interface JobReport {
  /** Short name, as in views of the store. */
  readonly name: JobReportName;
  /** Reports that a sync stores together. */
  readonly group: JobReportGroup;
  /** Name for messages. */
  readonly noun: string;
  /** Operation that creates it, or that returns its pages. */
  readonly operation: string;
  /** Fields of its request besides the days. */
  readonly request: Readonly<Record<string, unknown>>;
  /** True if it is about a DSP advertiser, not the profile. */
  readonly byAdvertiser?: true;
  /** Columns that are always there, with their types. Other columns are figures: numbers where they are written as such. */
  readonly columns: Readonly<Record<string, JobReportColumnType>>;
  /** True if its days are days of UTC, and not of the profile's time zone. */
  readonly isUtc?: true;
  /** Maximum days of one request; longer ranges are split. */
  readonly maxDays: number;
  /** Days of history that the platform retains. */
  readonly retentionDays: number;
  /** Days after the last day of a window from which its figures are restated, and requested again by a sync. */
  readonly restatedAfter: readonly number[];
}

const ATTRIBUTION = {
  group: "attribution",
  operation: "platform-attribution:getAttributionTagsByCampaign",
  // Restated 1, 7 and 28 days after the event.
  restatedAfter: [3, 8, 29],
} as const;
const ATTRIBUTION_PERFORMANCE = { ...ATTRIBUTION, maxDays: 395, retentionDays: 395 };
const CAMPAIGN = { date: "day", advertiserName: "text", campaignId: "text", publisher: "text" } as const;
const FIGURES = {
  clickThroughs: "number",
  attributedPurchases14d: "number",
  attributedSales14d: "number",
} as const;

/**
 * Reports that have an API of their own: attribution of traffic from other sites, brand metrics, and campaigns of the DSP.
 *
 * @example
 * ```ts
 * import { JOB_REPORTS } from "@platform/ads/account";
 *
 * console.log(JOB_REPORTS.map(({ name }) => name).join(", "));
 * ```
 */
export const JOB_REPORTS: readonly JobReport[] = [
  {
    ...ATTRIBUTION_PERFORMANCE,
    name: "attribution_campaigns",
    noun: "attribution report by campaign",
    request: { reportType: "PERFORMANCE", groupBy: "CAMPAIGN" },
    columns: { ...CAMPAIGN, ...FIGURES },
  },
  {
    ...ATTRIBUTION_PERFORMANCE,
    name: "attribution_creatives",
    noun: "attribution report by creative",
    request: { reportType: "PERFORMANCE", groupBy: "CREATIVE" },
    columns: { ...CAMPAIGN, adGroupId: "text", creativeId: "text", ...FIGURES },
  },
  {
    ...ATTRIBUTION,
    name: "attribution_products",
    noun: "attribution report by product",
    request: { reportType: "PRODUCTS" },
    columns: {
      ...CAMPAIGN,
      adGroupId: "text",
      productAsin: "text",
      attributedPurchases14d: "number",
      brandHaloAttributedPurchases14d: "number",
    },
    maxDays: 90,
    retentionDays: 90,
  },
  {
    name: "brand_metrics",
    group: "brand-metrics",
    noun: "brand metrics report",
    operation: "brand-metrics:generateBrandMetricsReport",
    request: {},
    columns: {
      brandName: "text",
      categoryNodeName: "text",
      categoryNodeTreeName: "text",
      categoryNodePath: "text",
      metricsComputationDate: "day",
      lookbackPeriod: "text",
    },
    isUtc: true,
    maxDays: 90,
    retentionDays: 90,
    // Computed weekly; a week that is computed late is empty at first.
    restatedAfter: [3, 17],
  },
  {
    name: "dsp_campaigns",
    group: "dsp",
    noun: "DSP report by campaign",
    operation: "dsp-reports:createReportV3",
    request: { type: "CAMPAIGN", dimensions: ["ORDER", "LINE_ITEM"], timeUnit: "DAILY" },
    byAdvertiser: true,
    columns: {
      intervalStart: "day",
      intervalEnd: "day",
      orderId: "text",
      orderName: "text",
      lineItemId: "text",
      lineItemName: "text",
      impressions: "number",
      clickThroughs: "number",
      totalCost: "number",
    },
    isUtc: true,
    maxDays: 31,
    retentionDays: 90,
    restatedAfter: [3, 15, 30],
  },
];

/** A name as people write it: `attribution-campaigns`. */
export function spellJobReport(name: string): string {
  return name.replaceAll("_", "-");
}

const WORDS = JOB_REPORTS.map(({ name }) => spellJobReport(name));
const GROUPS = [...new Set(JOB_REPORTS.map(({ group }) => group))];

function wordOf(text: string): string {
  return text.trim().toLowerCase().replace(/[ _.]/g, "-");
}

/** The report that a word names, in any spelling. */
export function jobReport(word: string): JobReport | undefined {
  return JOB_REPORTS.find(({ name }) => spellJobReport(name) === wordOf(word));
}

/**
 * The reports that words name: reports, or groups of them such as `attribution`.
 *
 * @throws {ConfigurationError} that names the nearest name of each unknown word.
 *
 * @example
 * ```ts
 * import { jobReportsNamed } from "@platform/ads/account";
 *
 * console.log(jobReportsNamed(["attribution", "brand-metrics"]).map(({ name }) => name).join(", "));
 * ```
 */
export function jobReportsNamed(words: readonly string[]): JobReport[] {
  const problems: string[] = [];
  const found = new Set<JobReport>();
  for (const text of words) {
    const word = wordOf(text);
    const own = JOB_REPORTS.filter(({ name, group }) => spellJobReport(name) === word || group === word);
    for (const one of own) found.add(one);
    if (own.length > 0) continue;
    const near = nearest(word, [...GROUPS, ...WORDS]);
    problems.push(
      `there is no report ${JSON.stringify(text)}` + (near === undefined ? "" : `, did you mean "${near}"?`),
    );
  }
  if (problems.length === 0) return [...found];
  throw new ConfigurationError(
    `Cannot choose reports: ${problems.join("; ")}. Expected ${GROUPS.join(", ")}, or some of ${
      WORDS.join(", ")
    }`,
  );
}
