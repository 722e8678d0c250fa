import data from "../../../../catalog/report_types_data.js";
import type { ReportType } from "./report_types.ts";
import { byAd, byAdGroup, byCampaign, byPart, byTargeting, type TrafficSplit } from "./split_traffic.ts";

const ENTITIES: Readonly<Record<string, { readonly depth: number; readonly split: TrafficSplit }>> = {
  campaign: { depth: 0, split: byCampaign },
  order: { depth: 0, split: byCampaign },
  advertiser: { depth: 0, split: byCampaign },
  adGroup: { depth: 1, split: byAdGroup },
  ad: { depth: 1, split: byAdGroup },
  lineItem: { depth: 1, split: byAdGroup },
  bidAdjustmentRule: { depth: 1, split: byAdGroup },
  creative: { depth: 2, split: byAd },
  targeting: { depth: 2, split: byTargeting },
};

const GROUPINGS: Readonly<Record<string, readonly string[]>> = {
  dspReachFrequency: ["advertiser", "advertiser,frequencyGroup", "advertiser,supplySource"],
};

const words = (text: string): string[] => text === "" ? [] : text.split(" ");

/**
 * Returns a report type of this file, or `undefined` for other types. Its rows are made from the account's Display
 * traffic.
 */
export function otherType(reportTypeId: string, groupBy: readonly string[]): ReportType | undefined {
  const type = /^(?:dsp|st|conversion)[A-Z]/.test(reportTypeId) ? data[reportTypeId] : undefined;
  const sets = GROUPINGS[reportTypeId];
  if (type === undefined || sets?.includes([...groupBy].sort().join()) === false) return undefined;
  const groups = groupBy.flatMap((name) => type.groups[name] ?? []);
  const finest = groupBy.flatMap((name) => ENTITIES[name] ?? []).sort((a, b) => b.depth - a.depth)[0];
  const isDivided = groupBy.some((name) => ENTITIES[name] === undefined);
  const times = ["date", "startDate", "endDate"];
  const columns = [...new Set([...words(type.base), ...groups.flatMap(({ columns }) => words(columns))])];
  return {
    adProduct: type.adProduct,
    reportTypeId,
    groupBy,
    columns: columns.filter((name) => !times.includes(name)),
    days: times.filter((name) => columns.includes(name)),
    filters: Object.keys(groups[0]?.filters ?? {})
      .filter((field) => groups.every(({ filters = {} }) => field in filters)),
    isDateOptional: true,
    retentionDays: type.retentionDays,
    maxDays: type.maxDays,
    timeUnits: type.timeUnits,
    formats: type.formats,
    isAcross: finest === undefined || groupBy.includes("advertiser"),
    split: isDivided ? byPart(finest?.depth ?? 0) : finest?.split ?? byCampaign,
  };
}

export const OTHER_TYPES: ReadonlyMap<
  string,
  { readonly adProduct: string; readonly groups: readonly string[] }
> = new Map(
  Object.entries(data).filter(([name]) => /^(?:dsp|st|conversion)[A-Z]/.test(name))
    .map(([name, { adProduct, groups }]) => [name, { adProduct, groups: Object.keys(groups) }]),
);
