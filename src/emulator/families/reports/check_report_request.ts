import data from "../../../../catalog/report_types_data.js";
import type { Clock } from "../../core/clock.ts";
import { addDays } from "../../core/day_span.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import type { Quirks } from "../../core/quirks.ts";
import { type Refusal, refusal } from "../../http/refusal.ts";
import type { ProfileState } from "../../state/profile_state.ts";
import type { ReportConfiguration } from "./report_record.ts";
import { REPORT_TYPES, type ReportType } from "./report_types.ts";
import { byAd, byAdGroup, byCampaign, byPart, byTargeting, type TrafficSplit } from "./split_traffic.ts";

const AD_PRODUCTS = [
  "ALL",
  "DEMAND_SIDE_PLATFORM",
  "SPONSORED_BRANDS",
  "SPONSORED_DISPLAY",
  "SPONSORED_PRODUCTS",
  "SPONSORED_TELEVISION",
];

interface ReportRequest {
  readonly name: string | null;
  readonly startDate: string;
  readonly endDate: string;
  readonly configuration: ReportConfiguration;
}

export function checkReportRequest(
  body: Json | undefined,
  { profile, clock, quirks }: { profile: ProfileState; clock: Clock; quirks: Pick<Quirks, "oldReportDays"> },
): ReportRequest {
  if (!isObject(body)) throw bad("Request body must be an object");
  if (!isObject(body.configuration)) throw bad("configuration is required");
  const { name = null } = body;
  if (name !== null && typeof name !== "string") throw bad("name must be a string");
  const configuration = readConfiguration(body.configuration);
  const type = findType(configuration);
  const { timeUnit, format } = configuration;
  if (!type.timeUnits.includes(timeUnit)) {
    throw invalid("configuration timeUnit", [timeUnit], type.timeUnits);
  }
  if (!type.formats.includes(format)) throw invalid("configuration format", [format], type.formats);
  checkColumns(configuration, type);
  checkFilters(configuration, type);
  const today = clock.day(profile.record.timezone);
  return { name, ...checkDays(body, { today, type, quirks }), configuration };
}

export function findType({ adProduct, reportTypeId, groupBy }: ReportConfiguration): ReportType {
  const other = OTHER_TYPES.get(reportTypeId);
  if (other !== undefined) return findOther({ adProduct, reportTypeId, groupBy }, other);
  const types = REPORT_TYPES.filter((type) => type.reportTypeId === reportTypeId);
  if (types.length === 0) {
    const known = [...REPORT_TYPES.map((type) => type.reportTypeId), ...OTHER_TYPES.keys()];
    throw invalid("configuration reportTypeId", [reportTypeId], known);
  }
  if (types[0]!.adProduct !== adProduct) {
    throw bad(`configuration reportTypeId ${reportTypeId} is not supported for adProduct ${adProduct}`);
  }
  const wanted = [...groupBy].sort().join();
  const type = types.find((each) => [...each.groupBy].sort().join() === wanted);
  if (type !== undefined) return type;
  const allowed = types.flatMap((each) => each.groupBy);
  const unknown = groupBy.filter((group) => !allowed.includes(group));
  throw unknown.length > 0
    ? invalid("configuration groupBy", unknown, allowed)
    : bad(`configuration groupBy (${groupBy.join(", ")}) cannot be combined`);
}

function findOther(
  { adProduct, reportTypeId, groupBy }: Pick<ReportConfiguration, "adProduct" | "reportTypeId" | "groupBy">,
  known: { readonly adProduct: string; readonly groups: readonly string[] },
): ReportType {
  if (known.adProduct !== adProduct) {
    throw bad(`configuration reportTypeId ${reportTypeId} is not supported for adProduct ${adProduct}`);
  }
  const unknown = groupBy.filter((group) => !known.groups.includes(group));
  const type = otherType(reportTypeId, groupBy);
  if (unknown.length > 0 || type === undefined) {
    throw invalid("configuration groupBy", unknown, known.groups);
  }
  return type;
}

function readConfiguration(given: JsonObject): ReportConfiguration {
  const { adProduct, reportTypeId, timeUnit, format } = given;
  if (!AD_PRODUCTS.includes(String(adProduct))) {
    throw invalid("configuration adProduct", [adProduct], AD_PRODUCTS);
  }
  if (typeof reportTypeId !== "string") throw bad("configuration reportTypeId is required");
  if (timeUnit !== "DAILY" && timeUnit !== "SUMMARY") {
    throw invalid("configuration timeUnit", [timeUnit], ["DAILY", "SUMMARY"]);
  }
  if (typeof format !== "string") throw bad("configuration format is required");
  const filters = given.filters ?? undefined;
  return {
    adProduct: String(adProduct),
    reportTypeId,
    groupBy: readNames(given.groupBy, "groupBy"),
    columns: readNames(given.columns, "columns"),
    timeUnit,
    format,
    ...(filters === undefined ? {} : { filters: readFilters(filters) }),
  };
}

