import { REPORT_PRESET_NAMES } from "../../client/reports/requests/presets.ts";
import { reportLayout } from "../model/report_layout.ts";
import { changesTable } from "../tables/kept_versions.ts";
import { SCHEMA } from "../tables/postgres_sql.ts";

/** Other tables whose rows belong to one profile. */
const OTHERS = [
  "profiles",
  "pulls",
  "days",
  "day_hashes",
  "report_requests",
  "entities",
  "entities_history",
  "entity_pulls",
  "months",
  "month_pulls",
];

/**
 * The statements that distribute the tables of a store over the machines of a PostgreSQL that shards (Citus), all by
 * `profile_id` and so that the rows of one profile lie together. Leases, workers and pace stay with the coordinator. The
 * last one is for the reports of published types that the store holds; run it again after the first sync of another.
 *
 * @param shards How many parts each table gets.
 * @throws {RangeError} for what is not a whole number from 1 up.
 *
 * @example
 * ```ts
 * import { shardPlan } from "@platform/ads/worker";
 *
 * for (const statement of shardPlan(64)) console.log(statement);
 * ```
 */
export function shardPlan(shards = 32): string[] {
  if (!Number.isInteger(shards) || shards < 1) {
    throw new RangeError(`Cannot make ${shards} shards: it is not a whole number from 1 up`);
  }
  const [first, ...rest] = [
    ...OTHERS,
    ...REPORT_PRESET_NAMES.map(reportLayout).flatMap((layout) => [
      layout.table,
      `${layout.table}_history`,
      changesTable(layout),
    ]),
  ];
  const distribute = (table: string, how: string): string =>
    `SELECT create_distributed_table('${SCHEMA}.${table}', 'profile_id', ${how});`;
  return [
    "CREATE EXTENSION IF NOT EXISTS citus;",
    distribute(first!, `shard_count => ${shards}`),
    `SELECT create_reference_table('${SCHEMA}.maturity');`,
    ...rest.map((table) => distribute(table, `colocate_with => '${SCHEMA}.${first}'`)),
    // Tables of typed reports are made by the first sync of each: this statement is for those that are there.
    `SELECT create_distributed_table(c.oid::regclass, 'profile_id', colocate_with => '${SCHEMA}.${first}') ` +
    `FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace ` +
    `WHERE n.nspname = '${SCHEMA}' AND c.relkind = 'p' AND c.relname LIKE 'rows\\_%' ` +
    `AND NOT EXISTS (SELECT FROM pg_dist_partition AS d WHERE d.logicalrelid = c.oid);`,
  ];
}
