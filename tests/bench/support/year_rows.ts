import { addDays } from "../../../src/base/time/calendar.ts";
import type { ReportRow } from "../../../src/client/reports/file/report_row.ts";
import type { ReportPresetName } from "../../../src/client/reports/requests/presets.ts";
import type { StoredEntity } from "../../../src/store/mod.ts";
import { type ReportLayout, reportLayout } from "../../../src/store/model/report_layout.ts";

/** Campaigns of a profile, and what of them is in an ad group. */
const CAMPAIGNS = 12;
const AD_GROUPS = 40;
const PLACEMENTS = [
  "Top of Search on-Platform",
  "Detail Page on-Platform",
  "Other on-Platform",
  "Off Platform",
];

/** Rows that each report has a day: those of a middling account, whose search terms and targets are most of it. */
export const REPORTS: Readonly<Partial<Record<ReportPresetName, number>>> = {
  sp_campaigns: CAMPAIGNS,
  sp_placement: CAMPAIGNS * PLACEMENTS.length,
  sp_targeting: 280,
  sp_search_terms: 330,
  sp_advertised_products: 90,
  sb_campaigns: 6,
  sb_targeting: 60,
  sb_search_terms: 88,
};

/** Rows of a profile a day, in all reports. */
export const ROWS_A_DAY: number = Object.values(REPORTS).reduce((sum, rows) => sum + rows, 0);

/** Days of a report whose rows are made. */
export interface RowsWanted {
  /** First day. */
  readonly start: string;
  /** How many days. */
  readonly days: number;
  /** Added to the sales of every twentieth row: what is pulled again has 5 % of rows changed. */
  readonly change: number;
}

/** Rows of a report as the platform would give them, a batch a day. Equal arguments give equal rows. */
export function* rowsOf(
  report: ReportPresetName,
  profile: number,
  { start, days, change }: RowsWanted,
): Generator<ReportRow[]> {
  const layout = reportLayout(report);
  const templates = templatesOf(layout, profile, REPORTS[report] ?? 0);
  const metrics = layout.columns.filter(({ type }) => type === "integer" || type === "real");
  const sales = layout.columns.find(({ name }) => name === "sales14d" || name === "sales")?.name;
  for (let at = 0; at < days; at++) {
    const date = addDays(start, at);
    const day = Date.parse(date) / 86_400_000;
    yield templates.map((template, n) => {
      const seed = profile * 31 + day * 7 + n;
      const row: ReportRow = { ...template, date };
      for (const [index, { name, type }] of metrics.entries()) {
        const value = seed * (index + 3) % 97;
        row[name] = type === "integer" ? value : value * 37 / 100;
      }
      if (sales !== undefined && seed % 20 === 0) row[sales] = Number(row[sales]) + change;
      return row;
    });
  }
}

function templatesOf(layout: ReportLayout, profile: number, rows: number): ReportRow[] {
  return Array.from({ length: rows }, (_, n) => {
    const row: ReportRow = {};
    for (const { name, type } of layout.columns) {
      if (type === "text") row[name] = textOf(name, profile, n);
    }
    return row;
  });
}

function textOf(name: string, profile: number, n: number): string {
  const id = (kind: number, index: number): string => String(kind * 1e14 + profile * 1e6 + index);
  switch (name) {
    case "campaignId":
      return id(1, n % CAMPAIGNS);
    case "campaignName":
      return `Campaign ${n % CAMPAIGNS} | camping | broad`;
    case "adGroupId":
      return id(2, n % AD_GROUPS);
    case "keywordId":
      return id(3, n);
    case "placementClassification":
      return PLACEMENTS[Math.floor(n / CAMPAIGNS) % PLACEMENTS.length]!;
    case "campaignBudgetCurrencyCode":
      return "USD";
    case "matchType":
      return ["BROAD", "PHRASE", "EXACT"][n % 3]!;
    case "searchTerm":
    case "keyword":
    case "keywordText":
    case "targeting":
      return keywordText(n);
    default:
      return name.endsWith("Id")
        ? id(4, n)
        : /Asin|Sku/.test(name)
        ? `B0${String(n).padStart(8, "0")}`
        : "ENABLED";
  }
}

function keywordText(n: number): string {
  return `camping tent for ${n} persons`;
}

/** Entities of a profile that the ready views join: campaigns with budgets, and keywords. */
export function entitiesOf(
  profile: number,
): readonly (readonly ["sp.campaigns" | "sp.keywords", StoredEntity[]])[] {
  const campaigns = Array.from({ length: CAMPAIGNS }, (_, n): StoredEntity => {
    const campaignId = textOf("campaignId", profile, n);
    const data = JSON.stringify({
      budget: { budget: 20 + n, budgetType: "DAILY" },
      campaignId,
      state: "ENABLED",
    });
    return { id: campaignId, data, keywordText: null };
  });
  const keywords = Array.from({ length: REPORTS.sp_targeting ?? 0 }, (_, n): StoredEntity => {
    const keywordId = textOf("keywordId", profile, n);
    const text = keywordText(n);
    const matchType = textOf("matchType", profile, n);
    const data = JSON.stringify({ bid: 0.5, keywordId, keywordText: text, matchType, state: "ENABLED" });
    return { id: keywordId, data, keywordText: text };
  });
  return [["sp.campaigns", campaigns], ["sp.keywords", keywords]];
}
