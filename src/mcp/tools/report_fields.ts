import * as z from "zod";
import { dayOf } from "../../internal/calendar.ts";
import { nearest } from "../../internal/nearest.ts";
import type { ReportFieldCheck } from "../../reports/fields/report_field.ts";
import { reportFields } from "../../reports/fields/report_fields.ts";
import { type Tool, tool } from "../calls/tool.ts";
import { ROW_ARGS, ROWS, rowsAnswer } from "../results/rows.ts";
import { ConfigurationError } from "../../errors.ts";

/** The fields of reporting 1, and what goes together. */
export const reportFieldsTool: Tool = tool({
  name: "report_fields",
  title: "Fields of reports",
  description:
    "Fields for run_report with report {fields}: with words, those that have them in their names or in their names of version " +
    "3; with fields, a check whether they make a report, what is translated and added, and how far back it goes.",
  input: z.strictObject({
    words: z.string().optional().describe('"new to brand sales"'),
    fields: z.array(z.string()).optional(),
    start: z.string().optional().describe("YYYY-MM-DD"),
    end: z.string().optional().describe("YYYY-MM-DD"),
    currency: z.string().optional().describe("Amounts in it as well: USD"),
    ...ROW_ARGS,
  }),
  output: ROWS,
  hints: { readOnlyHint: true, openWorldHint: false },
  async run({ words, fields, limit, offset, ...days }, { context }) {
    if (words !== undefined && fields !== undefined) {
      throw new ConfigurationError("Cannot search and check at once: give words or fields");
    }
    if (fields === undefined) return found(await reportFields.search(words ?? ""), { words, limit, offset });
    const check = await reportFields.check(fields, { ...days, today: dayOf(context.now()) });
    const rows = check.fields.map((field) => ({ field }));
    return rowsAnswer(rows.slice(offset, offset + limit), {
      noun: "fields",
      offset,
      total: rows.length,
      notes: remarks(check),
    });
  },
});

async function found(
  all: Awaited<ReturnType<typeof reportFields.search>>,
  { words = "", limit, offset }: { words: string | undefined; limit: number; offset: number },
) {
  if (all.length === 0) {
    const names = (await reportFields.search("")).map(({ field }) => field);
    const near = nearest(`metric.${words.replaceAll(" ", "")}`, names);
    throw new ConfigurationError(
      `Cannot find a field with "${words}". ${
        near === undefined ? "Try fewer words" : `Did you mean ${near}?`
      }`,
    );
  }
  const rows = all.slice(offset, offset + limit).map((
    { field, kind, type, columns, requires, excludes },
  ) => ({
    field,
    kind,
    type,
    columns: columns.join(" "),
    requires: requires.join(" "),
    excludes: excludes.join(" "),
  }));
  return rowsAnswer(rows, { noun: "fields", offset, total: all.length });
}

function remarks({ translated, added, findings, time, periods }: ReportFieldCheck): string[] {
  const since = time.firstDay === undefined ? "" : `, since ${time.firstDay}`;
  return [
    ...findings.map(({ message }) => `Does not fit: ${message}`),
    ...translated.map(({ message }) => message),
    ...added.map(({ field, requiredBy }) => `${field} was added: ${requiredBy.join(", ")} requires it`),
    `${time.field}: ${time.history} are kept${since}; one report gives ${time.longest}`,
    ...(periods.length > 1 ? [`${periods.length} reports`] : []),
  ];
}
