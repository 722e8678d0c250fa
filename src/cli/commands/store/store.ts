import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import type { CommandKit } from "../../core/command.ts";
import { storeCoverageCommand } from "./store_coverage.ts";
import { storeExportCommand } from "./store_export.ts";
import { storeGrantReaderCommand } from "./store_grant_reader.ts";
import { storeMaturityCommand } from "./store_maturity.ts";
import { storeRestatementsCommand } from "./store_restatements.ts";
import { storePruneCommand } from "./store_prune.ts";
import { storeQueryCommand } from "./store_query.ts";
import { storeRowsCommand } from "./store_rows.ts";
import { storeSchemaCommand } from "./store_schema.ts";
import { storeShardPlanCommand } from "./store_shard_plan.ts";
import { storeStatusCommand } from "./store_status.ts";

/** `adsctl store`. */
export function storeCommand(kit: CommandKit): CommandUnknownOpts {
  const group = kit.group("store", {
    summary: "Query and export the local store of reports",
    examples: [
      ["adsctl store coverage", "what is stored, and what is missing"],
      ["adsctl store export sp_placement rows.parquet --start -90", "for DuckDB, Spark, BigQuery or Athena"],
    ],
    library: 'const store = await Warehouse.open("ads.sqlite")',
  });
  const commands = [
    storeCoverageCommand,
    storeSchemaCommand,
    storeQueryCommand,
    storeRowsCommand,
    storeExportCommand,
    storeRestatementsCommand,
    storeMaturityCommand,
    storePruneCommand,
    storeStatusCommand,
    storeGrantReaderCommand,
    storeShardPlanCommand,
  ];
  for (const make of commands) {
    group.addCommand(make(kit));
  }
  return group;
}
