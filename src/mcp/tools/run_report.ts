import * as z from "zod";
import { readDay } from "../../internal/moment.ts";
import { REPORT_PRESETS } from "../../reports/presets.ts";
import type { ReportConfiguration } from "../../reports/report_configuration.ts";
import { resumedReports } from "../reports/resumed_report.ts";
import { sortedRows } from "../results/sorted_rows.ts";
import { ROW_ARGS, ROWS, SAVE_ARG, SAVED_ROWS, takeRows } from "../results/rows.ts";
import { type Tool, tool } from "../tool.ts";
import { MARKET } from "./market.ts";

const MAX_ROWS_READ = 1_000_000;
const WAIT = 300;
const DAY = z.string().describe("YYYY-MM-DD, or -N for N days ago");

/** An offline report in one call. */
export function runReport(canSave: boolean): Tool {
  return tool({
    name: "run_report",
    title: "Run a report",
    description:
      `Performance figures of one profile. Presets: ${Object.keys(REPORT_PRESETS).join(", ")}; or a whole ` +
      "configuration. Takes minutes: progress is sent, and a call that ends early is resumed by the next one with the " +
      "same arguments. Prefer SUMMARY with sort_by over reading every day's rows.",
    input: z.strictObject({
      market: MARKET,
      report: z.union([z.string(), z.record(z.string(), z.unknown())]).describe("Preset or configuration"),
      start: DAY.default("-7"),
      end: DAY.default("-1"),
      time_unit: z.enum(["DAILY", "SUMMARY"]).optional(),
      columns: z.array(z.string()).optional(),
      filters: z.record(z.string(), z.array(z.string())).optional(),
      sort_by: z.string().optional().describe("Column, largest first"),
      wait_seconds: z.int().min(1).max(3600).default(WAIT),
      ...ROW_ARGS,
      ...(canSave ? SAVE_ARG : {}),
    }),
    output: canSave ? SAVED_ROWS : ROWS,
    hints: canSave ? { readOnlyHint: false, destructiveHint: false } : { readOnlyHint: true },
    async run(args, call) {
      const profile = await call.context.profile(args.market, call.signal);
      const { today } = profile.reports;
      const wanted = {
        start: readDay(args.start, "start", today),
        end: readDay(args.end, "end", today),
        timeUnit: args.time_unit,
        columns: args.columns,
        filters: args.filters,
      };
      const report = args.report as string | ReportConfiguration;
      const { requests, warnings } = profile.reports.requests(report, wanted);
      await profile.reports.check(report, wanted);
      const notes = [...warnings];
      if (requests.length > 1 && requests[0]!.configuration.timeUnit === "SUMMARY") {
        notes.push(`More than 31 days: each of ${requests.length} parts has its own totals`);
      }
      let step = 0;
      const rows = resumedReports(profile, requests, {
        pending: call.context.pendingReports,
        seconds: args.wait_seconds,
        tell: (message) => call.progress(++step, message),
        signal: call.signal,
      });
      const { limit, offset, sort_by: column } = args;
      const sorted = column === undefined ? rows : sortedRows(rows, column);
      const saveTo = (args as { save_to?: string }).save_to;
      const options = { noun: "rows", limit, offset, saveTo, mostRead: MAX_ROWS_READ, notes: () => notes };
      return await takeRows(sorted, options, call);
    },
  });
}
