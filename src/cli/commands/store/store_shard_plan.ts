import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { shardPlan } from "../../../store/postgres/shard_plan.ts";
import type { CommandKit } from "../../core/command.ts";
import type { CliContext } from "../../core/context.ts";
import { EXIT } from "../../core/errors/exit_codes.ts";
import { positiveInteger } from "../../options/parse_values.ts";

/** `adsctl store shard-plan`. */
export function storeShardPlanCommand(kit: CommandKit): CommandUnknownOpts {
  return kit.leaf("shard-plan", {
    summary: "Print the statements that spread a PostgreSQL store over several machines",
    details:
      "For a PostgreSQL with Citus: every table is distributed by profile_id, which is in every primary key, so " +
      "that the rows of one profile lie together. Read them, then run them once, before the first sync. The last one " +
      "is for reports of published types: run it again after the first sync of another type.",
    examples: [["adsctl store shard-plan --shards 64 | psql $PLATFORM_ADS_STORE", "64 parts"]],
    library: "shardPlan(64)",
  })
    .option("--shards <n>", "parts of each table (default: 32)", positiveInteger)
    .action((options, self) => kit.run((context) => runStoreShardPlan(options, context), self));
}

/** Prints the statements. */
async function runStoreShardPlan(options: { shards?: number }, { io }: CliContext): Promise<number> {
  await io.stdout.write(shardPlan(options.shards).join("\n") + "\n");
  return EXIT.done;
}
