import { ENTITY_LAYOUTS, type EntityLayout } from "../tables/entity_layout.ts";
import type { ReportLayout } from "../model/report_layout.ts";
import { amounts } from "./amounts.ts";
import { budgetPressureView } from "./budget_pressure_view.ts";
import { immatureView } from "./immature_view.ts";
import { martViews } from "./mart_views.ts";
import { monthlyPerformanceView, performanceView, searchTermView } from "./performance_views.ts";
import { reportViewAsOf, reportViews } from "./report_views.ts";
import { hourlyPerformanceView, streamViews } from "./stream_views.ts";
import type { SqlDialect } from "../tables/sql_dialect.ts";
import type { SessionViews, StoreView } from "../model/store_view.ts";
import { viewColumn } from "./view_columns.ts";

const made = new WeakMap<
  SqlDialect,
  { readonly reports: WeakMap<ReportLayout, StoreView[]>; readonly others: StoreView[] }
>();

export function storeViews(layouts: readonly ReportLayout[], dialect: SqlDialect): StoreView[] {
  const known = made.get(dialect) ?? { reports: new WeakMap(), others: otherViews(dialect) };
  made.set(dialect, known);
  const ofReport = (layout: ReportLayout): StoreView[] => {
    const views = known.reports.get(layout) ?? reportViews(layout, dialect);
    known.reports.set(layout, views);
    return views;
  };
  return [...layouts.flatMap(ofReport), ...known.others];
}

function otherViews(dialect: SqlDialect): StoreView[] {
  return [
    ...ENTITY_LAYOUTS.flatMap((layout) => entityViews(layout, dialect)),
    immatureView(dialect),
    ...streamViews(dialect),
    ...readyViews(dialect, {}),
  ];
}

export function sessionViews(
  statement: string,
  { layouts, dialect, session }: {
    layouts: readonly ReportLayout[];
    dialect: SqlDialect;
    session: SessionViews;
  },
): StoreView[] {
  const { asOf, conversion } = session;
  const past = asOf === undefined ? [] : [
    daysAsOf(dialect, asOf),
    ...layouts.map((layout) => reportViewAsOf(layout, dialect, asOf)),
    ...ENTITY_LAYOUTS.map((layout) => entityViewAsOf(layout, dialect, asOf)),
    immatureView(dialect),
    ...streamViews(dialect, asOf),
  ];
  if (asOf === undefined && conversion === undefined) return [];
  const words = wordsOf(statement);
  const read: StoreView[] = [];
  for (const view of [...past, ...readyViews(dialect, session)].reverse()) {
    if (!words.has(view.name)) continue;
    read.unshift(view);
    for (const word of wordsOf(view.sql)) words.add(word);
  }
  return read;
}

export function sqlRead(
  view: string,
  views: ReadonlyMap<string, string>,
  ends: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const read = new Map<string, string>();
  const look = (name: string): void => {
    const sql = views.get(name);
    if (sql === undefined || read.has(name)) return;
    read.set(name, ends.has(name) ? "" : sql);
    for (const word of wordsOf(read.get(name) ?? "")) look(word);
  };
  look(view);
  return read;
}

function wordsOf(sql: string): Set<string> {
  return new Set(sql.toLowerCase().match(/\w+/g));
}

function readyViews(dialect: SqlDialect, session: SessionViews): StoreView[] {
  const written = amounts(session.conversion, dialect);
  return [
    performanceView(dialect, written),
    searchTermView(dialect, written),
    budgetPressureView(dialect, written, session),
    hourlyPerformanceView(dialect, written, session),
    monthlyPerformanceView(dialect, written, session),
    ...martViews(dialect, written),
  ];
}

function daysAsOf({ table, moment }: SqlDialect, asOf: number): StoreView {
  const at = moment(asOf);
  return {
    name: "days",
    sql: `SELECT profile_id, report, date, rows, pull_id,
        CASE WHEN pulled_at <= ${at} THEN pulled_at ELSE ${at} END AS pulled_at, made_at, first_pulled_at,
        reporting, reporting_since
      FROM ${table("days")} WHERE coalesce(first_pulled_at, pulled_at) <= ${at}`,
  };
}

function entityViews(layout: EntityLayout, dialect: SqlDialect): StoreView[] {
  const from = `, ${dialect.time("rows.known_from")} AS known_from`;
  const select = (table: string, more = ""): string => selected(layout, dialect, { table, more });
  return [
    { name: layout.view, sql: select("entities") },
    {
      name: `${layout.view}_history`,
      sql: `${select("entities", `${from}, ${dialect.noTime} AS known_to`)}
        UNION ALL ${select("entities_history", `${from}, ${dialect.time("rows.known_to")} AS known_to`)}`,
    },
  ];
}

function entityViewAsOf(layout: EntityLayout, dialect: SqlDialect, moment: number): StoreView {
  const select = (table: string): string => selected(layout, dialect, { table, more: "" });
  return {
    name: layout.view,
    sql: `${select("entities")} AND rows.known_from <= ${moment}
      UNION ALL ${select("entities_history")} AND rows.known_from <= ${moment} AND rows.known_to > ${moment}`,
  };
}

function selected(
  { kind, idField, columns, hasKeywordText }: EntityLayout,
  { table: named, json }: SqlDialect,
  { table, more }: { table: string; more: string },
): string {
  const fields = columns.map(({ name, path, type }) =>
    `, ${json("rows.data", path, type)} AS "${viewColumn(name)}"`
  );
  const text = hasKeywordText ? ", rows.keyword_text" : "";
  return `SELECT profiles.country_code, rows.profile_id, rows.id AS "${viewColumn(idField)}"${
    fields.join("")
  }${text}, rows.data${more}
    FROM ${named(table)} AS rows
    LEFT JOIN ${named("profiles")} AS profiles ON profiles.profile_id = rows.profile_id
    WHERE rows.kind = '${kind}'`;
}
