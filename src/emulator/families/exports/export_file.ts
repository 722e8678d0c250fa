import type { FileSource } from "../../files/file_rows.ts";
import type { ProfileState } from "../../state/profile_state.ts";
import { asExport, exportStatus } from "./export_record.ts";
import { exportRows } from "./export_rows.ts";

/** The rows of a completed export of a profile; `undefined` when there is none with this id. */
export function exportFile(profile: ProfileState, id: string, now: number): FileSource | undefined {
  const found = profile.collection("exports").get(id);
  if (found === undefined || exportStatus(asExport(found), now) !== "COMPLETED") return undefined;
  return { rows: () => exportRows(profile, asExport(found)), format: "GZIP_JSON" };
}
