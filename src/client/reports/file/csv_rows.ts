import type { ColumnType, ReportRow } from "./report_row.ts";
import { TableRows } from "./table_rows.ts";

/** Maximum length of a line, to bound memory; no report line is longer. */
const MAX_LINE = 1024 * 1024;

/** Parses CSV by RFC 4180: quotes are doubled within quotes, and lines may end in CR LF. */
export class CsvRows {
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });
  readonly #table: TableRows;
  readonly #clean: (text: string) => string;
  readonly #escapes: boolean;
  #rest = "";
  #backslash = "";

  /**
   * @param clean Removes secrets from whole lines.
   * @param options.escapes True if a backslash escapes quotes, instead of doubling them.
   */
  constructor(
    clean: (text: string) => string = (text) => text,
    typeOf?: (name: string) => ColumnType | undefined,
    { escapes = false }: { readonly escapes?: boolean | undefined } = {},
  ) {
    this.#escapes = escapes;
    this.#clean = clean;
    this.#table = new TableRows(typeOf);
  }

  push(chunk: Uint8Array): ReportRow[] {
    return this.#take(this.#rest + this.#text(chunk), false);
  }

  /**
   * Returns the row of an unterminated last line.
   *
   * @throws {SyntaxError} when the file ends inside quotes.
   */
  end(): ReportRow[] {
    const rows = this.#take(this.#rest + this.#text(undefined), true);
    if (!this.#table.hasNames) throw new SyntaxError("it is empty");
    return rows;
  }

  #text(chunk: Uint8Array | undefined): string {
    const text = this.#decoded(chunk);
    if (!this.#escapes) return text;
    const whole = this.#backslash + text;
    // An odd number of backslashes at the end may belong to a quote in the next chunk.
    const isOpen = chunk !== undefined && (/\\+$/.exec(whole)?.[0].length ?? 0) % 2 === 1;
    this.#backslash = isOpen ? "\\" : "";
    return (isOpen ? whole.slice(0, -1) : whole).replace(
      /\\[\\"]/g,
      (pair) => pair === '\\"' ? '""' : pair,
    );
  }

  #decoded(chunk: Uint8Array | undefined): string {
    try {
      return chunk === undefined ? this.#decoder.decode() : this.#decoder.decode(chunk, { stream: true });
    } catch (cause) {
      throw new SyntaxError("it is not UTF-8 text", { cause });
    }
  }

  #take(text: string, isLast: boolean): ReportRow[] {
    const end = isLast ? text.length : endOfLines(text);
    this.#rest = text.slice(end);
    if (this.#rest.length > MAX_LINE) throw new SyntaxError("a line of it has no end");
    const rows: ReportRow[] = [];
    for (const cells of linesOf(this.#clean(text.slice(0, end)))) {
      const row = this.#table.take(cells);
      if (row !== undefined) rows.push(row);
    }
    return rows;
  }
}

function endOfLines(text: string): number {
  let isQuoted = false;
  let end = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) isQuoted = !isQuoted;
    else if (code === 0x0a && !isQuoted) end = at + 1;
  }
  return end;
}

function* linesOf(text: string): Generator<string[]> {
  let cells: string[] = [];
  for (let at = 0; at < text.length; at++) {
    const end = text[at] === '"' ? undefined : endOfCell(text, at);
    const [cell, next] = end === undefined ? quoted(text, at + 1) : [text.slice(at, end), end];
    at = next;
    if (text[at] === ",") {
      cells.push(cell);
      if (at + 1 === text.length) cells.push("");
    } else {
      yield [...cells, end !== undefined && cell.endsWith("\r") ? cell.slice(0, -1) : cell];
      cells = [];
    }
  }
  if (cells.length > 0) yield cells;
}

function endOfCell(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x2c || code === 0x0a) return at;
  }
  return text.length;
}

function quoted(text: string, from: number): [cell: string, next: number] {
  let at = from;
  for (;;) {
    const end = text.indexOf('"', at);
    if (end < 0) throw new SyntaxError("it ends within a text in quotes");
    if (text[end + 1] === '"') {
      at = end + 2;
      continue;
    }
    const next = text[end + 1] === "\r" ? end + 2 : end + 1;
    const mark = text[next];
    if (mark !== undefined && mark !== "," && mark !== "\n") {
      throw new SyntaxError(`a text in quotes is followed by ${JSON.stringify(mark)}`);
    }
    return [text.slice(from, end).replaceAll('""', '"'), next];
  }
}
