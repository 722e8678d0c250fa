import type { RestatementKey } from "../../../../store/views/restatements.ts";
import { EXIT, UsageError } from "../../shell/io/cli_error.ts";
import { command } from "../../shell/command.ts";
import { openStore } from "../../shell/connect/open_store.ts";
import { isOfMarkets } from "../../shell/options/market_options.ts";
import { storeOption } from "../../shell/options/store_option.ts";
import { parseMoment } from "../../shell/options/times.ts";
import { separated } from "../../shell/options/parse_values.ts";
import { printRows } from "../../shell/output/print_rows.ts";
import type { Maturity } from "../../../../store/model/maturity_share.ts";
import { eighths } from "../../shell/output/sparkline.ts";
import { say } from "../../shell/output/write_text.ts";

const COLUMNS = ["report", "country_code", "metric", "age", "share", "days"];

export const storeMaturityCommand = command(
  (kit) =>
    kit.leaf("maturity", {
      printsRows: true,
      summary: "Show how complete figures are, by age of the day",
      details: "Uses days older than 42 days that were first stored within 3 days.",
      examples: [["adsctl store maturity --chart", "print a line per market, report and metric"]],
      library: "const shares = await store.maturity()",
    })
      .option("-m, --market <markets>", "only these country codes, separated by commas", separated)
      .addOption(storeOption())
      .option("--chart", "draw a line per market, report and metric"),
  async (options, context) => {
    const store = await openStore(options, context);
    const isWanted = isOfMarkets(options.market);
    const shares = (await store.maturity()).filter((share) => isWanted({ countryCode: share.country_code }));
    if (options.chart) await context.io.stdout.write(chartOf(shares));
    else await printRows(shares.map((share) => ({ ...share })), { columns: COLUMNS }, context);
    if (shares.length === 0) {
      await say("No final day was stored early enough: sync every night", context);
    }
    return EXIT.done;
  },
);

function chartOf(shares: readonly Maturity[]): string {
  const lines = new Map<string, Maturity[]>();
  for (const share of shares) {
    const name = `${share.country_code} ${share.report} ${share.metric}`;
    lines.set(name, [...lines.get(name) ?? [], share]);
  }
  const width = Math.max(0, ...[...lines.keys()].map(({ length }) => length));
  return [...lines].map(([name, line]) => {
    const bars = line.map(({ share }) => eighths(share)).join("");
    const at = [1, 7, 14, 28].map((age) => `${Math.round((line[age - 1]?.share ?? 0) * 100)} % at ${age}`);
    return `${name.padEnd(width)} ${bars} ${at.join(", ")}\n`;
  }).join("");
}

const KEYS: readonly RestatementKey[] = ["report", "age", "country_code", "profile_id", "date"];
const METRICS = ["versions", "impressions", "clicks", "cost", "orders", "sales"];

export const storeRestatementsCommand = command(
  (kit) =>
    kit.leaf("restatements", {
      printsRows: true,
      summary: "Show how stored figures changed after a day was first stored",
      details: "age: days between the day and the change.",
      examples: [[
        "adsctl store restatements --since -30 --by report,age",
        "show changes of the last month by age",
      ]],
      library: 'const moved = await store.restatements({ since: "2026-10-01", by: ["report", "age"] })',
    })
      .addOption(storeOption())
      .option("--since <time>", "changes since: 2026-10-01, or -30 for days ago (default: -30)")
      .option("--by <keys>", `groups: ${KEYS.join(", ")} (default: report,age)`, separated),
  async (options, context) => {
    const moment = parseMoment(options.since ?? "-30", { option: "--since", now: context.io.now() });
    const by = (options.by ?? ["report", "age"]).map((word) => {
      const key = KEYS.find((each) => each === word.replaceAll("-", "_"));
      if (key !== undefined) return key;
      throw new UsageError(`Cannot sum up by "${word}": expected one of ${KEYS.join(", ")}`);
    });
    const store = await openStore(options, context);
    const rows = await store.restatements({ since: new Date(moment).toISOString(), by });
    const sorted = rows.map((row) => ({ ...row })).sort((a, b) => (a.age ?? 0) - (b.age ?? 0));
    await printRows(sorted, { columns: [...by, ...METRICS] }, context);
    return EXIT.done;
  },
);
