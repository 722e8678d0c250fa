import { exportRows } from "../exports/export_rows.ts";
import { asExport, exportStatus } from "../exports/export_record.ts";
import { findType } from "../reports/check_report_request.ts";
import { asReport, statusOf } from "../reports/report_record.ts";
import { reportRows } from "../reports/report_rows.ts";
import type { ProfileState } from "../state/profile_state.ts";

/** Gives the rows of a file, each as the JSON of an object. */
export type FileRows = () => Iterable<string>;

/** The rows of a completed report or export of a profile; `undefined` when there is none with this id. */
export function fileRows(
  profile: ProfileState,
  id: string,
  { seed, now }: { seed: string; now: number },
): FileRows | undefined {
  const report = profile.collection("reports").get(id);
  if (report !== undefined) {
    const record = asReport(report);
    if (statusOf(record, now) !== "COMPLETED") return undefined;
    const type = findType(record.configuration);
    return () => reportRows({ ...record, profile, seed, type, asOf: record.endsAt });
  }
  const exported = profile.collection("exports").get(id);
  if (exported === undefined || exportStatus(asExport(exported), now) !== "COMPLETED") return undefined;
  return () => exportRows(profile, asExport(exported));
}
