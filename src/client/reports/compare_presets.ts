import { REPORT_PRESETS } from "./requests/presets.ts";
import type { ReportRow, ReportValue } from "./file/report_row.ts";
import type { PresetAsked } from "./preset_rows.ts";
import { isFigure, missingColumns, type PresetSource } from "./preset_sources.ts";

/** A difference between the two reporting APIs. */
export interface ReportDifference {
  /** Key of the row: its day and ids. */
  readonly key: Readonly<Record<string, ReportValue>>;
  /** Name of the column; `rows` if only one API has the row. */
  readonly column: string;
  /** Value in version 3; for `rows`, the number of rows. */
  readonly reporting3: ReportValue;
  /** Value in the new reports; for `rows`, the number of rows. */
  readonly reporting1: ReportValue;
}

/** Comparison of a preset report in both reporting APIs. */
export interface ReportComparison {
  /** Number of rows from each API. */
  readonly rows: { readonly reporting3: number; readonly reporting1: number };
  /** Columns that were compared. */
  readonly columns: readonly string[];
  /** Messages about columns that were not compared because the new reports lack them. */
  readonly left: readonly string[];
  /** All differences, ordered by day and key. */
  readonly differences: readonly ReportDifference[];
}

interface Group {
  readonly values: Record<string, ReportValue>;
  rows: number;
}

/**
 * Compares a preset in both reporting APIs. Rows are matched by the key columns that both APIs have, and figures with
 * equal keys are summed. Entities without an id in the new reports are matched by text.
 */
export async function comparePresets(
  { report, sources }: Pick<PresetAsked, "report"> & { readonly sources: readonly PresetSource[] },
  rows: { readonly reporting3: AsyncIterable<ReportRow>; readonly reporting1: AsyncIterable<ReportRow> },
  { isDaily }: { readonly isDaily: boolean },
): Promise<ReportComparison> {
  const { columns: all, key: keys } = REPORT_PRESETS[report];
  const here = sources.filter(({ missing, column }) => missing === undefined && all.includes(column));
  const columns = here.map(({ column }) => column);
  const days = isDaily ? ["date"] : [];
  const key = [...days, ...keys.filter((column) => columns.includes(column))];
  const joined = here.filter((source) => source.joined).map(({ column }) => column);
  const texts = [
    ...days,
    ...columns.filter((column) => !isFigure(column) && !joined.includes(column)),
  ];
  const three = await grouped(rows.reporting3, key, columns);
  const one = await grouped(rows.reporting1, key, columns);
  const pairs = paired(three.groups, one.groups);
  if (joined.length > 0) {
    // Rows whose keyword or target the account does not list have no id on one side.
    const rest = pairs.filter(([a, b]) => a === undefined || b === undefined);
    const byText = (side: 0 | 1): Map<string, Group> =>
      regrouped(rest.flatMap((pair) => pair[side] ?? []), texts, columns);
    const whole = pairs.filter(([a, b]) => a !== undefined && b !== undefined);
    pairs.splice(0, pairs.length, ...whole, ...paired(byText(0), byText(1)));
  }
  const differences = pairs.flatMap(([a, b]) => differing(a, b, { key, columns }));
  return {
    rows: { reporting3: three.count, reporting1: one.count },
    columns,
    left: missingColumns(sources),
    differences: differences.sort((a, b) => order(a) < order(b) ? -1 : 1),
  };
}

type Pair = readonly [reporting3: Group | undefined, reporting1: Group | undefined];

async function grouped(
  rows: AsyncIterable<ReportRow>,
  key: readonly string[],
  columns: readonly string[],
): Promise<{ groups: Map<string, Group>; count: number }> {
  const groups = new Map<string, Group>();
  let count = 0;
  for await (const row of rows) {
    count++;
    add(groups, { row, rows: 1 }, { key, columns });
  }
  return { groups, count };
}

function regrouped(
  list: readonly Group[],
  key: readonly string[],
  columns: readonly string[],
): Map<string, Group> {
  const groups = new Map<string, Group>();
  for (const { values, rows } of list) add(groups, { row: values, rows }, { key, columns });
  return groups;
}

function add(
  groups: Map<string, Group>,
  { row, rows }: { row: ReportRow; rows: number },
  { key, columns }: { key: readonly string[]; columns: readonly string[] },
): void {
  const name = JSON.stringify(key.map((column) => row[column] ?? null));
  const group = groups.get(name);
  if (group === undefined) {
    const values = Object.fromEntries(["date", ...columns].map((column) => [column, row[column] ?? null]));
    groups.set(name, { values, rows });
    return;
  }
  group.rows += rows;
  for (const column of columns) {
    const value = row[column];
    if (isFigure(column) && typeof value === "number") {
      group.values[column] = Number(group.values[column] ?? 0) + value;
    }
  }
}

function paired(three: ReadonlyMap<string, Group>, one: ReadonlyMap<string, Group>): Pair[] {
  return [...new Set([...three.keys(), ...one.keys()])].map((name) => [three.get(name), one.get(name)]);
}

function differing(
  three: Group | undefined,
  one: Group | undefined,
  { key, columns }: { key: readonly string[]; columns: readonly string[] },
): ReportDifference[] {
  const shown = three ?? one;
  if (shown === undefined) return [];
  const named = Object.fromEntries(key.map((column) => [column, shown.values[column] ?? null]));
  if (three === undefined || one === undefined) {
    return [{ key: named, column: "rows", reporting3: three?.rows ?? 0, reporting1: one?.rows ?? 0 }];
  }
  return columns.flatMap((column) => {
    const [a, b] = [plain(three.values[column]), plain(one.values[column])];
    return a === b ? [] : [{ key: named, column, reporting3: a, reporting1: b }];
  });
}

function plain(value: ReportValue | undefined): ReportValue {
  return typeof value === "number" ? Number(value.toFixed(6)) : value ?? null;
}

function order({ key, column }: ReportDifference): string {
  return `${JSON.stringify(Object.values(key))} ${column}`;
}
