import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import type { Maturity } from "../../../store/history/maturity_share.ts";
import type { CommandKit } from "../../core/command.ts";
import type { CliContext } from "../../core/context.ts";
import { EXIT } from "../../core/errors/exit_codes.ts";
import type { StoreOptions } from "../../core/store_place.ts";
import { withStore } from "../../core/with_store.ts";
import { storeOption } from "../../options/store_option.ts";
import { printRows } from "../../output/print_rows.ts";
import { say } from "../../output/say.ts";

const COLUMNS = ["report", "country_code", "metric", "age", "share", "days"];
const EIGHTHS = " ▁▂▃▄▅▆▇█";

/** Options of {@linkcode runStoreMaturity}. */
interface MaturityOptions extends StoreOptions {
  /** Draw it. */
  readonly chart?: true;
}

/** `adsctl store maturity`. */
export function storeMaturityCommand(kit: CommandKit): CommandUnknownOpts {
  return kit.leaf("maturity", {
    summary: "Show how much of the final figures is known at each age in days",
    details:
      "Judged from the history of the store: days that are older than 42 days now, and that were stored for the first " +
      "time within 3 days.",
    examples: [["adsctl store maturity --chart", "a line for each market, report and metric"]],
    library: "const shares = await store.maturity()",
  })
    .addOption(storeOption())
    .option("--chart", "draw a line for each market, report and metric")
    .action((options, self) => kit.run((context) => runStoreMaturity(options, context), self));
}

/** Shows how figures ripen. */
async function runStoreMaturity(options: MaturityOptions, context: CliContext): Promise<number> {
  return await withStore(options, context, async (store) => {
    const shares = await store.maturity();
    if (options.chart) await context.io.stdout.write(chartOf(shares));
    else await printRows(shares.map((share) => ({ ...share })), { columns: COLUMNS }, context);
    if (shares.length === 0) {
      await say("No day is final yet that was stored when it was young: sync every night", context);
    }
    return EXIT.done;
  });
}

function chartOf(shares: readonly Maturity[]): string {
  const lines = new Map<string, Maturity[]>();
  for (const share of shares) {
    const name = `${share.country_code} ${share.report} ${share.metric}`;
    lines.set(name, [...lines.get(name) ?? [], share]);
  }
  const width = Math.max(0, ...[...lines.keys()].map(({ length }) => length));
  return [...lines].map(([name, line]) => {
    const bars = line.map(({ share }) => EIGHTHS[Math.round(Math.min(1, Math.max(0, share)) * 8)]).join("");
    const at = [1, 7, 14, 28].map((age) => `${Math.round((line[age - 1]?.share ?? 0) * 100)} % at ${age}`);
    return `${name.padEnd(width)} ${bars} ${at.join(", ")}\n`;
  }).join("");
}
