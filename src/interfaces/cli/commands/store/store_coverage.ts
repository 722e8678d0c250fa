import { nextCommand } from "../../shell/context/shell_words.ts";
import type { DayRange } from "../../../../base/time/calendar.ts";
import { storeCoverage } from "../../../../operations/reads/store_coverage.ts";
import { command } from "../../shell/command.ts";
import { EXIT } from "../../shell/io/cli_error.ts";
import { openStore } from "../../shell/connect/open_store.ts";
import { isOfMarkets, onlyMarketsOption } from "../../shell/options/market_options.ts";
import { storeOption } from "../../shell/options/store_option.ts";
import { operationDoc } from "../../shell/options/operation_input.ts";
import { printRows, wantsData } from "../../shell/output/print_rows.ts";
import { say } from "../../shell/output/write_text.ts";

const COLUMNS = [
  "country_code",
  "report",
  "first_day",
  "last_day",
  "days",
  "rows",
  "available",
  "lost",
  "last_pull",
];
const FIELDS = [...COLUMNS, "profile_id", "gaps", "fetch_by", "expires", "from_reporting_1"];

export const storeCoverageCommand = command(
  (kit) =>
    kit.leaf("coverage", {
      printsRows: true,
      ...operationDoc(storeCoverage),
      examples: [
        ["adsctl store coverage --json", "list every gap"],
        [
          "adsctl store coverage --fail-on-gaps",
          "monitor: exit code 3 while days can still be fetched",
        ],
      ],
    })
      .addOption(onlyMarketsOption("reports"))
      .addOption(storeOption())
      .option("--fail-on-gaps", "exit code 3 if missing days are still available"),
  async (options, context) => {
    const store = await openStore(options, context);
    const isWanted = isOfMarkets(options.market);
    const result = await storeCoverage.run({ store, isWanted, now: context.io.now() }, {});
    const { coverage, notes } = result;
    const shown = (ranges: readonly DayRange[]): unknown =>
      wantsData(context)
        ? ranges
        : ranges.map(({ start, end }) => start === end ? start : `${start}..${end}`).join(" ");
    const rows = coverage.map((line) => ({
      country_code: line.countryCode,
      profile_id: line.profileId,
      report: line.report,
      first_day: line.firstDay,
      last_day: line.lastDay,
      days: line.days,
      rows: line.rows,
      gaps: shown(line.gaps),
      available: shown(line.available),
      lost: shown(line.lost),
      fetch_by: line.fetchBy,
      expires: line.expires,
      last_pull: line.lastPull,
      from_reporting_1: line.fromReporting1,
    }));
    await printRows(rows, { columns: COLUMNS, fields: FIELDS }, context);
    const { io, globals } = context;
    if (rows.length === 0) {
      await say(`Nothing is stored in ${store.location}: ${nextCommand(["sync"], globals)} fills it`, {
        io,
        globals,
      });
    }
    for (const line of globals.quiet ? [] : storeCoverage.lines?.(result) ?? []) {
      await io.stderr.write(`warning: ${line}. Run ${nextCommand(["sync"], globals)}\n`);
    }
    for (const note of notes) await say(`note: ${note}`, context);
    const lacking = coverage.some(({ available }) => available.length > 0);
    return options.failOnGaps && lacking ? EXIT.someFailed : EXIT.done;
  },
);
