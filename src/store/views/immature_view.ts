import { RESTATE_DAYS } from "../history/restate_days.ts";
import type { SqlDialect } from "./sql_dialect.ts";
import type { StoreView } from "./store_view.ts";

/**
 * How much of the sales and orders of each stored day is still to come, from 0 to 1, by how much was known at the same
 * age of the days that are final by now. Nothing where the store has no such days.
 */
export function immatureView(dialect: SqlDialect): StoreView {
  const { table } = dialect;
  const age = dialect.age("days.pulled_at", "days.date");
  const toCome = (share: string): string =>
    `CASE WHEN ${age} >= ${RESTATE_DAYS} THEN 0 WHEN ${share}.share > 1 THEN 0 ELSE 1 - ${share}.share END`;
  const join = (metric: string): string =>
    `LEFT JOIN ${
      table("maturity")
    } AS ${metric} ON ${metric}.report = days.report AND ${metric}.metric = '${metric}'
      AND ${metric}.country_code = profiles.country_code AND ${metric}.age = ${age}`;
  return {
    name: "immature",
    sql: `SELECT profiles.country_code, days.profile_id, days.report, days.date, ${age} AS age, ${
      toCome("sales")
    } AS sales_to_come,
        ${toCome("orders")} AS orders_to_come
      FROM days JOIN ${table("profiles")} AS profiles ON profiles.profile_id = days.profile_id
      ${join("sales")} ${join("orders")}`,
  };
}
