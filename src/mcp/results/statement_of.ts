import { ConfigurationError } from "../../errors.ts";

/** Clauses of a SELECT; absent ones are left out. */
interface StatementParts {
  /** Name of the table or view. */
  readonly from: string | undefined;
  /** Expressions. @default every column; with `group_by` the sums of the numbers */
  readonly columns?: readonly string[] | undefined;
  /** Condition. */
  readonly where?: string | undefined;
  /** Columns or expressions. */
  readonly group_by?: readonly string[] | undefined;
  /** Columns or expressions, each with `ASC` or `DESC`. */
  readonly sort_by?: string | undefined;
  /** Columns and sums of the table, where they are known. */
  readonly known?: { readonly columns: readonly string[]; readonly sums: readonly string[] } | undefined;
}

/** The statement that its parts make; names of columns are quoted, expressions stay as they are. */
export function statementOf(
  { from, columns, where, group_by: groups = [], sort_by: order, known }: StatementParts,
): string {
  if (from === undefined) throw new ConfigurationError("Cannot query nothing: give sql, or from and parts");
  const lines = [`SELECT ${selected(groups, columns, known).join(", ")} FROM ${from}`];
  if (where !== undefined) lines.push(`WHERE ${where}`);
  if (groups.length > 0) lines.push(`GROUP BY ${groups.map(name).join(", ")}`);
  if (order !== undefined) lines.push(`ORDER BY ${order.split(",").map(ordered).join(", ")}`);
  return lines.join("\n");
}

function selected(
  groups: readonly string[],
  columns: readonly string[] | undefined,
  known: StatementParts["known"],
): string[] {
  if (columns !== undefined && columns.length > 0) {
    const given = columns.map(name);
    return [...groups.map(name).filter((group) => !given.includes(group)), ...given];
  }
  if (groups.length === 0) return ["*"];
  if (known === undefined) {
    throw new ConfigurationError("Cannot group a view without columns: name sums, such as sum(cost) AS cost");
  }
  const sums = known.sums.filter((column) => !groups.includes(column));
  return [
    ...groups.map(name),
    "count(*) AS rows",
    ...sums.map((column) => `sum(${quoted(column)}) AS ${quoted(column)}`),
  ];
}

function ordered(part: string): string {
  const [, column = part.trim(), direction = ""] = /^\s*(\w+)(\s+(?:asc|desc))?\s*$/i.exec(part) ?? [];
  return `${name(column)}${direction}`;
}

function name(text: string): string {
  return /^[A-Za-z_]\w*$/.test(text) ? quoted(text) : text;
}

function quoted(column: string): string {
  return `"${column.replaceAll('"', '""')}"`;
}
