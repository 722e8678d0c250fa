import { ENTITY_LAYOUTS } from "../entities/entity_layout.ts";
import type { ReportLayout } from "../report_layout.ts";
import { amounts } from "./amounts.ts";
import { budgetPressureView } from "./budget_pressure_view.ts";
import { entityViewAsOf, entityViews } from "./entity_views.ts";
import { immatureView } from "./immature_view.ts";
import { martViews } from "./mart_views.ts";
import { performanceView, searchTermView } from "./performance_views.ts";
import { reportViewAsOf, reportViews } from "./report_views.ts";
import { hourlyPerformanceView, streamViews } from "./stream_views.ts";
import type { SqlDialect } from "./sql_dialect.ts";
import type { SessionViews, StoreView } from "./store_view.ts";

/** Every view of a store, each after those that it reads. */
export function storeViews(layouts: readonly ReportLayout[], dialect: SqlDialect): StoreView[] {
  return [
    ...layouts.flatMap((layout) => reportViews(layout, dialect)),
    ...ENTITY_LAYOUTS.flatMap((layout) => entityViews(layout, dialect)),
    immatureView(dialect),
    ...streamViews(dialect),
    ...readyViews(dialect, {}),
  ];
}

/**
 * The views that a statement reads in place of those of the store: as of a moment, or with amounts converted.
 *
 * @param statement SQL; views that it does not name, nor any that it does, are left out.
 */
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

function wordsOf(sql: string): Set<string> {
  return new Set(sql.toLowerCase().match(/\w+/g));
}

/** The views with the field's usual metrics, over those of reports and entities. */
function readyViews(dialect: SqlDialect, session: SessionViews): StoreView[] {
  const written = amounts(session.conversion, dialect);
  return [
    performanceView(dialect, written),
    searchTermView(dialect, written),
    budgetPressureView(dialect, written, session),
    hourlyPerformanceView(dialect, written, session),
    ...martViews(dialect, written),
  ];
}

/** Days that were stored at a moment; of one that was pulled again since, the later pull is not known here. */
function daysAsOf({ table, moment }: SqlDialect, asOf: number): StoreView {
  const at = moment(asOf);
  return {
    name: "days",
    sql: `SELECT profile_id, report, date, rows, pull_id,
        CASE WHEN pulled_at <= ${at} THEN pulled_at ELSE ${at} END AS pulled_at, made_at, first_pulled_at
      FROM ${table("days")} WHERE coalesce(first_pulled_at, pulled_at) <= ${at}`,
  };
}
