import { sha256 } from "../../base/text/sha256.ts";
import { isDay } from "../../base/time/calendar.ts";
import { REPORT_INSTANCES, type WorkflowColumnType, type WorkflowRow } from "../model/workflow_tables.ts";
import { type SqlDialect, sqlDialect } from "./sql_dialect.ts";
import type { StoreSql } from "./store_sql.ts";

/** Columns that describe the run; they precede the columns of the result. */
const RUN_COLUMNS = ["instance_id", "version", "window_start", "window_end", "zone", "parameters"];
/** Other columns of the view. */
const OTHERS = ["data"];
/** Longest name without the suffix of the history; PostgreSQL cuts names at 63 characters. */
const MAX_NAME = 54;

/** Types of columns by name. */
export type ColumnTypes = Record<string, WorkflowColumnType>;

/** Adds the types of a row's values. A column with values of several types is text. */
export function addTypes(types: ColumnTypes, row: WorkflowRow): void {
  for (const [name, value] of Object.entries(row)) {
    types[name] = commonType(types[name], typeOf(value, types[name]));
  }
}

function typeOf(value: WorkflowRow[string], declared: WorkflowColumnType | undefined): WorkflowColumnType {
  if (value === null) return null;
  if (typeof value !== "string") return typeof value as "number" | "boolean";
  return declared === "day" && isDay(value) ? "day" : "text";
}

/** Type of a column that has values of both types. */
function commonType(
  one: WorkflowColumnType | undefined,
  other: WorkflowColumnType,
): WorkflowColumnType {
  if (one === undefined || one === null) return other;
  return other === null || one === other ? one : "text";
}

/**
 * Adds columns to what is known of a workflow's rows.
 *
 * @returns the name of its view.
 */
export async function addColumns(sql: StoreSql, workflowId: string, types: ColumnTypes): Promise<string> {
  const [known] = await sql.run("SELECT name, columns FROM workflow_views WHERE workflow_id = ?", [
    workflowId,
  ]);
  const columns: ColumnTypes = known === undefined ? {} : JSON.parse(String(known["columns"]));
  for (const [name, type] of Object.entries(types)) columns[name] = commonType(columns[name], type);
  const name = known === undefined ? await freeName(sql, workflowId) : String(known["name"]);
  await sql.run(
    `INSERT INTO workflow_views (name, workflow_id, columns, statement) VALUES (?, ?, ?, '')
     ON CONFLICT (workflow_id) DO UPDATE SET columns = excluded.columns`,
    [name, workflowId, JSON.stringify(columns)],
  );
  return name;
}

/**
 * Brings the views of a workflow up to date with its columns: `clean_room_<workflow>` has the rows of one version
 * for each day, {@linkcode shownRuns}, and `clean_room_<workflow>_history` those of all versions. Views of a report have its name.
 */
export async function refreshViews(sql: StoreSql, workflowId: string): Promise<void> {
  const [known] = await sql.run("SELECT name, columns, statement FROM workflow_views WHERE workflow_id = ?", [
    workflowId,
  ]);
  if (known === undefined) return;
  const name = String(known["name"]);
  const dialect = sqlDialect(sql.dialect);
  const all = viewOf(workflowId, JSON.parse(String(known["columns"])), dialect);
  const current = `${all} AND runs.id IN (${shownRuns(workflowId, dialect)})`;
  if (known["statement"] === current) return;
  for (const [view, statement] of [[name, current], [`${name}_history`, all]]) {
    await sql.run(`DROP VIEW IF EXISTS ${view}`);
    await sql.run(`CREATE VIEW ${view} AS ${statement}`);
  }
  await sql.run("UPDATE workflow_views SET statement = ? WHERE workflow_id = ?", [current, workflowId]);
}

/**
 * Returns a query for the ids of the runs that the view shows. Among runs whose windows overlap, also through others, it
 * shows the version that covers the most days, and the version used last if several do. This counts no day twice, and
 * keeps an older cut of the days until a newer one covers as many.
 */
