import type { DayRange } from "../../base/time/calendar.ts";
import type { ReportPresetName } from "../../client/reports/requests/presets.ts";
import { salesColumns } from "../../store/views/sales_columns.ts";
import type { Warehouse } from "../../store/warehouse/warehouse.ts";

/** Breakdown of a comparison. */
export type ComparedBy = "campaign" | "keyword" | "placement";

export interface PartFigures {
  readonly id: string;
  readonly name: string;
  readonly campaignId?: string;
  readonly campaignName?: string;
  readonly cost: number;
  readonly sales: number;
  readonly orders: number;
  readonly clicks: number;
  readonly impressions: number;
}

interface PartReport {
  readonly report: ReportPresetName;
  readonly id: string;
  readonly name: string;
  readonly isInCampaign?: boolean;
}

const MAX_PARTS = 1_000_000;

const REPORTS: Readonly<Record<ComparedBy, readonly PartReport[]>> = {
  campaign: [
    { report: "sp_campaigns", id: `campaign_id`, name: `campaign_name` },
    { report: "sb_campaigns", id: `campaign_id`, name: `campaign_name` },
    { report: "sd_campaigns", id: `campaign_id`, name: `campaign_name` },
  ],
  keyword: [
    {
      report: "sp_targeting",
      id: `keyword_id`,
      name: `COALESCE("keyword", "targeting") || ' (' || COALESCE(match_type, '') || ')'`,
      isInCampaign: true,
    },
    {
      report: "sb_targeting",
      id: `COALESCE(keyword_id, targeting_id)`,
      name:
        `COALESCE(keyword, targeting_text, targeting_expression) || ' (' || COALESCE(match_type, '') || ')'`,
      isInCampaign: true,
    },
    {
      report: "sd_targeting",
      id: `targeting_id`,
      name: `COALESCE(targeting_text, targeting_expression)`,
      isInCampaign: true,
    },
  ],
  placement: [{ report: "sp_placement", id: `placement_classification`, name: `placement_classification` }],
};

export function reportsOf(level: ComparedBy): ReportPresetName[] {
  return REPORTS[level].map(({ report }) => report);
}

/** @param options.by Divides every figure, for example by the number of days for daily averages. */
export async function readParts(
  store: Pick<Warehouse, "query">,
  level: ComparedBy,
  { profileId, days, campaignIds, by, asOf, isRead = () => true }: {
    readonly profileId: string;
    readonly days: DayRange;
    readonly campaignIds: readonly string[] | undefined;
    readonly by: number;
    /**
     * Time, ISO 8601; only figures that were known then are read.
     *
     * @default now
     */
    readonly asOf?: string | undefined;
    readonly isRead?: ((report: ReportPresetName) => boolean) | undefined;
  },
): Promise<PartFigures[]> {
  const parts: PartFigures[] = [];
  for (const { report, id, name, isInCampaign = false } of REPORTS[level]) {
    if (!isRead(report)) continue;
    const { orders, sales } = salesColumns(report);
    const campaign = isInCampaign
      ? `, MAX(campaign_id) AS campaign, MAX(campaign_name) AS campaign_name`
      : "";
    const marks = campaignIds?.map(() => "?").join(", ");
    const inCampaigns = marks === undefined ? "" : ` AND campaign_id IN (${marks === "" ? "NULL" : marks})`;
    const { rows } = await store.query(
      `SELECT ${id} AS part, MAX(${name}) AS name, SUM(cost) AS cost, SUM(${sales}) AS sales, ` +
        `SUM(${orders}) AS orders, SUM(clicks) AS clicks, SUM(impressions) AS impressions${campaign} FROM ${report} ` +
        `WHERE profile_id = ? AND date >= ? AND date <= ?${inCampaigns} GROUP BY ${id}`,
      [profileId, days.start, days.end, ...campaignIds ?? []],
      { maxRows: MAX_PARTS, asOf },
    );
    for (const row of rows) {
      const figure = (column: string): number => Number(row[column] ?? 0) / by;
      parts.push({
        id: String(row["part"]),
        name: String(row["name"] ?? row["part"]),
        ...(isInCampaign
          ? { campaignId: String(row["campaign"]), campaignName: String(row["campaign_name"] ?? "") }
          : {}),
        cost: figure("cost"),
        sales: figure("sales"),
        orders: figure("orders"),
        clicks: figure("clicks"),
        impressions: figure("impressions"),
      });
    }
  }
  return parts;
}
