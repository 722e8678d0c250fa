import { nearest } from "../../base/text/nearest.ts";
import { ConfigurationError } from "../../errors.ts";

/** Name of a report that has its own API. */
export type JobReportName =
  | "attribution_campaigns"
  | "attribution_creatives"
  | "attribution_products"
  | "brand_metrics"
  | "dsp_campaigns"
  | "dsp_campaigns_v2";

/** Name of a group of reports that a sync stores together. */
export type JobReportGroup = "attribution" | "brand-metrics" | "dsp" | "dsp-v2";

/** Type of a column: a calendar day is `YYYY-MM-DD`. */
export type JobReportColumnType = "text" | "number" | "day";

/** A report that has its own API. */
export interface JobReport {
  /** Short name, as in views of the store. */
  readonly name: JobReportName;
  /** Reports that a sync stores together. */
  readonly group: JobReportGroup;
  /** Name for messages. */
  readonly noun: string;
  /** API operation that creates the report or returns its pages. */
  readonly operation: string;
  /** Fields of the request, apart from the days. */
  readonly request: Readonly<Record<string, unknown>>;
  /** True if the report covers a DSP advertiser, not the profile. */
  readonly byAdvertiser?: true;
  /**
   * Columns that are always present, with their types. Other columns are figures, and become numbers if they are
   * written as numbers.
   */
  readonly columns: Readonly<Record<string, JobReportColumnType>>;
  /** True if the days of the report are UTC days, not days in the profile's time zone. */
  readonly isUtc?: true;
  /** Maximum number of days in one request; longer ranges are split. */
  readonly maxDays: number;
  /** Days of history that the platform retains. */
  readonly retentionDays: number;
  /** Days after the end of a window at which its figures are restated; a sync then requests them again. */
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
const DSP = {
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
} as const;

/**
 * Reports that have their own API: attribution of traffic from other sites, brand metrics, and DSP campaigns. Version 2
 * of DSP campaigns is a report of its own, so that a store never counts a campaign twice.
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
    ...DSP,
    name: "dsp_campaigns",
    group: "dsp",
    noun: "DSP report by campaign",
    operation: "dsp-reports:createReportV3",
  },
  {
    ...DSP,
    name: "dsp_campaigns_v2",
    group: "dsp-v2",
    noun: "DSP report by campaign (version 2)",
    operation: "dsp-reports-v2:createReportV2",
  },
];

/** Problem with ids of advertisers that a report does not take; `undefined` if it takes all. */
export function advertiserProblem({ group }: JobReport, ids: readonly string[]): string | undefined {
  const wrong = group === "dsp-v2" ? ids.filter((id) => !/^\d+$/.test(id)) : [];
  if (wrong.length === 0) return undefined;
  const named = wrong.map((id) => JSON.stringify(id)).join(", ");
  return `version 2 only takes ids of advertisers, which are digits, not ${named}`;
}

/** Returns a report's name in the spelling for people: `attribution-campaigns`. */
export function spellJobReport(name: string): string {
  return name.replaceAll("_", "-");
}

const WORDS = JOB_REPORTS.map(({ name }) => spellJobReport(name));
const GROUPS = [...new Set(JOB_REPORTS.map(({ group }) => group))];

function wordOf(text: string): string {
  return text.trim().toLowerCase().replace(/[ _.]/g, "-");
}

/** Finds a report by its name in any spelling. */
export function jobReport(word: string): JobReport | undefined {
  return JOB_REPORTS.find(({ name }) => spellJobReport(name) === wordOf(word));
}

/**
 * Finds reports by name; a name can also be a group such as `attribution`.
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
