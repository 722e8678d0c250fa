import { readDay } from "../../base/time/moment.ts";
import type { ReportFieldCheck } from "../../client/reports/report_field.ts";
import { JSON_SPELLING, type Spelling } from "../model/operation.ts";

interface CheckedReport {
  readonly fields: readonly string[];
  readonly start?: string | undefined;
  readonly end?: string | undefined;
  readonly currency?: string | undefined;
}

/** Checks whether fields can be combined for these days; a first day alone means until yesterday. */
export async function checkReport(
  { fields, start, end = start === undefined ? undefined : "-1", currency }: CheckedReport,
  { today, spelling: { field } = JSON_SPELLING }: {
    readonly today: string;
    readonly spelling?: Spelling;
  },
): Promise<ReportFieldCheck> {
  const { checkFields } = await import("../../client/reports/check_fields.ts");
  const day = (text: string | undefined, name: string): string | undefined =>
    text === undefined ? undefined : readDay(text, field(name), today);
  return await checkFields(fields, { start: day(start, "start"), end: day(end, "end"), today, currency });
}
