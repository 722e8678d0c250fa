import { addDays, type DayRange } from "../../internal/calendar.ts";
import { cutSums, filePulls } from "../file_pulls.ts";
import type { Warehouse } from "../warehouse.ts";

/** Which figures are read. */
interface FileFiguresRequest {
  readonly period: DayRange;
  readonly reports: readonly string[];
  readonly options: {
    readonly markets?: readonly string[] | undefined;
    readonly profileIds?: readonly string[] | undefined;
  };
}

/**
 * Refuses a period, or groups of days, that one sum of a file would have to be divided for.
 *
 * @throws {RangeError} that names the file and its days.
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
        isWhole ? "Leave days, weeks and months out of the groups" : `Take ${first} to ${last}`
      }, or download ` +
      "daily rows and import them",
  );
}

function mondayOf(day: string): string {
  return addDays(day, -((new Date(day).getUTCDay() + 6) % 7));
}

/** Remarks for a reader of figures out of files. */
export async function fileNotes(
  store: Pick<Warehouse, "query">,
  { period, reports, options: { markets, profileIds } }: FileFiguresRequest,
): Promise<string[]> {
  const short = (await filePulls(store)).filter((pull) =>
    pull.window === 7 && reports.includes(pull.report) && pull.start <= period.end &&
    pull.end >= period.start &&
    (markets?.includes(pull.countryCode) ?? true) && (profileIds?.includes(pull.profileId) ?? true)
  );
  if (short.length === 0) return [];
  const countries = [...new Set(short.map(({ countryCode }) => countryCode))].join(", ");
  return [`Orders and sales of ${countries} count 7 days after a click, as their files do`];
}
