import * as z from "zod";
import { dayOf } from "../../../base/time/calendar.ts";
import { type Tool, tool } from "../tooling/tool.ts";
import { ROW_ARGS, ROWS, rowsAnswer } from "../tooling/rows.ts";
import type { Row } from "../calls/text_table.ts";
import { checkReport } from "../../../operations/reads/report_check.ts";
import { ConfigurationError } from "../../../errors.ts";

export const reportFieldsTool: Tool = tool({
  name: "report_fields",
  title: "Search report fields",
  description:
    "Fields for run_report with report {fields}. With words, searches field names and their names in old reports. " +
    "With fields, checks whether they can be combined, and shows translated and added fields and the " +
    "available history.",
  input: z.strictObject({
    words: z.string().optional().describe('"new to brand sales"'),
    fields: z.array(z.string()).optional(),
    start: z.string().optional().describe("YYYY-MM-DD or -7"),
    end: z.string().optional().describe("Default -1"),
    currency: z.string().optional().describe("Adds amounts in it: USD"),
    ...ROW_ARGS,
  }),
  output: ROWS,
  effect: "read",
  isLocal: true,
  sets: ["reports"],
  async run({ words, fields, limit, offset, ...days }, { context }) {
    if (words !== undefined && fields !== undefined) {
      throw new ConfigurationError("Cannot search and check at once: give words or fields");
    }
    // Nothing of it is needed before the first call.
    const { addedText, historyText, noFieldText, searchFields } = await import(
      "../../../client/reports/check_fields.ts"
    );
    if (fields === undefined) {
      const all = await searchFields(words ?? "");
      if (all.length === 0) throw new ConfigurationError(await noFieldText(words ?? ""));
      const rows = all.map(({ field, kind, type, columns, requires, excludes }) => ({
        ...{ field, kind, type },
        columns: columns.join(" "),
        requires: requires.join(" "),
        excludes: excludes.join(" "),
      }));
      return shown(rows, { limit, offset });
    }
    const check = await checkReport({ fields, ...days }, { today: dayOf(context.now()) });
    const { translated, added, findings, time, periods } = check;
    const notes = [
      ...findings.map(({ message }) => `Does not fit: ${message}`),
      ...translated.map(({ message }) => message),
      ...added.map(addedText),
      historyText(time),
      ...(periods.length > 1 ? [`${periods.length} reports`] : []),
    ];
    return shown(check.fields.map((field) => ({ field })), { limit, offset, notes });
  },
});

function shown(
  rows: readonly Row[],
  { limit, offset, notes }: {
    readonly limit: number;
    readonly offset: number;
    readonly notes?: readonly string[];
  },
): ReturnType<typeof rowsAnswer> {
  return rowsAnswer(rows.slice(offset, offset + limit), {
    noun: "fields",
    offset,
    total: rows.length,
    notes,
  });
}
