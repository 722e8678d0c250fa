import { type DayRange, joinDays } from "../../base/time/calendar.ts";
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
