import { dayOf } from "../../../../base/time/calendar.ts";
import { readAsOf, readDayRange } from "../../../../base/time/moment.ts";
import { fillMacros, storedProfiles } from "../../../../store/figures/query_macros.ts";
import { queryNotes } from "../../../../store/figures/query_notes.ts";
import { command, type MakeCommand } from "../../shell/command.ts";
import { openStore } from "../../shell/connect/open_store.ts";
import { currencyConversion } from "../../shell/input/currency_rates.ts";
import { readInput } from "../../shell/input/read_input.ts";
import { EXIT, refusingBadInput } from "../../shell/io/cli_error.ts";
import { positiveInteger, repeated, separated } from "../../shell/options/parse_values.ts";
import { storeOption } from "../../shell/options/store_option.ts";
import { printRows } from "../../shell/output/print_rows.ts";

const MAX_SHOWN = 10_000;

function sqlCommand(name: string): MakeCommand {
  return command(
    (kit) =>
      kit.leaf("query", {
        printsRows: true,
        summary: "Run a read-only SQL query, typed or from a file",
        details:
          "Each report and each kind of entity is a view (sp_placement, sp_keywords) with country_code, profile_id, " +
          "date and snake_case columns. performance, search_term_performance and budget_pressure add common " +
          "metrics; mart_campaign_day and other marts have warehouse columns. Views ending in _history hold every " +
          "version, with known_from and known_to. adsctl store schema lists them all. SQL files can use {start}, " +
          "{end}, {today}, {profiles} and days such as :YYYYMMDD-7 or :YYYY-MM-DD-7. The database rejects writes.",
        examples: [
          [
            `${name} "SELECT date, sum(cost) AS cost FROM sp_placement GROUP BY date ORDER BY date"`,
            "sum spend by day",
          ],
          [
            `${name} "SELECT * FROM sp_search_terms WHERE country_code = ? AND clicks > 20" --param US --format csv`,
            "bind a value",
          ],
          [
            `${name} "SELECT sum(sales_14d) AS sales FROM sp_campaigns" --as-of 2026-11-01T08:00Z`,
            "query data as known at an earlier time",
          ],
        ],
        library: 'const { rows } = await store.query("SELECT count(*) AS n FROM sp_placement")',
      })
        .argument("<sql>", "SQL statement, a .sql file, @file, or - for standard input")
        .addOption(storeOption())
        .option("--param <value>", "value for the next placeholder; repeatable", repeated)
        .option(
          "--max-rows <n>",
          "maximum rows (default: 10000 on a terminal, otherwise all)",
          positiveInteger,
        )
        .option(
          "--start <day>",
          "value of {start}: a day, -7, or a period such as 'last week' (default: 30 days)",
        )
        .option("--end <day>", "value of {end} (default: yesterday)")
        .option(
          "--profiles <names>",
          "value of {profiles}: country codes or ids (default: all stored)",
          separated,
        )
        .option(
          "--as-of <time>",
          "reports as known at this time: 2026-11-01 (its end), 2026-11-01T08:00Z, or -7 (days ago)",
        )
        .option(
          "--currency <code>",
          "convert amounts in performance, search_term_performance and budget_pressure",
        )
        .option(
          "--rates <file>",
          "conversion rates: CSV or JSON with currency, rate (value of one unit) and, if rates change, from",
        ),
    async (sql, options, context) => {
      const given = options.asOf;
      const asOf = given === undefined
        ? undefined
        : await refusingBadInput(() => readAsOf(given, "--as-of", { now: context.io.now() }));
      const conversion = await currencyConversion(options, context.io);
      const file = sql === "-" || /\.sql$/i.test(sql) ? sql : sql.startsWith("@") ? sql.slice(1) : undefined;
      const written = file === undefined ? sql : (await readInput(file, context.io)).text;
      const today = dayOf(context.io.now());
      const { start = "30 days", end } = options;
      const range = await refusingBadInput(() => readDayRange({ start, end }, today));
      const store = await openStore(options, context);
      const text = file === undefined ? written : await refusingBadInput(async () => {
        const profiles = /\{profiles\}/.test(written) ? await storedProfiles(store, options.profiles) : [];
        return fillMacros(written, file, { range, today, profiles });
      });
      // SQLite cannot be interrupted from inside: from here on Ctrl-C ends the process, which only reads.
      context.interruption.close();
      const maxRows = options.maxRows ?? (context.io.stdout.isTerminal ? MAX_SHOWN : Infinity);
      const { param: params = [] } = options;
      const found = await store.query(text, params, { maxRows, asOf, conversion });
      const { columns, rows, truncated } = found;
      const unknown = asOf === undefined ? undefined : await store.whyUnknownAt(asOf);
      if (unknown !== undefined) await context.io.stderr.write(`warning: ${unknown}\n`);
      await printRows(rows, { columns, isSql: true }, context);
      for (const note of await queryNotes(found, { sql: text, params, asOf, today }, store)) {
        if (note !== unknown) await context.io.stderr.write(`note: ${note}\n`);
      }
      if (!truncated) return EXIT.done;
      await context.io.stderr.write(
        `warning: Only the first ${rows.length} rows are shown: aggregate, filter, or raise --max-rows\n`,
      );
      return options.maxRows === undefined ? EXIT.someFailed : EXIT.done;
    },
  );
}

export const queryCommand = sqlCommand("adsctl query");
