import { loadedOnce } from "../../../base/json/kept_or.ts";

/** Published properties of a report type (2025-09). */
export interface ReportType {
  /** The platform's name, for example `spCampaigns`. */
  readonly reportTypeId: string;
  /** Ad product as named in requests: `SPONSORED_PRODUCTS`, `SPONSORED_BRANDS` ... */
  readonly adProduct: string;
  /** Maximum number of days in one report. */
  readonly maxDays: number;
  /** Days of history that the platform retains. */
  readonly retentionDays: number;
  /** Supported time units: `DAILY`, `SUMMARY`, or both. */
  readonly timeUnits: readonly string[];
  /** Formats of the file, such as `GZIP_JSON`. */
  readonly formats: readonly string[];
  /** Columns that every grouping has. */
  readonly base: readonly string[];
  /** Groupings of rows, with the columns and filters that each one adds. */
  readonly groups: ReadonlyMap<string, ReportGroup>;
}

/** Columns and filters that a grouping adds to a type of report. */
export interface ReportGroup {
  /** Columns of this grouping, in addition to those of the type. */
  readonly columns: readonly string[];
  /** Values that each field can be filtered by. */
  readonly filters: ReadonlyMap<string, readonly string[]>;
}

const loaded = loadedOnce(load);

/**
 * Published report types by name, loaded on first use.
 *
 * @example
 * ```ts
 * import { reportTypes } from "@platform/ads";
 *
 * const types = await reportTypes();
 * console.log(types.size, [...types.get("sdCampaigns")!.groups.keys()]);
 * ```
 */
export function reportTypes(): Promise<ReadonlyMap<string, ReportType>> {
  return loaded();
}

export function columnsOf(type: ReportType, groupBy: readonly string[] = [...type.groups.keys()]): string[] {
  const groups = groupBy.flatMap((name) => type.groups.get(name) ?? []);
  const refused = refusedColumns(type, groupBy);
  const columns = new Set([...type.base, ...groups.flatMap(({ columns }) => columns)]);
  return [...columns].filter((name) => !refused.includes(name));
}

const PAGES = ["kindleEditionNormalizedPagesRead14d", "kindleEditionNormalizedPagesRoyalties14d"];

const REFUSED: Readonly<Record<string, readonly string[]>> = {
  "sbTargeting:targeting": PAGES,
  "sbSearchTerm:searchTerm": [...PAGES, "detailPageViews"],
  "spCampaigns:adGroup": ["campaignBiddingStrategy"],
};

/** Returns published columns that the platform nevertheless rejects. */
export function refusedColumns(
  { reportTypeId }: Pick<ReportType, "reportTypeId">,
  groupBy: readonly string[],
): readonly string[] {
  return REFUSED[`${reportTypeId}:${groupBy.join("+")}`] ?? [];
}

async function load(): Promise<ReadonlyMap<string, ReportType>> {
  const { default: data } = await import("../../../../catalog/report_types_data.js");
  const words = (text: string): string[] => text === "" ? [] : text.split(" ");
  return new Map(
    Object.entries(data).map(([reportTypeId, { base, groups, ...type }]) => [reportTypeId, {
      reportTypeId,
      ...type,
      base: words(base),
      groups: new Map(
        Object.entries(groups).map(([name, { columns, filters = {} }]) => [
          name,
          { columns: words(columns), filters: new Map(Object.entries(filters)) },
        ]),
      ),
    }]),
  );
}
