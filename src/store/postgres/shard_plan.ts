import { REPORT_PRESET_NAMES } from "../../client/reports/requests/presets.ts";
import { reportLayout } from "../model/report_layout.ts";
import { changesTable } from "../tables/kept_versions.ts";
import { SCHEMA } from "../tables/postgres_sql.ts";

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
 * Returns the statements that distribute the tables of a store over the machines of a sharded PostgreSQL (Citus), by
 * `profile_id`, so that the rows of one profile stay together. Leases, workers and pace stay on the coordinator. The
 * last statement is for the stored reports of published types; run it again after the first sync of another type.
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
