import { ENTITY_LAYOUTS } from "../tables/entity_layout.ts";
import type { ReportLayout } from "../model/report_layout.ts";
import { DATASET_LAYOUTS } from "../model/dataset_layout.ts";

/**
 * Column name of a field in a view: `keywordId` becomes `keyword_id`, `sales14d` becomes `sales_14d`. `keywordText`
 * becomes `keyword`, because `keyword_text` is lowercase.
 */
export function viewColumn(field: string): string {
  if (field === "keywordText") return "keyword";
  return field.replace(/^eCP/, "ecp_").replace(/([a-z])(?=[A-Z\d])|(\d|[A-Z])(?=[A-Z][a-z])/g, "$&_")
    .toLowerCase();
}

export interface RenamedStatement {
  readonly sql: string;
  readonly fields: ReadonlyMap<string, string>;
}

const TOKEN =
  /'(?:[^']|'')*'|--[^\r\n]*|\/\*(?:[^]*?\*\/|[^]*)|\$(\w*)\$[^]*?\$\1\$|"((?:[^"]|"")+)"|[A-Za-z_]\w*/g;

/** The platform's field names were used before 0.3. */
export function renamedStatement(sql: string, layouts: readonly ReportLayout[]): RenamedStatement {
  const known = new Map(oldNames(layouts));
  // Tables, of rows of reports and of records of the stream, have the platform's names.
  const text = sql.toLowerCase();
  for (const { table, columns } of [...layouts, ...DATASET_LAYOUTS]) {
    if (text.includes(table)) { for (const { name } of columns) known.delete(name.toLowerCase()); }
  }
  const fields = new Map<string, string>();
  const mentioned = new Set<string>();
  const renamed = sql.replace(TOKEN, (token: string, _tag: unknown, quoted: string | undefined) => {
    const name = quoted ?? token;
    const column = known.get(name.toLowerCase());
    if (column === undefined) {
      mentioned.add(name.toLowerCase());
      return token;
    }
    fields.set(column, name);
    return quoted === undefined ? column : `"${column}"`;
  });
  for (const column of [...fields.keys()]) if (mentioned.has(column)) fields.delete(column);
  return { sql: renamed, fields };
}

const NAMES = new WeakMap<readonly ReportLayout[], ReadonlyMap<string, string>>();

function oldNames(layouts: readonly ReportLayout[]): ReadonlyMap<string, string> {
  const known = NAMES.get(layouts);
  if (known !== undefined) return known;
  const fields = [
    ...layouts.flatMap(({ columns }) => columns.map(({ name }) => name)),
    ...ENTITY_LAYOUTS.flatMap(({ idField, columns }) => [idField, ...columns.map(({ name }) => name)]),
  ];
  const names = new Map(
    fields.map((name) => [name.toLowerCase(), viewColumn(name)] as const).filter(([name, column]) =>
      name !== column
    ),
  );
  NAMES.set(layouts, names);
  return names;
}
