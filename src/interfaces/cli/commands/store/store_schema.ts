import { namedReport } from "../../../../client/reports/requests/named_report.ts";
import { layoutOf } from "../../../../store/model/report_layout.ts";
import type { SchemaTable } from "../../../../store/model/schema_table.ts";
import { storeSchema } from "../../../../store/warehouse/store_schema.ts";
import { EXIT, UsageError } from "../../shell/io/cli_error.ts";
import { command } from "../../shell/command.ts";
import { nextCommand } from "../../shell/context/shell_words.ts";
import { printJson, printRows, wantsData } from "../../shell/output/print_rows.ts";

export const storeSchemaCommand = command(
  (kit) =>
    kit.leaf("schema", {
      printsRows: true,
      summary: "List views and tables, their columns, and sample queries",
      details:
        "Each report is a view with its name and snake_case columns. The store's own data is in days, pulls, " +
        "profiles and report_requests.",
      examples: [
        ["adsctl store schema", "list views and tables"],
        ["adsctl store schema sp_search_terms", "show its columns and sample queries"],
        [
          "adsctl store schema sdCampaigns:matchedTarget",
          "show the view of a report type",
        ],
      ],
      library: "const tables = storeSchema()",
    })
      .argument("[name]", "view or table"),
  async (name, _options, context) => {
    const tables = storeSchema();
    if (name === undefined) {
      if (wantsData(context)) await printJson(tables, context);
      else {await printRows(
          tables.map(({ name, about }) => ({ name, about })),
          { columns: ["name", "about"] },
          context,
        );}
      return EXIT.done;
    }
    const wanted = name.replaceAll("-", "_");
    const table = tables.find((each) => each.name === wanted) ?? await typedTable(name);
    if (table === undefined) {
      throw new UsageError(
        `Cannot find "${name}": expected one of ${tables.map((each) => each.name).join(", ")}`,
      );
    }
    if (wantsData(context)) await printJson(table, context);
    else {
      const columns = table.columns.map((column) => ({ ...column }));
      await printRows(columns, { columns: ["name", "type", "meaning"] }, context);
      if (!context.globals.quiet) {
        const examples = table.examples.map((sql) => `  ${nextCommand(["query", sql], context.globals)}\n`);
        await context.io.stderr.write(`${table.about}\n${examples.join("")}`);
      }
    }
    return EXIT.done;
  },
);

async function typedTable(name: string): Promise<SchemaTable | undefined> {
  const report = await namedReport(name.replace(/[-_]history$/, "")).catch(() => undefined);
  if (report === undefined) return undefined;
  const isHistory = /[-_]history$/.test(name);
  return storeSchema([layoutOf(report)]).find((table) =>
    table.name === (isHistory ? `${report.report}_history` : report.report)
  );
}
