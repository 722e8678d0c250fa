import { dayOf } from "../../../../base/time/calendar.ts";
import type { ReportFieldCheck } from "../../../../client/reports/report_field.ts";
import { historyText, noFieldText, searchFields } from "../../../../client/reports/check_fields.ts";
import { checkReport } from "../../../../operations/reads/report_check.ts";
import { command } from "../../shell/command.ts";
import { EXIT, refusingBadInput, UsageError } from "../../shell/io/cli_error.ts";
import { printRows, wantsData } from "../../shell/output/print_rows.ts";

const SHOWN = ["field", "kind", "type", "columns", "requires"];

export const reportFieldsCommand = command(
  (kit) =>
    kit.leaf("fields", {
      printsRows: true,
      summary: "Search the fields of new reports",
      details:
        "New reports have no types: combine any compatible fields, and the dimensions among them are the " +
        "grouping. columns: names in old reports (they end in 2027), which the search finds too. requires: fields that are " +
        "added automatically. excludes: dimensions that the field cannot be combined with.",
      examples: [
        ["adsctl report fields new to brand sales", "search fields, best match first"],
        ["adsctl report fields costPerClick", "find the field that replaces an old column"],
      ],
      library: 'const fields = await reportFields.search("new to brand sales")',
      fields: [...SHOWN, "dsp_columns", "converted", "excludes"],
    })
      .argument("[words...]", "parts of names; leave out to list all fields"),
  async (words, _options, context) => {
    const found = await searchFields(words.join(" "));
    if (found.length === 0) {
      throw new UsageError(await noFieldText(words.join(" ")));
    }
    const list = (names: readonly string[]): unknown => wantsData(context) ? names : names.join(" ");
    const rows = found.map(({ field, kind, type, columns, dspColumns, requires, converted, excludes }) => ({
      field,
      kind,
      type,
      columns: list(columns),
      requires: list(requires),
      dsp_columns: list(dspColumns),
      converted: converted ?? null,
      excludes: list(excludes),
    }));
    await printRows(rows, { columns: SHOWN, fields: Object.keys(rows[0]!) }, context);
    return EXIT.done;
  },
);

export const reportCheckCommand = command(
  (kit) =>
    kit.leaf("check", {
      printsRows: true,
      summary: "Check that fields of new reports can be combined, without sending anything",
      details:
        "--fields takes new field names or old column names, which are translated. Required companion fields are " +
        "added. The check suggests names for unknown fields, lists incompatible ones, and rejects days beyond the " +
        "history of the time field. Exit code 2 if anything is wrong.",
      examples: [
        [
          "adsctl report check --fields date.value,campaign.id,costPerClick",
          "show the report that would be requested",
        ],
        ["adsctl report check --fields hour.value,metric.sales --start -20", "with days"],
      ],
      library: 'const { findings } = await reportFields.check(["date.value", "metric.clicks"])',
    })
      .option("--start <day>", "first day: YYYY-MM-DD, or -N days before today")
      .option("--end <day>", "last day (default: -1)")
      .option("--currency <code>", "currency that amounts are converted to, for example USD"),
  async (options, context) => {
    const { globals, io } = context;
    const { fields } = globals;
    if (fields === undefined) {
      throw new UsageError(
        "Cannot check a report without fields. Add them: --fields date.value,metric.clicks",
      );
    }
    const today = dayOf(io.now());
    const spelling = { field: (name: string) => `--${name}` };
    const check = await refusingBadInput(() => checkReport({ ...options, fields }, { today, spelling }));
    // --fields names what is checked, not what is printed.
    await printRows(rowsOf(fields, check), { columns: ["field", "given", "note"] }, {
      ...context,
      globals: { ...globals, fields: undefined },
    });
    for (const { message } of check.findings) await io.stderr.write(`adsctl: ${message}\n`);
    if (check.findings.length > 0) return EXIT.usage;
    if (globals.quiet) return EXIT.done;
    const { time, periods } = check;
    await io.stderr.write(
      `${historyText(time)}\n` +
        (periods.length > 1 ? `${periods.length} reports: ${periods.map(written).join(", ")}\n` : ""),
    );
    return EXIT.done;
  },
);

function written({ start, end }: { start: string; end: string }): string {
  return `${start} to ${end}`;
}

function rowsOf(
  given: readonly string[],
  { fields, translated, added, findings }: ReportFieldCheck,
): { field: string; given: string; note: string }[] {
  const unknown = given.filter((name) =>
    findings.some(({ kind, field }) => field === name && (kind === "unknown" || kind === "ambiguous"))
  );
  return [...fields, ...unknown].map((field) => {
    const names = translated.filter((one) => one.field === field);
    const companion = added.find((one) => one.field === field);
    const notes = [
      ...names.map(({ message }) => message),
      ...companion === undefined ? [] : [`added: ${companion.requiredBy.join(", ")} requires it`],
      ...findings.filter((one) => one.field === field).map(({ kind }) => kind),
    ];
    const isGiven = given.includes(field) || names.length > 0;
    return { field, given: names[0]?.given ?? (isGiven ? field : ""), note: notes.join("; ") };
  });
}
