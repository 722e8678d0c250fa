import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import type { CommandKit } from "../../core/command.ts";
import type { CliContext } from "../../core/context.ts";
import { EXIT } from "../../core/exit_codes.ts";
import { readInput } from "../../text/read_input.ts";
import { printRows } from "../../output/print_rows.ts";
import { positiveInteger, repeated } from "../../options/parse_values.ts";
import type { StoreOptions } from "../../core/store_place.ts";
import { storeOption, withStore } from "../../core/with_store.ts";

/** Options of {@linkcode runStoreQuery}. */
export interface StoreQueryOptions extends StoreOptions {
  /** Values for placeholders. */
  readonly param?: readonly string[];
  /** Most rows. */
  readonly maxRows?: number;
}

/** `adsctl store query`. */
export function storeQueryCommand(kit: CommandKit): CommandUnknownOpts {
  return kit.leaf("query", {
    summary: "Run one SQL statement that reads",
    details:
      "Each report is a view of its name with country_code, profile_id, date and the platform's columns. The " +
      "database itself refuses to write.",
    examples: [
      [
        'adsctl store query "SELECT date, sum(cost) AS cost FROM sp_placement GROUP BY date ORDER BY date"',
        "spend by day",
      ],
      [
        'adsctl store query "SELECT * FROM sp_search_terms WHERE country_code = ? AND clicks > 20" --param US --format csv',
        "with a value for the placeholder",
      ],
    ],
    library: 'const { rows } = await store.query("SELECT count(*) AS n FROM sp_placement")',
  })
    .argument("<sql>", "the statement, or @file, or - for standard input")
    .addOption(storeOption())
    .option("--param <value>", "value for the next placeholder; may be given again", repeated)
    .option("--max-rows <n>", "most rows (default: 10000)", positiveInteger)
    .action((sql, options, self) => kit.run((context) => runStoreQuery(sql, options, context), self));
}

/** Runs a query and prints what it finds. */
export async function runStoreQuery(
  sql: string,
  options: StoreQueryOptions,
  context: CliContext,
): Promise<number> {
  const text = sql === "-" || sql.startsWith("@")
    ? (await readInput(sql === "-" ? sql : sql.slice(1), context.io)).text
    : sql;
  return await withStore(options, context, async (store) => {
    // SQLite cannot be interrupted from inside: from here on Ctrl-C ends the process, which only reads.
    context.interruption.close();
    const { maxRows } = options;
    const found = await store.query(text, options.param ?? [], maxRows === undefined ? {} : { maxRows });
    await printRows(found.rows, { columns: found.columns }, context);
    if (found.truncated && !context.globals.quiet) {
      await context.io.stderr.write(
        `Printed the first ${found.rows.length} rows, and there are more: aggregate, narrow, or raise --max-rows\n`,
      );
    }
    return EXIT.done;
  });
}
