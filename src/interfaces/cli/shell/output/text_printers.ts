import { cellText, valueAt } from "../../../../base/json/field_path.ts";
import { csvText } from "../../../../base/text/csv_text.js";
import { visibleText } from "../../../../base/text/visible_text.ts";
import type { Row, RowPrinter } from "../context/row_printer.ts";

/** Writing lines one by one takes three times as long. */
const CSV_LINES = 200;

type WriteText = (text: string) => Promise<void>;

export function jsonPrinter(write: WriteText, fields: readonly string[] | undefined): RowPrinter {
  let begun = false;
  return {
    write: async (rows) => {
      if (rows.length === 0) return;
      const text = rows.map((row) => JSON.stringify(picked(row, fields))).join(",\n");
      await write((begun ? ",\n" : "[\n") + text);
      begun = true;
    },
    end: () => write(begun ? "\n]\n" : "[]\n"),
  };
}

export function jsonLinesPrinter(write: WriteText, fields: readonly string[] | undefined): RowPrinter {
  return {
    write: (rows) => write(rows.map((row) => JSON.stringify(picked(row, fields)) + "\n").join("")),
    end: () => Promise.resolve(),
  };
}

export function tsvPrinter(write: WriteText, columns: readonly string[]): RowPrinter {
  let begun = false;
  const header = async (): Promise<void> => {
    if (!begun) await write(columns.join("\t") + "\n");
    begun = true;
  };
  return {
    write: async (rows) => {
      await header();
      const lines = rows.map((row) =>
        columns.map((column) => visibleText(cellText(valueAt(row, column)))).join("\t")
      );
      await write(lines.map((line) => line + "\n").join(""));
    },
    end: header,
  };
}

/**
 * CSV as in RFC 4180. Unless `raw`, formulas are prefixed with a quote mark and control characters are escaped; a
 * terminal never receives control characters.
 */
export function csvPrinter(
  write: WriteText,
  columns: readonly string[],
  { raw, isTerminal = false }: { readonly raw: boolean; readonly isTerminal?: boolean },
): RowPrinter {
  const cell = (row: Row, column: string): string => {
    const text = cellText(valueAt(row, column));
    if (isTerminal) return visibleText(text);
    return raw ? text : text.split("\n").map(visibleText).join("\n");
  };
  let waiting: (readonly string[])[] = [columns];
  const print = async (): Promise<void> => {
    const lines = waiting;
    waiting = [];
    await write(csvText(lines, { isRaw: raw }));
  };
  return {
    write: async (rows) => {
      for (const row of rows) waiting.push(columns.map((column) => cell(row, column)));
      if (waiting.length > CSV_LINES) await print();
    },
    end: print,
  };
}

function picked(row: Row, fields: readonly string[] | undefined): Row {
  if (fields === undefined) return row;
  return Object.fromEntries(fields.map((field) => [field, valueAt(row, field) ?? null]));
}
