import { RESTATE_DAYS } from "../model/maturity_share.ts";
import type { SqlDialect } from "../tables/sql_dialect.ts";
import type { StoreView } from "../model/store_view.ts";

/**
 * Share of a day's sales and orders still missing, 0 to 1, based on the share known at the same age for days that are
 * now final. NULL without such days.
 */
export function immatureView(dialect: SqlDialect): StoreView {
  const country = "profiles.country_code";
  return {
    name: "immature",
    sql: `SELECT ${country}, days.profile_id, days.report, days.date, ${ageOf(dialect)} AS age, ${
      toCome("sales", dialect)
    } AS sales_to_come,
        ${toCome("orders", dialect)} AS orders_to_come
      FROM days JOIN ${dialect.table("profiles")} AS profiles ON profiles.profile_id = days.profile_id
      ${maturityJoin("sales", country, dialect)} ${maturityJoin("orders", country, dialect)}`,
  };
}

/** Uses lookup tables, because SQLite would compute the whole view for every query. */
export function salesToCome(
  row: string,
  report: string,
  dialect: SqlDialect,
): { join: string; value: string } {
  return {
    join:
      `LEFT JOIN days ON days.profile_id = ${row}.profile_id AND days.report = '${report}' AND days.date = ${row}.date
      ${maturityJoin("sales", `${row}.country_code`, dialect)}`,
    value: toCome("sales", dialect),
  };
}

type Metric = "sales" | "orders";

function maturityJoin(metric: Metric, country: string, dialect: SqlDialect): string {
  const share = `of_${metric}`;
  return `LEFT JOIN ${dialect.table("maturity")} AS ${share} ON ${share}.report = days.report
      AND ${share}.metric = '${metric}' AND ${share}.country_code = ${country} AND ${share}.age = ${
    ageOf(dialect)
  }`;
}

function toCome(metric: Metric, dialect: SqlDialect): string {
  const share = `of_${metric}.share`;
  return `CASE WHEN ${
    ageOf(dialect)
  } >= ${RESTATE_DAYS} THEN 0 WHEN ${share} > 1 THEN 0 ELSE 1 - ${share} END`;
}

function ageOf(dialect: SqlDialect): string {
  return dialect.age("days.pulled_at", "days.date");
}
