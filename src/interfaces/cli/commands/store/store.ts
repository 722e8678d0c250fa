import { shardPlan } from "../../../../store/postgres/shard_plan.ts";
import { command, group } from "../../shell/command.ts";
import { EXIT } from "../../shell/io/cli_error.ts";
import { positiveInteger } from "../../shell/options/parse_values.ts";
import { storeCoverageCommand } from "./store_coverage.ts";
import { storeExportCommand } from "./store_export.ts";
import { storeGrantReaderCommand } from "./store_grant_reader.ts";
import { storeMaturityCommand, storeRestatementsCommand } from "./store_maturity.ts";
import { storePruneCommand } from "./store_prune.ts";
import { storePublishCommand } from "./store_publish.ts";
import { storeRowsCommand } from "./store_rows.ts";
import { storeSchemaCommand } from "./store_schema.ts";
import { storeStatusCommand } from "./store_status.ts";
import { storeTapCommand } from "./store_tap.ts";
const storeShardPlanCommand = command(
  (kit) =>
    kit.leaf("shard-plan", {
      summary: "Print SQL that distributes a PostgreSQL store over several machines",
      details:
        "For PostgreSQL with Citus. Distributes every table by profile_id, which is part of every primary key, so " +
        "a profile's rows stay together. Review the statements and run them once, before the first sync. The last " +
        "one covers report types: run it again after the first sync of another type.",
      examples: [["adsctl store shard-plan --shards 64 | psql $PLATFORM_ADS_STORE", "64 parts"]],
      library: "shardPlan(64)",
    })
      .option("--shards <n>", "shards per table (default: 32)", positiveInteger),
  async (options, { io }) => {
    await io.stdout.write(shardPlan(options.shards).join("\n") + "\n");
    return EXIT.done;
  },
);

export const storeCommand = group(
  "store",
  {
    summary: "Manage the report store: coverage, export, history, hourly stream",
    examples: [
      ["adsctl store coverage", "show stored and missing days"],
      [
        "adsctl store export sp_placement rows.parquet --start -90",
        "export for DuckDB, Spark, BigQuery or Athena",
      ],
    ],
    library: 'const store = await Warehouse.open("ads.sqlite")',
  },
  [
    storeCoverageCommand,
    storeSchemaCommand,
    storeRowsCommand,
    storeExportCommand,
    storePublishCommand,
    storeTapCommand,
    storeRestatementsCommand,
    storeMaturityCommand,
    storePruneCommand,
    storeStatusCommand,
    storeGrantReaderCommand,
    storeShardPlanCommand,
  ],
);
