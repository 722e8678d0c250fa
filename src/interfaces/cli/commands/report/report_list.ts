import { namedReport } from "../../../../client/reports/requests/named_report.ts";
import { command } from "../../shell/command.ts";
import { EXIT } from "../../shell/io/cli_error.ts";
import { isOfMarkets, onlyMarketsOption } from "../../shell/options/market_options.ts";
import { printRows } from "../../shell/output/print_rows.ts";
import { positiveInteger } from "../../shell/options/parse_values.ts";
import { openStore } from "../../shell/connect/open_store.ts";
import { storeOption } from "../../shell/options/store_option.ts";

const COLUMNS = ["askedAt", "countryCode", "report", "start", "end", "state", "rows", "reportId", "problem"];
const FIELDS = [...COLUMNS, "profileId", "changedAt", "id", "fingerprint", "configuration"];

const MAX_ENTRIES = 100_000;

export const reportListCommand = command(
  (kit) =>
    kit.leaf("list", {
      printsRows: true,
      summary: "List the reports that sync requested, newest first",
      details:
        "The store records each report before waiting for it, so an interrupted sync resumes it instead of " +
        "requesting it twice.",
      examples: [["adsctl report list --unfinished", "list reports that are pending, failed or dropped"]],
      library: "const entries = await store.requests({ unfinished: true })",
    })
      .addOption(onlyMarketsOption("reports"))
      .addOption(storeOption())
      .option("--report <name>", "only this report")
      .option("--unfinished", "only reports that are not stored")
      .option("--limit <n>", "print at most this many (default: 100)", positiveInteger),
  async (options, context) => {
    const report = options.report === undefined ? undefined : (await namedReport(options.report)).report;
    const store = await openStore(options, context);
    const { unfinished, limit = 100, market } = options;
    const wanted = market === undefined ? limit : MAX_ENTRIES;
    const found = await store.requests({ report, unfinished, limit: wanted });
    const entries = found.filter(isOfMarkets(market)).slice(0, limit);
    await printRows(entries.map((entry) => ({ ...entry })), { columns: COLUMNS, fields: FIELDS }, context);
    return EXIT.done;
  },
);