export function shownRuns(workflowId: string, { days }: SqlDialect): string {
  const inOrder = "PARTITION BY instance_id ORDER BY window_start, window_end, id";
  return `WITH ordered AS (
    SELECT id, instance_id, version, window_start, window_end, CASE WHEN window_start <= MAX(window_end)
      OVER (${inOrder} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) THEN 0 ELSE 1 END AS opens
    FROM workflow_runs WHERE workflow_id = '${workflowId}'
  ), grouped AS (SELECT ordered.*, SUM(opens) OVER (${inOrder}) AS place FROM ordered),
  covering AS (
    SELECT instance_id, place, version, SUM(${days("window_start", "window_end")}) AS days
    FROM grouped GROUP BY instance_id, place, version
  ), ranked AS (
    SELECT covering.instance_id, covering.place, covering.version, ROW_NUMBER() OVER (
      PARTITION BY covering.instance_id, covering.place
      ORDER BY covering.days DESC, versions.used_at DESC, covering.version DESC
    ) AS rank_of FROM covering JOIN workflow_versions AS versions ON versions.workflow_id = '${workflowId}'
      AND versions.instance_id = covering.instance_id AND versions.version = covering.version
  )
  SELECT grouped.id FROM grouped JOIN ranked ON ranked.instance_id = grouped.instance_id
    AND ranked.place = grouped.place AND ranked.version = grouped.version AND ranked.rank_of = 1`;
}

function viewOf(workflowId: string, columns: ColumnTypes, { json }: SqlDialect): string {
  const instance = reportOf(workflowId)?.instance ?? "instance_id";
  const run = RUN_COLUMNS.map((name) => name === "instance_id" ? instance : name);
  // `data` has the columns without a name here, too.
  const own = [...columnNames(columns, [...run, ...OTHERS])].map(([name, shown]) => {
    const type = columns[name] ?? "text";
    return `${json("rows.data", name, type === "day" ? "text" : type)} AS "${shown}"`;
  });
  const shown = RUN_COLUMNS.map((name, at) => `runs.${name} AS ${run[at]}`);
  return `SELECT ${[...shown, ...own, "rows.data"].join(", ")}
    FROM workflow_rows AS rows JOIN workflow_runs AS runs ON runs.id = rows.run_id
    WHERE runs.workflow_id = '${workflowId}'`;
}

/**
 * Names in SQL of a result's columns: in lower case, with a suffix for a name in `others`. Columns whose names need quotes,
 * which the databases write differently, or that would repeat have none.
 */
export function columnNames(columns: Readonly<ColumnTypes>, others: readonly string[]): Map<string, string> {
  const taken = new Set(others);
  const names = new Map<string, string>();
  for (const name of Object.keys(columns)) {
    if (!/^[A-Za-z_]\w*$/.test(name)) continue;
    const lower = name.toLowerCase();
    const shown = taken.has(lower) ? `${lower}_2` : lower;
    if (taken.has(shown)) continue;
    taken.add(shown);
    names.set(name, shown);
  }
  return names;
}

/** Name of a stored report, and the view column of its instance; `undefined` for a query. */
export function reportOf(
  workflowId: string,
): { readonly name: string; readonly instance: "profile_id" | "advertiser_id" } | undefined {
  for (const [start, instance] of Object.entries(REPORT_INSTANCES)) {
    if (workflowId.startsWith(start)) return { name: workflowId.slice(start.length), instance };
  }
  return undefined;
}

/** A name for a workflow's view. Ids that make the same name get a suffix. */
async function freeName(sql: StoreSql, workflowId: string): Promise<string> {
  const own = reportOf(workflowId)?.name ?? `clean_room_${workflowId.toLowerCase().replace(/\W/g, "_")}`;
  const rows = await sql.run("SELECT name FROM workflow_views");
  const taken = new Set(rows.flatMap(({ name }) => [String(name), `${name}_history`]));
  const isFree = (name: string): boolean => !taken.has(name) && !taken.has(`${name}_history`);
  if (own.length <= MAX_NAME && isFree(own)) return own;
  return `${own.slice(0, MAX_NAME - 9)}_${sha256(workflowId).slice(0, 8)}`;
}
