import { quotedName } from "../../../base/text/sql_name.ts";
import { ConfigurationError } from "../../../errors.ts";
import * as z from "zod";
import { REPORT_PRESET_NAMES } from "../../../client/reports/requests/presets.ts";
import { showsSales } from "../../../store/figures/immature_note.ts";
import type { QueriedRows } from "../../../operations/reads/store_query.ts";
import { cutNotes, MAX_FOUND, queried } from "./stored_reports.ts";
import { ROW_ARGS, ROWS, takeRows } from "../tooling/rows.ts";
import { sharesStore } from "../context/mcp_context.ts";
import { columnsOf, type Row } from "../calls/text_table.ts";
import { type Tool, tool, type ToolCall } from "../tooling/tool.ts";
import { saveRows } from "../calls/save_rows.ts";

export const queryResult: Tool = tool({
  name: "query_result",
  title: "Query a result",
  description:
    "Filters, sorts, groups and sums the rows of a result_uri (table rows, SQLite) or of stored reports (views: " +
    "performance with acos, sp_search_terms and so on; with country_code, profile_id, date). Give sql, or parts of a statement.",
  input: z.strictObject({
    from: z.string().optional().describe("result_uri, or name of a view"),
    sql: z.string().max(20_000).optional().describe("One SELECT"),
    columns: z.array(z.string()).optional().describe("sum(cost) AS cost; default all, or sums of numbers"),
    where: z.string().optional().describe("clicks > 10 AND cost > 5"),
    group_by: z.array(z.string()).optional(),
    sort_by: z.string().optional().describe("cost DESC"),
    ...ROW_ARGS,
  }),
  output: ROWS,
  effect: "read",
  isLocal: true,
  sets: ["reports", "store"],
  isListed: true,
  async run({ from, sql, limit, offset, ...parts }, call) {
    const { context } = call;
    const kept = from === undefined || isView(from) ? undefined : context.results.at(from);
    const rows = from === undefined || isView(from) ? undefined : keptRows(from, kept?.json);
    if (rows === undefined && sharesStore(context.settings)) {
      throw new ConfigurationError(
        "Cannot query stored reports: this server is limited to some profiles, and the store may hold others. " +
          "Query the result_uri of a tool such as run_report",
      );
    }
    const statement = sql ?? statementOf({
      ...parts,
      from: rows === undefined ? from : "rows",
      known: rows === undefined ? undefined : { columns: columnsOf(rows), sums: numericColumns(rows) },
    });
    const { rows: found, notes } = rows === undefined
      ? await queried({ sql: statement }, { store: context.figures, most: MAX_FOUND }, call)
      : await queriedResult(statement, { rows, notes: kept?.notes }, call);
    return await takeRows(found, {
      noun: "rows",
      limit,
      offset,
      maxRead: MAX_FOUND,
      key: JSON.stringify([from, statement]),
      keptNotes: kept?.notes,
      notes: () => notes,
    }, call);
  },
});

async function queriedResult(
  sql: string,
  kept: { readonly rows: readonly Row[]; readonly notes: readonly string[] | undefined },
  { context, signal }: ToolCall,
): Promise<Pick<QueriedRows, "rows" | "notes">> {
  const statement = { sql, params: [] };
  const found = await context.figures.query({ ...statement, maxRows: MAX_FOUND, rows: kept.rows, signal });
  const isOfSales = showsSales({ rows: found.rows, statement });
  return { rows: found.rows, notes: [...cutNotes(found), ...isOfSales ? kept.notes ?? [] : []] };
}

function isView(from: string): boolean {
  return /^\w+$/.test(from);
}

function keptRows(uri: string, json: string | undefined): readonly Row[] {
  if (json === undefined) {
    throw new ConfigurationError(
      `Cannot query ${JSON.stringify(uri)}: it is not a result that is kept, nor a view such as ${
        REPORT_PRESET_NAMES.slice(0, 3).join(", ")
      }. Make the call again and use its result_uri`,
    );
  }
  const value: unknown = JSON.parse(json);
  const list = Array.isArray(value) ? value : Object.values(Object(value)).find(Array.isArray) ?? [value];
  return list.map((row: unknown) => typeof row === "object" && row !== null ? row : { value: row }) as Row[];
}

function numericColumns(rows: readonly Row[]): string[] {
  return columnsOf(rows).filter((name) => {
    const values = rows.map((row) => row[name]).filter((value) => value !== undefined && value !== null);
    return values.length > 0 && values.every((value) => typeof value === "number");
  });
}

export const saveResult: Tool = tool({
  name: "save_result",
  title: "Save a result",
  description:
    "Saves every row of a result_uri to a new file in the folder that the person allowed; never replaces a " +
    "file.",
  input: z.strictObject({
    result_uri: z.string(),
    file: z.string().describe("Name ending in .json or .jsonl"),
  }),
  output: z.object({ saved_to: z.string(), rows: z.int() }),
  effect: "plan",
  isLocal: true,
  sets: ["reports", "store"],
  async run({ result_uri: uri, file }, { context }) {
    const kept = context.results.at(uri);
    if (kept === undefined) {
      throw new ConfigurationError(
        `Cannot find the result "${uri}": it has expired. Make the call again and use its result_uri`,
      );
    }
    const value: unknown = JSON.parse(context.secrets.removeFromText(kept.json));
    const rows: unknown[] = Array.isArray(value) ? value : [value];
    const { settings } = context;
    const path = await saveRows(rows, { folder: settings.saveFolder, file, kept: settings });
    return { data: { saved_to: path, rows: rows.length }, text: `${rows.length} rows saved to ${path}` };
  },
});

interface StatementParts {
  readonly from: string | undefined;
  readonly columns?: readonly string[] | undefined;
  readonly where?: string | undefined;
  readonly group_by?: readonly string[] | undefined;
  readonly sort_by?: string | undefined;
  readonly known?: { readonly columns: readonly string[]; readonly sums: readonly string[] } | undefined;
}

/** Column names are quoted; expressions are inserted unchanged. */
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
    ...sums.map((column) => `sum(${quotedName(column)}) AS ${quotedName(column)}`),
  ];
}

function ordered(part: string): string {
  const [, column = part.trim(), direction = ""] = /^\s*(\w+)(\s+(?:asc|desc))?\s*$/i.exec(part) ?? [];
  return `${name(column)}${direction}`;
}

function name(text: string): string {
  return /^[A-Za-z_]\w*$/.test(text) ? quotedName(text) : text;
}
