import { namedReport } from "../../../../client/reports/requests/named_report.ts";
import { layoutOf } from "../../../../store/model/report_layout.ts";
import { command } from "../../shell/command.ts";
import { EXIT } from "../../shell/io/cli_error.ts";
import { foldedRows } from "../../shell/output/export_rows.ts";
import { asyncChunks } from "../../../../base/json/chunks.ts";
import { rowPrinter } from "../../shell/output/print_rows.ts";
import type { Row } from "../../shell/context/row_printer.ts";
import { openStore } from "../../shell/connect/open_store.ts";
import { reportColumns } from "../../shell/output/report_columns.ts";
import { addRowOptions, rowFilter } from "./row_options.ts";

export const storeRowsCommand = command(
  (kit) =>
    addRowOptions(kit.leaf("rows", {
      printsRows: true,
      summary: "Print stored rows of a report, oldest day first",
      details: "In CSV, the last column, extra, holds other fields as JSON.",
      examples: [[
        "adsctl store rows sp_search_terms -m US --start -30 --format jsonl",
        "print every column, one row per line",
      ]],
      library: 'for await (const row of store.rows("sp_placement", { countryCode: "US" })) { ... }',
    }))
      .argument("<report>", "name of a report"),
  async (word, options, context) => {
    const { report, columns } = layoutOf(await namedReport(word));
    const filter = await rowFilter(options, context);
    const names = columns.map(({ name }) => name);
    const fields = ["country_code", "profile_id", ...names];
    const store = await openStore(options, context);
    const isCsv = context.globals.format === "csv";
    const shape = {
      columns: ["country_code", ...reportColumns(names)],
      fields: [...fields, ...isCsv ? ["extra"] : []],
    };
    const printer = rowPrinter(shape, context);
    const rows = store.rows(report, filter);
    for await (const batch of asyncChunks<Row>(isCsv ? foldedRows(rows, fields) : rows, 500)) {
      context.interruption.signal.throwIfAborted();
      await printer.write(batch);
    }
    await printer.end();
    return EXIT.done;
  },
);
