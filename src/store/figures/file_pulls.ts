import { type DayRange, joinDays, startOfWeek } from "../../base/time/calendar.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";

export interface FileMark {
  readonly name: string;
  readonly digest: string;
  /** True if figures are sums over all days, dated by the last day. */
  readonly isSum: boolean;
  readonly window: 7 | 14 | undefined;
}

export interface FilePull extends FileMark, DayRange {
  readonly profileId: string;
  readonly countryCode: string;
  readonly report: string;
}

const MARK = /^file (\w+) (days|sum) (7|14|-) (.*)$/s;

export function fileReportId({ name, digest, isSum, window }: FileMark): string {
  return `file ${digest} ${isSum ? "sum" : "days"} ${window ?? "-"} ${name}`;
}

export async function filePulls(
  store: Pick<Warehouse, "query">,
  { profileId }: { readonly profileId?: string | undefined } = {},
): Promise<FilePull[]> {
  const own = profileId === undefined ? "" : "AND p.profile_id = ?";
  const { rows } = await store.query(
    `SELECT p.profile_id, c.country_code, p.report, d.date, CAST(p.report_ids AS text) AS report_ids
      FROM pulls AS p JOIN days AS d ON d.profile_id = p.profile_id AND d.report = p.report
          AND d.date BETWEEN p.start_date AND p.end_date AND d.pull_id = p.id
        JOIN profiles AS c ON c.profile_id = p.profile_id
      WHERE CAST(p.report_ids AS text) LIKE '["file %' ${own}
      ORDER BY 1, 3, 4`,
    profileId === undefined ? [] : [profileId],
    { maxRows: Infinity },
  );
  const groups = Map.groupBy(
    rows,
    (row) => JSON.stringify([row["profile_id"], row["report"], row["report_ids"]]),
  );
  return [...groups.values()].flatMap((group) => {
    const [{ profile_id: profile, country_code: country, report, report_ids: ids }] = group as [
      typeof group[0],
    ];
    const [id] = JSON.parse(String(ids)) as string[];
    const [, digest, unit, window, name] = MARK.exec(id ?? "") ?? [];
    if (digest === undefined || name === undefined) return [];
    return joinDays(group.map((row) => String(row["date"]).slice(0, 10))).map((days) => ({
      ...days,
      profileId: String(profile),
      countryCode: String(country),
      report: String(report),
      name,
      digest,
      isSum: unit === "sum",
      window: window === "7" ? 7 : window === "14" ? 14 : undefined,
    }));
  });
}

/**
 * Finds sums that the boundaries of a period cut. A sum over several days cannot be split, so its figures are then
 * unknown.
 *
 * @param period `isSplit`: true for groupings by which one sum falls into several days, weeks or months.
 */
export async function cutSums(
  store: Pick<Warehouse, "query">,
  { period, reports, profileIds, markets, isSplit = () => false }: {
    readonly period: DayRange;
    readonly reports: readonly string[];
    readonly profileIds?: readonly string[] | undefined;
    readonly markets?: readonly string[] | undefined;
    readonly isSplit?: ((sum: DayRange) => boolean) | undefined;
  },
): Promise<FilePull[]> {
  return (await filePulls(store)).filter((pull) =>
    pull.isSum && reports.includes(pull.report) && (profileIds?.includes(pull.profileId) ?? true) &&
    (markets?.includes(pull.countryCode) ?? true) &&
    pull.start <= period.end && pull.end >= period.start &&
    (pull.start < period.start || pull.end > period.end || isSplit(pull))
  );
}

interface FileFiguresRequest {
  readonly period: DayRange;
  readonly reports: readonly string[];
  readonly options: {
    readonly markets?: readonly string[] | undefined;
    readonly profileIds?: readonly string[] | undefined;
  };
}

/**
 * @throws {RangeError} naming a file and its days when a period or grouping by time would split a sum of several days.
 */
export async function refuseCutSums(
  store: Pick<Warehouse, "query">,
  { by, period, reports, options }: FileFiguresRequest & { readonly by: readonly string[] },
): Promise<void> {
  const time = ["day", "week", "month"].find((one) => by.includes(one));
  const unitOf = (day: string): string =>
    time === undefined ? "" : time === "day" ? day : time === "week" ? startOfWeek(day) : day.slice(0, 7);
  const isSplit = ({ start, end }: DayRange): boolean => unitOf(start) !== unitOf(end);
  const [cut] = await cutSums(store, { period, reports, ...options, isSplit });
  if (cut === undefined) return;
  const { name, start, end } = cut;
  const isWhole = start >= period.start && end <= period.end;
  const first = start < period.start ? start : period.start;
  const last = end > period.end ? end : period.end;
  throw new RangeError(
    `Cannot sum up ${period.start} to ${period.end}${
      isWhole ? ` by ${time}` : ""
    }: "${name}" is one sum of ${start} to ` +
      `${end}. ${
        isWhole ? "Do not group by day, week or month" : `Choose ${first} to ${last}`
      }, or download ` +
      "daily rows and import them",
  );
}

export async function fileNotes(
  store: Pick<Warehouse, "query">,
  request: FileFiguresRequest,
): Promise<string[]> {
  const { period, reports, options: { markets, profileIds } } = request;
  const ofReporting1 = await reporting1Notes(store, request);
  const short = (await filePulls(store)).filter((pull) =>
    pull.window === 7 && reports.includes(pull.report) && pull.start <= period.end &&
    pull.end >= period.start &&
    (markets?.includes(pull.countryCode) ?? true) && (profileIds?.includes(pull.profileId) ?? true)
  );
  if (short.length === 0) return ofReporting1;
  const countries = [...new Set(short.map(({ countryCode }) => countryCode))].join(", ");
  return [`Orders and sales of ${countries} count 7 days after a click, as their files do`, ...ofReporting1];
}

async function reporting1Notes(
  store: Pick<Warehouse, "query">,
  { period, reports, options: { markets, profileIds } }: FileFiguresRequest,
): Promise<string[]> {
  const countries = new Set<string>();
  for (const report of reports.filter((name) => name.startsWith("sp_") && name !== "sp_purchased_products")) {
    const days = `FROM days AS d WHERE d.report = ? AND d.reporting = 1 AND d.date >= ? AND d.date <= ?`;
    const params = [report, period.start, period.end];
    const { rows: some } = await store.query(`SELECT d.date ${days} LIMIT 1`, params);
    if (some.length === 0) continue;
    const { rows } = await store.query(
      `SELECT DISTINCT r.country_code, r.profile_id FROM ${report} AS r
       WHERE r.sales_14d IS NULL AND r.sales_7d IS NOT NULL
         AND EXISTS (SELECT 1 ${days} AND d.profile_id = r.profile_id AND d.date = r.date)`,
      params,
      { maxRows: Infinity },
    );
    for (const { country_code: country, profile_id: profile } of rows) {
      const isMeant = (markets?.includes(String(country)) ?? true) &&
        (profileIds?.includes(String(profile)) ?? true);
      if (isMeant) countries.add(String(country));
    }
  }
  if (countries.size === 0) return [];
  return [
    `Orders and sales of ${
      [...countries].sort().join(", ")
    } count 7 days after a click on days of new reports`,
  ];
}
