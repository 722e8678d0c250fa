import { timeLimits } from "../../client/reports/field_periods.ts";
import type { Day } from "../../base/time/calendar.ts";
import type { NamedReport } from "../../client/reports/requests/named_report.ts";
import type { ReportingApi } from "../../client/reports/requests/report_configuration.ts";
import { firstKeptDay } from "../../client/reports/requests/report_requests.ts";

const DAYS = ["date.value"];

export function keptSince(
  source: Pick<NamedReport, "retentionDays">,
  { reporting, today }: { readonly reporting: ReportingApi; readonly today: Day },
): Day {
  const kept = firstKeptDay(source, today);
  return reporting === 3 ? kept : timeLimits(DAYS, today).firstDay ?? kept;
}
