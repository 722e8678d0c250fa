import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import type { RestatementKey } from "../../../store/history/restatements.ts";
import { UsageError } from "../../core/errors/cli_error.ts";
import type { CommandKit } from "../../core/command.ts";
import type { CliContext } from "../../core/context.ts";
import { EXIT } from "../../core/errors/exit_codes.ts";
import type { StoreOptions } from "../../core/store_place.ts";
import { withStore } from "../../core/with_store.ts";
import { storeOption } from "../../options/store_option.ts";
import { parseMoment } from "../../options/times.ts";
import { separated } from "../../options/parse_values.ts";
import { printRows } from "../../output/print_rows.ts";

const KEYS: readonly RestatementKey[] = ["report", "age", "country_code", "profile_id", "date"];
const METRICS = ["versions", "impressions", "clicks", "cost", "orders", "sales"];

/** Options of {@linkcode runStoreRestatements}. */
interface RestatementOptions extends StoreOptions {
  /** Moment since which figures moved. */
  readonly since?: string;
  /** Columns to sum by. */
  readonly by?: readonly string[];
}

/** `adsctl store restatements`. */
export function storeRestatementsCommand(kit: CommandKit): CommandUnknownOpts {
  return kit.leaf("restatements", {
    summary: "Show how much stored figures moved after their day was stored for the first time",
    details: "age: days between the day and the change.",
    examples: [[
      "adsctl store restatements --since -30 --by report,age",
      "what moved in the last month, at which age",
    ]],
    library: 'const moved = await store.restatements({ since: "2026-10-01", by: ["report", "age"] })',
  })
    .addOption(storeOption())
    .option("--since <time>", "changes since: 2026-10-01, or -30 for days ago (default: -30)")
    .option("--by <keys>", `sums by ${KEYS.join(", ")} (default: report,age)`, separated)
    .action((options, self) => kit.run((context) => runStoreRestatements(options, context), self));
}

/** Shows how much figures moved. */
async function runStoreRestatements(
  options: RestatementOptions,
  context: CliContext,
): Promise<number> {
  const moment = parseMoment(options.since ?? "-30", { option: "--since", now: context.io.now() });
  const by = (options.by ?? ["report", "age"]).map((word) => {
    const key = KEYS.find((each) => each === word.replaceAll("-", "_"));
    if (key !== undefined) return key;
    throw new UsageError(`Cannot sum up by "${word}": expected one of ${KEYS.join(", ")}`);
  });
  return await withStore(options, context, async (store) => {
    const rows = await store.restatements({ since: new Date(moment).toISOString(), by });
    const sorted = rows.map((row) => ({ ...row })).sort((a, b) => (a.age ?? 0) - (b.age ?? 0));
    await printRows(sorted, { columns: [...by, ...METRICS] }, context);
    return EXIT.done;
  });
}
