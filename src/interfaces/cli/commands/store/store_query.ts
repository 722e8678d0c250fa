import type { Command } from "@commander-js/extra-typings";
import { storeQuery } from "../../../../operations/reads/store_query.ts";
import { command } from "../../shell/command.ts";
import { openStore } from "../../shell/connect/open_store.ts";
import { currencyConversion, type CurrencyOptions } from "../../shell/input/currency_rates.ts";
import { readInput } from "../../shell/input/read_input.ts";
import { EXIT, refusingBadInput } from "../../shell/io/cli_error.ts";
import { addFields } from "../../shell/options/field_options.ts";
import { operationDoc, operationInput } from "../../shell/options/operation_input.ts";
import { storeOption, type StoreOptions } from "../../shell/options/store_option.ts";
import { printRows } from "../../shell/output/print_rows.ts";

/** A terminal is for reading; a pipe or file gets every row. */
const MAX_SHOWN = 10_000;

export const queryCommand = command(
  (kit) =>
    // The types of commander cannot know options that are declared elsewhere.
    addFields(
      kit.leaf("query", { printsRows: true, ...operationDoc(storeQuery, { withMarket: false }) }),
      storeQuery.input,
    ).addOption(storeOption()) as Command<
      [string],
      Pick<StoreOptions, keyof StoreOptions> & Pick<CurrencyOptions, keyof CurrencyOptions> & {
        maxRows?: number;
      }
    >,
  async (given, options, context) => {
    const { io } = context;
    const source = given === "-" || /\.sql$/i.test(given)
      ? given
      : given.startsWith("@")
      ? given.slice(1)
      : undefined;
    const conversion = await currencyConversion(options, io);
    const sql = source === undefined ? given : (await readInput(source, io)).text;
    const input = await operationInput(storeQuery, options, { sql, ...conversion });
    const store = await openStore(options, context);
    // SQLite cannot be interrupted from inside: from here on Ctrl-C ends the process, which only reads.
    context.interruption.close();
    const limit = { rows: io.stdout.isTerminal ? MAX_SHOWN : Infinity, most: Infinity };
    const { columns, rows, truncated, unknown, notes } = await refusingBadInput(() =>
      storeQuery.run({ store, now: io.now(), limit, source }, input)
    );
    if (unknown !== undefined) await io.stderr.write(`warning: ${unknown}\n`);
    await printRows(rows, { columns, isSql: true }, context);
    for (const note of notes) await io.stderr.write(`note: ${note}\n`);
    if (!truncated) return EXIT.done;
    await io.stderr.write(
      `warning: Only the first ${rows.length} rows are shown: aggregate, filter, or raise --max-rows\n`,
    );
    return options.maxRows === undefined ? EXIT.someFailed : EXIT.done;
  },
);
