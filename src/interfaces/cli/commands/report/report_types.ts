import { nearest } from "../../../../base/text/nearest.ts";
import { columnType } from "../../../../client/reports/file/report_row.ts";
import { namedReport } from "../../../../client/reports/requests/named_report.ts";
import { presetOf, REPORT_PRESETS } from "../../../../client/reports/requests/presets.ts";
import { columnsOf, type ReportType, reportTypes } from "../../../../client/reports/requests/report_types.ts";
import { columnMeaning } from "../../../../store/warehouse/column_meaning.ts";
import { EXIT, UsageError } from "../../shell/io/cli_error.ts";
import { command } from "../../shell/command.ts";
import { printRows, wantsData } from "../../shell/output/print_rows.ts";

const COLUMNS = ["type", "ad_product", "group_by", "time_units", "max_days", "retention_days", "columns"];

export const reportTypesCommand = command(
  (kit) =>
    kit.leaf("types", {
      printsRows: true,
      summary: "List the platform's report types",
      details:
        "Use a type in a configuration file: adsctl report @config.json. max_days: longest range of one report. " +
        "retention_days: how long the platform keeps the data.",
      examples: [["adsctl report types", "list 34 types with their groupings"]],
      library: "const types = await reportTypes()",
    }),
  async (_options, context) => {
    const list = (words: readonly string[]): unknown => wantsData(context) ? words : words.join(" ");
    const rows = [...(await reportTypes()).values()].map((type) => ({
      type: type.reportTypeId,
      ad_product: type.adProduct,
      group_by: list([...type.groups.keys()]),
      time_units: list(type.timeUnits),
      formats: list(type.formats),
      max_days: type.maxDays,
      retention_days: type.retentionDays,
      columns: columnsOf(type).length,
    }));
    await printRows(rows, { columns: COLUMNS, fields: [...COLUMNS, "formats"] }, context);
    return EXIT.done;
  },
);

const COLUMN_COLUMNS = ["column", "type", "group_by", "meaning"];

export const reportColumnsCommand = command(
  (kit) =>
    kit.leaf("columns", {
      printsRows: true,
      summary: "List the columns of a report type",
      details: "group_by: groupings that include the column; empty if all do.",
      examples: [
        ["adsctl report columns sdCampaigns", "list the columns of Display campaign reports"],
        ["adsctl report columns sdCampaigns:matchedTarget", "list those of one grouping"],
        ["adsctl report columns campaigns", "list the columns of a named report's type"],
      ],
      library: 'const type = (await reportTypes()).get("sdCampaigns")',
    })
      .argument("<type>", "report type, with or without a grouping, or a report name"),
  async (name, _options, context) => {
    const type = typeNamed(name.split(":")[0] ?? name, await reportTypes());
    const groupBy = name.includes(":") ? (await namedReport(name)).groupBy : undefined;
    const rows = columnsOf(type, groupBy).map((column) => ({
      column,
      type: columnType(column) ?? "text",
      group_by: type.base.includes(column)
        ? ""
        : [...type.groups].filter(([, group]) => group.columns.includes(column)).map(([group]) => group).join(
          " ",
        ),
      meaning: columnMeaning(column),
    }));
    await printRows(rows, { columns: COLUMN_COLUMNS }, context);
    return EXIT.done;
  },
);

function typeNamed(name: string, types: ReadonlyMap<string, ReportType>): ReportType {
  const preset = presetOf(name);
  const wanted = preset === undefined ? name : REPORT_PRESETS[preset].reportTypeId;
  const type = types.get(wanted) ??
    [...types.values()].find(({ reportTypeId }) => reportTypeId.toLowerCase() === wanted.toLowerCase());
  if (type !== undefined) return type;
  const close = nearest(name, types.keys());
  const hint = close === undefined ? "adsctl report types lists them" : `did you mean ${close}?`;
  throw new UsageError(`Cannot find a type of report "${name}": ${hint}`);
}
