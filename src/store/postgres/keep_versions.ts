import type { ReportLayout } from "../model/report_layout.ts";
import type { PullRecord } from "../model/store_driver.ts";
import {
  changesTable,
  emptiedMark,
  holdsSql,
  keptVersions,
  versionColumns,
} from "../tables/kept_versions.ts";
import { sqlDialect } from "../tables/sql_dialect.ts";
import type { Session } from "./database.ts";

const DIALECT = sqlDialect("PostgreSQL");

/**
 * Archives the versions that a pull ends, then changes and removes the rows. Versions of a remaining row store only
 * differences; a vanished row stores whole versions. The temporary tables map row `n` of `fresh` to the stored row
 * with its key and `repeat`, later found by `ref`.
 *
 * @param options `known`: time at which the pull became known. `vanished`: false if no stored row vanished.
 */
export async function keepVersions(
  session: Session,
  { layout, profileId, start, end }: PullRecord,
  { known, vanished }: { known: number; vanished: boolean },
): Promise<void> {
  const values = [profileId, start, end];
  for (const statement of changeStatements(layout, known)) await session.text(statement, values);
  if (!vanished) return;
  for (const statement of vanishStatements(layout, known)) await session.text(statement, values);
}

function placed({ columns }: ReportLayout, kind: "changed" | "vanished"): string {
  const key = columns.filter((column) => column.key).map(({ name }) => `rows."${name}" = fresh."${name}"`);
  return `rows.profile_id = $1 AND rows.date BETWEEN $2::date AND $3::date AND places.kind = '${kind}'
    AND fresh.repeat = places.n AND rows.repeat = places.repeat AND ${key.join(" AND ")}`;
}

/** Restricts differences to the pull's days, which the planner cannot infer. */
const OF_DAYS = "d.date BETWEEN $2::date AND $3::date";

function changeStatements(layout: ReportLayout, known: number): string[] {
  const { table } = layout;
  const changes = changesTable(layout);
  const names = versionColumns(layout).map(({ name }) => name);
  const columns = names.map((name) => `"${name}"`).join(", ");
  // JSON cannot be compared as such.
  const text = (name: string): string => name === "extra" ? "::text" : "";
  const differs = (name: string): string =>
    `rows."${name}"${text(name)} IS DISTINCT FROM fresh."${name}"${text(name)}`;
  const lacks = (name: string): string => `${differs(name)} AND NOT ${holdsSql(name, DIALECT)}`;
  const marks = (condition: (name: string) => string): string =>
    names.map((name) =>
      `CASE WHEN rows."${name}" IS NULL AND ${condition(name)} THEN '${emptiedMark(name)}' END`
    )
      .join(", ");
  const changed = placed(layout, "changed");
  return [
    `UPDATE ${changes} AS d SET ${
      names.map((name) => `"${name}" = CASE WHEN ${lacks(name)} THEN rows."${name}" ELSE d."${name}" END`)
        .join(", ")
    }, emptied = nullif(concat(d.emptied, ${marks(lacks)}), '')
     FROM ${table} AS rows, fresh, places
     WHERE ${changed} AND ${DIALECT.changeOf("d", "rows")} AND ${OF_DAYS} AND (${
      names.map((name) => `(${lacks(name)})`).join(" OR ")
    })`,
    `INSERT INTO ${changes} (ref, known_from, known_to, date, profile_id, ${columns}, emptied)
     SELECT places.ref, rows.known_from, ${known}, rows.date, rows.profile_id, ${
      names.map((name) => `CASE WHEN ${differs(name)} THEN rows."${name}" END`).join(", ")
    }, nullif(concat(${marks(differs)}), '')
     FROM ${table} AS rows, fresh, places WHERE ${changed}`,
    `UPDATE ${table} AS rows SET ref = places.ref, known_from = ${known}, ${
      names.map((name) => `"${name}" = fresh."${name}"`).join(", ")
    }
     FROM fresh, places WHERE ${changed}`,
  ];
}

function vanishStatements(layout: ReportLayout, known: number): string[] {
  const { table, columns } = layout;
  const names = [...columns.map(({ name }) => name), "extra"];
  const { from, where, column } = keptVersions(layout, DIALECT);
  const quoted = names.map((name) => `"${name}"`).join(", ");
  const into = `INSERT INTO ${table}_history (profile_id, ${quoted}, repeat, known_from, known_to)`;
  const gone = placed(layout, "vanished");
  return [
    `${into} SELECT rows.profile_id, ${names.map(column).join(", ")}, rows.repeat, d.known_from, d.known_to
     FROM ${from}, fresh, places WHERE ${where} AND ${OF_DAYS} AND ${gone}`,
    `DELETE FROM ${changesTable(layout)} AS d USING ${table} AS rows, fresh, places
     WHERE ${DIALECT.changeOf("d", "rows")} AND ${OF_DAYS} AND ${gone}`,
    `${into} SELECT rows.profile_id, ${
      names.map((name) => `rows."${name}"`).join(", ")
    }, rows.repeat, rows.known_from, ${known}
     FROM ${table} AS rows, fresh, places WHERE ${gone}`,
    `DELETE FROM ${table} AS rows USING fresh, places WHERE ${gone}`,
  ];
}
