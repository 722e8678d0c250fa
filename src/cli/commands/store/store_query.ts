import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import type { CommandKit } from "../../core/command.ts";
import type { CliContext } from "../../core/context.ts";
import { EXIT } from "../../core/errors/exit_codes.ts";
import { readInput } from "../../text/read_input.ts";
import type { ReportRow } from "../../../reports/report_row.ts";
import { exportFormat } from "../../output/export/export_format.ts";
import { exportRows } from "../../output/export/export_rows.ts";
import { inferredTypes, plainRow } from "../../output/export/inferred_types.ts";
import { printRows } from "../../output/print_rows.ts";
import type { Row } from "../../output/row_printer.ts";
import { currencyConversion, type CurrencyOptions } from "../../options/currency_rates.ts";
import { parseMoment } from "../../options/moments.ts";
import { positiveInteger, repeated } from "../../options/parse_values.ts";
import type { StoreOptions } from "../../core/store_place.ts";
import { withStore } from "../../core/with_store.ts";
import { storeOption } from "../../options/store_option.ts";

/** Rows that are printed on a terminal. */
const MAX_SHOWN = 10_000;

/** Options of {@linkcode runStoreQuery}. */
export interface StoreQueryOptions extends StoreOptions, CurrencyOptions {
  /** Values for placeholders. */
  readonly param?: readonly string[];
  /** Most rows. */
  readonly maxRows?: number;
  /** File to write. */
  readonly out?: string;
  /** Moment whose knowledge is queried. */
  readonly asOf?: string;
}

/** `adsctl store query`. */
export function storeQueryCommand(kit: CommandKit): CommandUnknownOpts {
  return kit.leaf("query", {
    summary: "Run one SQL statement that reads",
    details:
      "Each report is a view of its name with country_code, profile_id, date and the platform's columns in snake_case; each kind of " +
      "entity too (sp_keywords); performance, search_term_performance and budget_pressure are ready with the usual " +
      "metrics. adsctl store schema describes them. The " +
      "database itself refuses to write. sp_placement_history and so on hold every version, with known_from and known_to.",
    examples: [
      [
        'adsctl store query "SELECT date, sum(cost) AS cost FROM sp_placement GROUP BY date ORDER BY date"',
        "spend by day",
      ],
      [
        'adsctl store query "SELECT * FROM sp_search_terms WHERE country_code = ? AND clicks > 20" --param US --format csv',
        "with a value for the placeholder",
      ],
      [
        'adsctl store query "SELECT sum(sales_14d) AS sales FROM sp_campaigns" --as-of 2026-11-01T08:00Z',
        "as it was known when a decision was taken",
      ],
    ],
    library: 'const { rows } = await store.query("SELECT count(*) AS n FROM sp_placement")',
  })
    .argument("<sql>", "the statement, or @file, or - for standard input")
    .addOption(storeOption())
    .option("--param <value>", "value for the next placeholder; may be given again", repeated)
    .option(
      "--max-rows <n>",
      "most rows (default: 10000 on a terminal, all in a pipe and with --out)",
      positiveInteger,
    )
    .option(
      "--as-of <time>",
      "the reports as they were known then: 2026-11-01T08:00Z, or -7 for seven days ago",
    )
    .option(
      "--currency <code>",
      "convert the amounts of performance, search_term_performance and budget_pressure",
    )
    .option(
      "--rates <file>",
      "rates to convert by: CSV or JSON with currency, rate (what one unit is worth) and, where rates change, from",
    )
    .option("--out <file>", "write to a file: .csv, .json, .jsonl, .parquet or .xlsx")
    .action((sql, options, self) => kit.run((context) => runStoreQuery(sql, options, context), self));
}

/** Runs a query and prints what it finds. */
export async function runStoreQuery(
  sql: string,
  options: StoreQueryOptions,
  context: CliContext,
): Promise<number> {
  if (options.out !== undefined) exportFormat(options.out);
  const asOf = options.asOf === undefined
    ? undefined
    : new Date(parseMoment(options.asOf, { option: "--as-of", now: context.io.now() })).toISOString();
  const conversion = await currencyConversion(options, context.io);
  const text = sql === "-" || sql.startsWith("@")
    ? (await readInput(sql === "-" ? sql : sql.slice(1), context.io)).text
    : sql;
  return await withStore(options, context, async (store) => {
    // SQLite cannot be interrupted from inside: from here on Ctrl-C ends the process, which only reads.
    context.interruption.close();
    const { out } = options;
    const isShown = out === undefined && context.io.stdout.isTerminal;
    const maxRows = options.maxRows ?? (isShown ? MAX_SHOWN : Infinity);
    const { columns, rows, truncated } = await store.query(text, options.param ?? [], {
      maxRows,
      asOf,
      conversion,
    });
    const unknown = asOf === undefined ? undefined : await store.whyUnknownAt(asOf);
    if (unknown !== undefined) await context.io.stderr.write(`warning: ${unknown}\n`);
    if (out === undefined) await printRows(rows, { columns }, context);
    else {
      const types = inferredTypes(columns, rows);
      await exportRows(plainRows(rows), { path: out, columns, types }, context);
      if (!context.globals.quiet) await context.io.stderr.write(`Wrote ${rows.length} rows to ${out}\n`);
    }
    if (!truncated) return EXIT.done;
    await context.io.stderr.write(
      `warning: These are the first ${rows.length} rows, and there are more: aggregate, narrow, or raise --max-rows\n`,
    );
    return options.maxRows === undefined ? EXIT.someFailed : EXIT.done;
  });
}

async function* plainRows(rows: readonly Row[]): AsyncGenerator<ReportRow> {
  for (const row of rows) yield plainRow(row);
}
