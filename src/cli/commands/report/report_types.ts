import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { columnsOf, reportTypes } from "../../../reports/report_types.ts";
import type { CommandKit } from "../../core/command.ts";
import type { CliContext } from "../../core/context.ts";
import { EXIT } from "../../core/errors/exit_codes.ts";
import { printRows, wantsData } from "../../output/print_rows.ts";

const COLUMNS = ["type", "ad_product", "group_by", "time_units", "max_days", "retention_days", "columns"];

/** `adsctl report types`. */
export function reportTypesCommand(kit: CommandKit): CommandUnknownOpts {
  return kit.leaf("types", {
    summary: "List the types of reports that the platform publishes",
    details:
      "A configuration file names a type: adsctl report @config.json. max_days: days that one report may span; " +
      "retention_days: days that the platform keeps.",
    examples: [["adsctl report types", "34 types, with what their rows can be grouped by"]],
    library: "const types = await reportTypes()",
  }).action((_options, self) => kit.run((context) => runReportTypes(context), self));
}

/** Lists the types. */
async function runReportTypes(context: CliContext): Promise<number> {
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
}
