import { addDays, type DayRange } from "../../base/time/calendar.ts";
import { cutSums, filePulls } from "./file_pulls.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";

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
    time === undefined ? "" : time === "day" ? day : time === "week" ? mondayOf(day) : day.slice(0, 7);
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

function mondayOf(day: string): string {
  return addDays(day, -((new Date(day).getUTCDay() + 6) % 7));
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
