import * as z from "zod";
import { ROW_ARGS, ROWS, takeRows } from "../results/rows.ts";
import { coverageRows } from "../store/coverage_rows.ts";
import { type Tool, tool } from "../tool.ts";

/** Tool for the contents of the report store. */
export const reportCoverage: Tool = tool({
  name: "report_coverage",
  title: "Show what is stored",
  description:
    "What the report store holds: per market and report the first and last day, rows, last pull, gaps, and which missing " +
    "days sync_reports can still fetch.",
  input: z.strictObject({ ...ROW_ARGS }),
  output: ROWS,
  hints: { readOnlyHint: true, openWorldHint: false },
  async run({ limit, offset }, call) {
    const rows = await coverageRows(call.context.store!);
    return await takeRows(rows, { noun: "stored reports", limit, offset }, call);
  },
});