function readNames(value: Json | undefined, field: string): string[] {
  if (!Array.isArray(value) || value.length === 0 || !value.every((name) => typeof name === "string")) {
    throw bad(`configuration ${field} must be a list of at least one name`);
  }
  const names = value as string[];
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw bad(`configuration ${field} includes duplicate values: (${twice})`);
  return names;
}

function readFilters(value: Json): { field: string; values: string[] }[] {
  if (!Array.isArray(value)) throw bad("configuration filters must be a list");
  return value.map((filter) => {
    const { field, values } = isObject(filter) ? filter : {};
    if (
      typeof field !== "string" || !Array.isArray(values) || !values.every((each) => typeof each === "string")
    ) {
      throw bad("configuration filters must have a field and a list of values");
    }
    return { field, values: values as string[] };
  });
}

function checkColumns({ columns, timeUnit }: ReportConfiguration, type: ReportType): void {
  const days = (timeUnit === "DAILY" ? ["date"] : ["startDate", "endDate"])
    .filter((name) => type.days.includes(name));
  const allowed = [...days, ...type.columns];
  const unknown = columns.filter((column) => !allowed.includes(column));
  if (unknown.length > 0) throw invalid("configuration columns", unknown, allowed);
  if (timeUnit === "DAILY" && type.isDateOptional !== true && !columns.includes("date")) {
    throw bad("configuration columns must include date when configuration timeUnit is DAILY");
  }
}

function checkFilters({ filters = [] }: ReportConfiguration, type: ReportType): void {
  const unknown = filters.map(({ field }) => field).filter((field) => !type.filters.includes(field));
  if (unknown.length > 0) throw invalid("configuration filters", unknown, type.filters);
}

function checkDays(
  body: JsonObject,
  { today, type, quirks }: { today: string; type: ReportType; quirks: Pick<Quirks, "oldReportDays"> },
): { startDate: string; endDate: string } {
  const startDate = readDay(body.startDate, "startDate");
  const endDate = readDay(body.endDate, "endDate");
  if (startDate > endDate) {
    throw bad(`startDate (${startDate}) must be equal to or before endDate (${endDate})`);
  }
  const days = Math.round((Date.parse(endDate) - Date.parse(startDate)) / 86_400_000) + 1;
  if (days > type.maxDays) {
    throw bad(
      `startDate to endDate range (${days} days) must not exceed maximum range (${type.maxDays} days)`,
    );
  }
  const first = firstKeptDay(type, today);
  if (startDate < first && quirks.oldReportDays === "refuse") {
    throw bad(
      `startDate (${startDate}) must be equal to or after report type data retention start date (${first})`,
    );
  }
  if (endDate > today) throw bad(`endDate (${endDate}) must be equal to or before current date (${today})`);
  return { startDate, endDate };
}

export function firstKeptDay({ retentionDays }: ReportType, today: string): string {
  return addDays(today, -retentionDays);
}

function readDay(value: Json | undefined, field: string): string {
  if (value === undefined || value === null) throw bad(`${field} is required`);
  const text = String(value);
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN;
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text) {
    throw bad(`${field} (${text.slice(0, 40)}) must be a date of the form yyyy-MM-dd`);
  }
  return text;
}

function invalid(field: string, values: readonly unknown[], allowed: readonly string[]): Refusal {
  const given = values.map((value) => String(value ?? "")).join(", ");
  return bad(
    `${field} includes invalid values: (${given}). Allowed values: (${[...new Set(allowed)].join(", ")})`,
  );
}

function bad(detail: string): Refusal {
  return refusal(400, detail, "detail");
}

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

const OTHER_TYPES: ReadonlyMap<
  string,
  { readonly adProduct: string; readonly groups: readonly string[] }
> = new Map(
  Object.entries(data).filter(([name]) => /^(?:dsp|st|conversion)[A-Z]/.test(name))
    .map(([name, { adProduct, groups }]) => [name, { adProduct, groups: Object.keys(groups) }]),
);

/**
 * Returns a report type of this file, or `undefined` for other types. Its rows are made from the account's Display
 * traffic.
 */
function otherType(reportTypeId: string, groupBy: readonly string[]): ReportType | undefined {
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
