import type { ProfileClient } from "../../../client/profile_client.ts";
import type { ReportRow } from "../../../client/reports/file/report_row.ts";
import type { Truth } from "../model/task.ts";

export function reportTruth(profile: ProfileClient): Truth {
  const read = new Map<string, Promise<ReportRow[]>>();
  const rows: Truth["rows"] = (preset, start, end) => {
    const key = `${preset} ${start} ${end}`;
    const known = read.get(key);
    if (known !== undefined) return known;
    const asked = profile.reports.run(preset, start, end);
    read.set(key, asked);
    return asked;
  };
  return {
    rows,
    sum: async (column, { preset, start, end, where = () => true }) => {
      const found = (await rows(preset, start, end)).filter(where);
      return Math.round(found.reduce((sum, row) => sum + Number(row[column] ?? 0), 0) * 100) / 100;
    },
  };
}
