import { valueAt } from "../../../../base/json/field_path.ts";
import { counted } from "../../../../base/text/money_text.ts";
import type { ReportRow } from "../../../../client/reports/file/report_row.ts";
import type { CliContext } from "../context/context.ts";
import { CliError, EXIT } from "../io/cli_error.ts";
import type { TextSink } from "../io/cli_io.ts";
import type { Row, RowFile, RowPrinter } from "../context/row_printer.ts";
import { checkPlace, type FileFormat, fileFormat, REHEARSED } from "./export_format.ts";
import { exportRows, NewFile } from "./export_rows.ts";
import { inferredTypes, plainRow } from "./inferred_types.ts";

export class OutFile implements RowFile {
  readonly #path: string;
  readonly #format: FileFormat;
  readonly #text: NewFile | undefined;
  #table: { readonly columns: readonly string[]; readonly rows: Row[] } | undefined;
  #count: number | undefined;

  private constructor(path: string, format: FileFormat, text: NewFile | undefined) {
    this.#path = path;
    this.#format = format;
    this.#text = text;
  }

  static async begin(path: string, given: CliContext["globals"]["format"] | undefined): Promise<OutFile> {
    await checkPlace(path);
    const format = fileFormat(path, given);
    const isText = format !== "parquet" && format !== "xlsx";
    return new OutFile(path, format, isText ? await NewFile.create(path) : undefined);
  }

  get printedFormat(): Exclude<FileFormat, "parquet" | "xlsx"> {
    return this.#format === "parquet" || this.#format === "xlsx" ? "csv" : this.#format;
  }

  readonly stdout: TextSink = {
    isTerminal: false,
    columns: undefined,
    write: async (text) => {
      if (this.#text === undefined) throw this.#noTable("the output is not one table");
      await this.#text.write(new TextEncoder().encode(text));
    },
  };

  printer(columns: readonly string[], { rehearse, text }: Parameters<RowFile["printer"]>[1]): RowPrinter {
    // A spreadsheet and Parquet get the mark from exportRows.
    const isMarked = rehearse !== undefined && this.#text !== undefined;
    const printer = this.#text === undefined
      ? this.#collector(columns)
      : text(isMarked ? [...columns, REHEARSED] : columns);
    return {
      write: async (rows) => {
        this.#count = (this.#count ?? 0) + rows.length;
        await printer.write(isMarked ? rows.map((row) => ({ ...row, [REHEARSED]: rehearse })) : rows);
      },
      end: async () => {
        this.#count ??= 0;
        await printer.end();
      },
    };
  }

  #collector(columns: readonly string[]): RowPrinter {
    if (this.#table !== undefined) throw this.#noTable("the output has several tables");
    const rows: Row[] = [];
    this.#table = { columns, rows };
    return {
      write: (more) => {
        for (const row of more) {
          rows.push(Object.fromEntries(columns.map((name) => [name, valueAt(row, name)])));
        }
        return Promise.resolve();
      },
      end: () => Promise.resolve(),
    };
  }

  #noTable(reason: string): CliError {
    return new CliError(`Cannot write "${this.#path}": ${reason}. Name a .json or .csv file`, EXIT.failed);
  }

  async finish(context: CliContext): Promise<string> {
    if (this.#text !== undefined) await this.#text.finish();
    else if (this.#table === undefined) throw this.#noTable("the output has no rows");
    else {
      const { columns, rows } = this.#table;
      const types = inferredTypes(columns, rows);
      await exportRows(plainRows(rows), { path: this.#path, columns, types }, context);
    }
    const rows = this.#count === undefined ? "" : `${counted(this.#count, "row")} to `;
    return `Wrote ${rows}${this.#path}`;
  }

  async abandon(): Promise<void> {
    await this.#text?.abandon();
  }
}

async function* plainRows(rows: readonly Row[]): AsyncGenerator<ReportRow> {
  for (const row of rows) yield plainRow(row);
}
