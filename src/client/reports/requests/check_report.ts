import { addDays, type Day } from "../../../base/time/calendar.ts";
import { nearest } from "../../../base/text/nearest.ts";
import type { ReportConfiguration } from "./report_configuration.ts";
import { columnsOf, refusedColumns, type ReportType, reportTypes } from "./report_types.ts";

/** Tolerance in days, because the published retention is only approximate. */
const MARGIN = 7;

const GROUPINGS: Readonly<Record<string, readonly string[]>> = {
  spCampaigns: [
    "campaign",
    "adGroup",
    "campaignPlacement",
    "campaign and adGroup",
    "campaign and campaignPlacement",
  ],
  dspReachFrequency: ["advertiser", "advertiser and supplySource", "advertiser and frequencyGroup"],
};

/**
 * Checks a report against the published limits of its type; unpublished types are not checked.
 *
 * @throws {TypeError} or `RangeError` with every problem; nothing is sent.
 */
export async function checkReport(
  configuration: ReportConfiguration,
  { start, today }: { start: Day; today: Day },
): Promise<void> {
  const type = (await reportTypes()).get(configuration.reportTypeId);
  if (type === undefined) return;
  const problems = configurationProblems(configuration, type);
  const what = `Cannot request a report of type ${type.reportTypeId}`;
  const first = addDays(today, -type.retentionDays);
  const tooEarly = start < addDays(first, -MARGIN)
    ? `${start} is too early: the platform keeps it for ${type.retentionDays} days. Begin on ${first} or later`
    : undefined;
  if (problems.length === 0 && tooEarly !== undefined) throw new RangeError(`${what}: ${tooEarly}`);
  if (tooEarly !== undefined) problems.push(tooEarly);
  if (problems.length === 1) throw new TypeError(`${what}: ${problems[0]}`);
  if (problems.length > 1) throw new TypeError(`${what}:\n${problems.map((text) => `- ${text}`).join("\n")}`);
}

export function wholeGrouping({ reportTypeId }: ReportType, groupBy: readonly string[]): readonly string[] {
  const sets = GROUPINGS[reportTypeId]?.map((set) => set.split(" and "));
  const [only] = groupBy;
  if (sets === undefined || only === undefined || groupBy.length > 1) return groupBy;
  return sets.find((set) => set.length === 1 && set[0] === only) ?? sets.find((set) => set.includes(only)) ??
    groupBy;
}

function configurationProblems(configuration: ReportConfiguration, type: ReportType): string[] {
  const { adProduct, timeUnit = "DAILY", format = "GZIP_JSON" } = configuration;
  return [
    ...adProduct === type.adProduct ? [] : [`its ad product is ${type.adProduct}, not ${adProduct}`],
    ...type.timeUnits.includes(timeUnit)
      ? []
      : [`its time unit is ${type.timeUnits.join(" or ")}, not ${timeUnit}`],
    ...type.formats.includes(format) ? [] : [`its format is ${type.formats.join(" or ")}, not ${format}`],
    ...groupingProblems(configuration, type),
    ...columnProblems(configuration, type),
    ...filterProblems(configuration, type),
  ];
}

function groupingProblems({ groupBy }: ReportConfiguration, type: ReportType): string[] {
  const unknowns = groupBy.filter((name) => !type.groups.has(name));
  if (unknowns.length > 0) {
    return unknowns.map((name) => unknown("grouping", name, [...type.groups.keys()]));
  }
  const isSponsored = /^s[pbd]/.test(type.reportTypeId);
  const sets = GROUPINGS[type.reportTypeId] ?? (isSponsored ? [...type.groups.keys()] : undefined);
  const same = (set: string): boolean => set.split(" and ").sort().join() === [...groupBy].sort().join();
  if (sets === undefined || sets.some(same)) return [];
  const what = groupBy.length > 1
    ? `its groupings ${groupBy.join(" and ")} cannot be combined`
    : `it cannot be grouped by ${groupBy.join()} alone`;
  return [`${what}. Group by ${sets.join(", or by ")}`];
}

function columnProblems(
  { groupBy, columns, timeUnit = "DAILY" }: ReportConfiguration,
  type: ReportType,
): string[] {
  const groups = groupBy.filter((name) => type.groups.has(name));
  const allowed = columnsOf(type, groups.length > 0 ? groups : undefined);
  const refused = refusedColumns(type, groupBy);
  const [days, other] = timeUnit === "DAILY" ? [["startDate", "endDate"], "SUMMARY"] : [["date"], "DAILY"];
  return columns.flatMap((column) => {
    if (refused.includes(column)) return `the platform refuses its column "${column}". Leave it out`;
    if (!allowed.includes(column)) {
      const others = [...type.groups].flatMap(([name, { columns }]) => columns.includes(column) ? name : []);
      return others.length > 0
        ? `column "${column}" takes the grouping ${others.join(" or ")}`
        : unknown("column", column, allowed);
    }
    return days.includes(column) ? `column "${column}" takes the time unit ${other}, not ${timeUnit}` : [];
  });
}

function filterProblems({ groupBy, filters = [] }: ReportConfiguration, type: ReportType): string[] {
  const groups = groupBy.flatMap((name) => type.groups.get(name) ?? []);
  if (groups.length === 0) return [];
  const shared = [...groups[0]?.filters ?? []]
    .filter(([field]) => groups.every(({ filters }) => filters.has(field)));
  const published = new Map(shared);
  return filters.flatMap(({ field, values }) => {
    const known = published.get(field);
    if (known === undefined) {
      const isOfOne = groups.some(({ filters }) => filters.has(field));
      const whole = groupBy.join(" and ");
      if (isOfOne) {
        return `filter "${field}" cannot be combined with the groupings ${whole}. Request one of them`;
      }
      return published.size > 0
        ? unknown("filter", field, [...published.keys()])
        : `its rows cannot be filtered by "${field}", nor by anything else`;
    }
    return known.length === 0
      ? []
      : values.filter((value) => !known.includes(value)).map((value) =>
        `filter "${field}" has no value "${value}", expected one of ${known.join(", ")}`
      );
  });
}

function unknown(what: string, name: string, known: readonly string[]): string {
  const close = nearest(name, known);
  const hint = close === undefined
    ? known.length <= 12 ? `expected one of ${known.join(", ")}` : `reportTypes() lists its ${known.length}`
    : `did you mean "${close}"?`;
  return `it has no ${what} "${name}", ${hint}`;
}
