import type { FileSource } from "../../files/file_rows.ts";
import { dayAt } from "../../traffic/day_span.ts";
import type { ProfileState } from "../../state/profile_state.ts";
import { findType, firstKeptDay } from "./check_report_request.ts";
import { asReport, statusOf } from "./report_record.ts";
import { reportRows } from "./report_rows.ts";

/** The rows of a completed report of a profile; `undefined` when there is none with this id. */
export function reportFile(
  profile: ProfileState,
  id: string,
  { seed, now }: { seed: string; now: number },
): FileSource | undefined {
  const found = profile.collection("reports").get(id);
  if (found === undefined) return undefined;
  const report = asReport(found);
  if (statusOf(report, now) !== "COMPLETED") return undefined;
  const type = findType(report.configuration);
  const keptFrom = firstKeptDay(type, dayAt(report.createdAt, profile.record.timezone));
  const { format } = report.configuration;
  return {
    rows: () => reportRows({ ...report, keptFrom, profile, seed, type, asOf: report.endsAt }),
    format: format === "CSV" || format === "XLSX" ? format : "GZIP_JSON",
  };
}
