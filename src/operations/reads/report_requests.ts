import type { WaitOptions } from "../../client/reports/requests/report_job.ts";
import type { ReportRow } from "../../client/reports/file/report_row.ts";
import type { ReportStatus } from "../../client/reports/requests/report_status.ts";
import type { Fields } from "../model/field.ts";
import type { Operation } from "../model/operation.ts";
import { fileFormat, reportSubject, REQUEST_FIELDS, shapeOf } from "./report_subject.ts";
import type { ReadContext } from "./read_operation.ts";

type RequestContext = ReadContext & Pick<WaitOptions, "onStatus">;

const REPORT_ID = {
  report_id: { type: "text", value: "report-id", required: true, help: "id of the report" },
} as const;
const SAMPLE = { report_id: "0b5d6a52-5d37-4f43-8ea5-0f4a1d0c7a11" };

/** Requests one report. */
export const reportCreate = read({
  name: "report create",
  title: "Request a report",
  summary: "Request a report and print its id, without waiting",
  details: "A report covers at most 31 days. If the same report is already being built, its id is printed.",
  brief: "Requests a report.",
  examples: [{
    input: { report: "sp_targeting", start: "-31", end: "-1" },
    about: "request now, download later",
  }],
  library: 'const id = await profile.reports.create("sp_targeting", "2026-08-01", "2026-08-31")',
  input: REQUEST_FIELDS,
  async check({ report, file_format: format }, spelling) {
    if (!("kind" in await reportSubject(report))) {
      throw new TypeError(
        'Cannot request this report by "adsctl report create": run it with "adsctl report"',
      );
    }
    fileFormat(format, spelling);
  },
  async run({ profile, signal }: RequestContext, input) {
    const asked = await reportSubject(input.report);
    const { start, end, ...shape } = shapeOf(input, profile.reports.today);
    const kind = "kind" in asked ? asked.kind : "";
    const reportId = await profile.reports.create(kind, start, end, { ...shape, signal });
    return { reportId, start, end };
  },
});

/** Reads the status of a report. */
export const reportStatus = read({
  name: "report status",
  title: "Look at a report",
  summary: "Show the status of a report",
  brief: "Status of a report.",
  examples: [{ input: SAMPLE, about: "PENDING, PROCESSING, COMPLETED" }],
  library: "const { status } = await profile.reports.status(reportId)",
  input: REPORT_ID,
  run: ({ profile, signal }: RequestContext, { report_id: id }): Promise<ReportStatus> =>
    profile.reports.status(id, { signal }),
});

/** Reads the rows of a report. */
export const reportDownload = read({
  name: "report download",
  title: "Download a report",
  summary: "Print the rows of a completed report",
  brief: "Rows of a completed report.",
  examples: [{ input: { ...SAMPLE, wait: true }, about: "download it once it is complete" }],
  library: "const rows = await profile.reports.download(await profile.reports.wait(reportId))",
  input: { ...REPORT_ID, wait: { type: "switch", help: "wait until the report is complete" } },
  async run({ profile, signal, ...waiting }: RequestContext, { report_id: id, wait }) {
    const { reports } = profile;
    const status = wait
      ? await reports.wait(id, { ...waiting, signal })
      : await reports.status(id, { signal });
    const rows = async function* (): AsyncGenerator<ReportRow> {
      for await (const batch of reports.batches(status, { signal })) yield* batch;
    };
    return { columns: status.configuration?.columns ?? [], rows };
  },
});

/** Cancels a report. */
export const reportDelete = read({
  name: "report delete",
  title: "Cancel a report",
  summary: "Cancel a report that is still being built",
  brief: "Cancels a report.",
  examples: [{ input: SAMPLE, about: "cancel it" }],
  library: "await profile.reports.delete(reportId)",
  input: REPORT_ID,
  run: ({ profile, signal }: RequestContext, { report_id: id }): Promise<void> =>
    profile.reports.delete(id, { signal }),
});

function read<const Of extends Fields, Result>(
  operation: Omit<Operation<Of, RequestContext, Result>, "effect" | "isForPeople">,
): Operation<Of, RequestContext, Result> & { readonly effect: "read"; readonly isForPeople: true } {
  return { ...operation, effect: "read", isForPeople: true };
}
