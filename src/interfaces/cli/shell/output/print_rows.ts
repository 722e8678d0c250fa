import type { CliContext } from "../context/context.ts";
import { UsageError } from "../io/cli_error.ts";
import { nearest } from "../../../../base/text/nearest.ts";
import { visibleJson } from "../../../../base/text/visible_text.ts";
import { type ColumnUnit, headingOf, isId, TablePrinter } from "./table_printer.ts";
import type { Row, RowPrinter } from "../context/row_printer.ts";
import { stylesFor } from "./styles.ts";
export { wantsData } from "./wants_data.ts";
import { csvPrinter, jsonLinesPrinter, jsonPrinter, tsvPrinter } from "./text_printers.ts";

interface RowShape {
  readonly columns: readonly string[];
  readonly fields?: readonly string[];
  /** Column that identifies a row for a person: first in a table and truncated last; ids move to the end. */
  readonly name?: string | undefined;
  readonly main?: string | undefined;
  /**
   * True for a sum of other rows, which a table sets apart.
   *
   * @default a row with a cell "Total"
   */
  readonly isTotal?: ((row: Row) => boolean) | undefined;
  readonly least?: readonly string[] | undefined;
  readonly units?: Readonly<Record<string, ColumnUnit>> | undefined;
  readonly isSql?: boolean | undefined;
  readonly currencyOf?: ((row: Row) => string | undefined) | undefined;
}

export function rowPrinter(shape: RowShape, context: CliContext): RowPrinter {
  const { columns, fields = columns } = shape;
  const { globals, file } = context;
  for (const field of globals.fields ?? []) checkField(field, fields);
  if (file === undefined) return textPrinter(shape, context);
  const isShort = globals.format === "tsv" || globals.format === "table";
  return file.printer(globals.fields ?? (isShort ? columns : fields), {
    rehearse: globals.rehearse,
    text: (all) =>
      textPrinter(
        isShort ? { ...shape, columns: all } : { ...shape, fields: all },
        globals.fields === undefined ? context : { ...context, globals: { ...globals, fields: all } },
      ),
  });
}

function textPrinter(shape: RowShape, { io, globals }: CliContext): RowPrinter {
  const known = shape.fields ?? shape.columns;
  const { stdout } = io;
  const write = (text: string): Promise<void> => stdout.write(text);
  const writeJson = (text: string): Promise<void> => write(stdout.isTerminal ? visibleJson(text) : text);
  switch (globals.format) {
    case "json":
      return jsonPrinter(writeJson, globals.fields);
    case "jsonl":
      return jsonLinesPrinter(writeJson, globals.fields);
    case "csv":
      return csvPrinter(write, globals.fields ?? known, {
        raw: globals.raw,
        isTerminal: stdout.isTerminal,
      });
    case "tsv":
      return tsvPrinter(write, globals.fields ?? shape.columns);
    case "auto":
      if (!stdout.isTerminal) return tsvPrinter(write, globals.fields ?? shape.columns);
  }
  const columns = globals.fields ?? nameFirst(shape);
  return new TablePrinter({
    columns,
    ...(globals.fields === undefined && shape.name !== undefined ? { name: shape.name } : {}),
    main: shape.main ??
      (shape.name === undefined ? shape.columns.find((column) => MAIN.test(column)) : undefined),
    isTotal: shape.isTotal,
    least: shape.least,
    units: shape.units,
    currencyOf: shape.currencyOf,
    isSql: shape.isSql,
    width: stdout.columns,
    styles: stylesFor(stdout, { io, globals }),
    write,
    onLeftOut: async (left) => {
      if (globals.quiet) return;
      await io.stderr.write(
        `No room for ${left.map(headingOf).join(", ")}: --fields ${left.join(",")} shows ${
          left.length === 1 ? "it" : "them"
        }, --format tsv everything\n`,
      );
    },
  });
}

const MAIN = /^(?:title|message|what|meaning|summary|name|detail)$|\.name$/;

function nameFirst({ columns, name }: RowShape): readonly string[] {
  const others = columns.filter((column) => column !== name);
  const ids = others.filter(isId);
  return [...name === undefined ? [] : [name], ...others.filter((column) => !ids.includes(column)), ...ids];
}

export async function printRows(rows: readonly Row[], shape: RowShape, context: CliContext): Promise<void> {
  const printer = rowPrinter(shape, context);
  await printer.write(rows);
  await printer.end();
}

export function printJson(value: unknown, { io, globals }: CliContext): Promise<void> {
  const text = JSON.stringify(value, null, globals.format === "jsonl" ? 0 : 2) + "\n";
  return io.stdout.write(io.stdout.isTerminal ? visibleJson(text) : text);
}

function checkField(field: string, known: readonly string[]): void {
  const isPart = (whole: string): boolean => whole === field || whole.startsWith(`${field}.`);
  if (known.some(isPart)) return;
  const near = nearest(field, known);
  throw new UsageError(
    `Cannot print the field "${field}": it does not exist.` +
      (near === undefined ? "" : ` Did you mean "${near}"?`) + ` The fields are ${known.join(", ")}`,
  );
}
