import type { ReportRow } from "./report_row.ts";

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_ROW = 0x7b;
const CLOSE_ROW = 0x7d;
const [BIG_I, SMALL_D, BIG_E, SMALL_E] = [0x49, 0x64, 0x45, 0x65];
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** Maximum size of a row in bytes, to bound memory; no report row is larger. */
const MAX_ROW = 1024 * 1024;

/** Number of digits from which an integer may exceed 2^53 - 1. */
const LONG_INTEGER = 16;

type Expected = "file" | "first-row" | "separator" | "row" | "nothing";

/**
 * Splits a JSON array or JSON Lines into rows. Finds row ends in the bytes and passes all rows of a chunk to
 * `JSON.parse` at once, so at most one chunk and one row are in memory. Ids, and integers too long for a number,
 * become text.
 */
export class RowScanner {
  readonly #quick = new TextDecoder("utf-8", { ignoreBOM: true });
  readonly #strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  #kept: Uint8Array = new Uint8Array(0);
  #seen = 0;
  #expected: Expected = "file";
  #lines = false;
  #rows = 0;
  readonly #clean: (text: string) => string;

  constructor(clean: (text: string) => string = (text) => text) {
    this.#clean = clean;
  }

  get rows(): number {
    return this.#rows;
  }

  push(chunk: Uint8Array): ReportRow[] {
    const owned = this.#lines || this.#expected === "file" || this.#kept.length > 0;
    const bytes = owned ? joined(this.#kept, chunk) : chunk;
    const before = this.#seen - this.#kept.length;
    this.#seen += chunk.length;
    this.#kept = new Uint8Array(0);
    const texts: number[] = [];
    let first = -1;
    let last = -1;
    for (let at = 0; at < bytes.length;) {
      const byte = bytes[at]!;
      if (byte === OPEN_ROW && this.#mayOpenRow()) {
        const end = endOfRow(bytes, at, texts);
        if (end < 0) {
          this.#keep(bytes.slice(at));
          break;
        }
        if (first < 0) first = at;
        last = at = end;
        this.#expected = "separator";
      } else {
        if (this.#endsLine(byte)) bytes[at] = COMMA;
        else this.#between(byte, before + at);
        at++;
      }
    }
    return first < 0 ? [] : this.#parse(bytes.subarray(first, last), { first, texts });
  }

  end(): void {
    if (this.#kept.length > 0) throw new SyntaxError("it ends in the middle of a row");
    if (!this.#lines && this.#expected !== "nothing" && this.#expected !== "file") {
      throw new SyntaxError("its list of rows is not closed");
    }
  }

  #mayOpenRow(): boolean {
    if (this.#expected === "file") this.#lines = true;
    else if (this.#expected !== "first-row" && this.#expected !== "row") return false;
    return true;
  }

  #endsLine(byte: number): boolean {
    if (!this.#lines || this.#expected !== "separator" || !isSpace(byte)) return false;
    this.#expected = "row";
    return true;
  }

  #between(byte: number, position: number): void {
    if (isSpace(byte)) return;
    const { [this.#expected]: next } = AFTER;
    const found = this.#lines ? undefined : next?.[byte];
    if (found !== undefined) this.#expected = found;
    else if (this.#expected !== "file" || byte !== BYTE_ORDER_MARK[position]) throw this.#misplaced(byte);
  }

  #misplaced(byte: number): SyntaxError {
    const found = byte > 0x20 && byte < 0x7f ? `"${String.fromCharCode(byte)}"` : `byte ${byte}`;
    if (this.#expected === "file") return new SyntaxError(`it begins with ${found}, not with a list of rows`);
    if (this.#expected === "nothing") return new SyntaxError(`${found} follows the end of its list`);
    return new SyntaxError(`${found} stands where a row or the end of the list belongs`);
  }

  #keep(start: Uint8Array): void {
    if (start.length > MAX_ROW) throw new SyntaxError(`a row is longer than ${MAX_ROW} bytes`);
    this.#kept = start;
  }

  #parse(rows: Uint8Array, marks: { first: number; texts: readonly number[] }): ReportRow[] {
    const { first, texts } = marks;
    const list = new Uint8Array(rows.length + 2 + texts.length);
    list[0] = OPEN_LIST;
    list.set(rows, 1);
    list[list.length - 1] = CLOSE_LIST;
    // From the end, what follows each mark moves up to make room for the quotes before it.
    let end = rows.length + 1;
    for (let left = texts.length; left > 0; left--) {
      const start = texts[left - 1]! - first + 1;
      list.copyWithin(start + left, start, end);
      list[start + left - 1] = QUOTE;
      end = start;
    }
    const parsed = this.#rowsIn(this.#clean(this.#text(list)));
    this.#rows += parsed.length;
    return parsed;
  }

  #rowsIn(list: string): ReportRow[] {
    try {
      return JSON.parse(list);
    } catch (cause) {
      throw new SyntaxError(`its JSON is malformed (${(cause as Error).message})`, { cause });
    }
  }

  /** Decodes text. The fast decoder inserts U+FFFD for invalid UTF-8; only then is the strict decoder needed. */
  #text(bytes: Uint8Array): string {
    const text = this.#quick.decode(bytes);
    if (!text.includes("\uFFFD")) return text;
    try {
      return this.#strict.decode(bytes);
    } catch (cause) {
      throw new SyntaxError("its text is not UTF-8", { cause });
    }
  }
}

const AFTER: { readonly [state in Expected]?: { readonly [byte: number]: Expected } } = {
  "file": { [OPEN_LIST]: "first-row" },
  "first-row": { [CLOSE_LIST]: "nothing" },
  "separator": { [COMMA]: "row", [CLOSE_LIST]: "nothing" },
};

/**
 * Returns the position of a row's end, or -1 if the row is incomplete. Adds positions to `texts` at which quotes must
 * be inserted so that ids and long integers are read as text.
 */
function endOfRow(bytes: Uint8Array, from: number, texts: number[]): number {
  const { length } = bytes;
  const known = texts.length;
  let depth = 0;
  for (let at = from; at < length;) {
    const byte = bytes[at++]!;
    if (byte === QUOTE) {
      while (at < length) {
        const inside = bytes[at++]!;
        if (inside === QUOTE) break;
        if (inside === BACKSLASH) at++;
      }
    } else if (byte >= ZERO && byte <= NINE) {
      const start = at - 1;
      while (at < length && bytes[at]! >= ZERO && bytes[at]! <= NINE) at++;
      const next = bytes[at];
      if (next === POINT || next === BIG_E || next === SMALL_E) {
        at++;
        while (at < length && bytes[at]! >= ZERO && bytes[at]! <= NINE) at++;
      } else if (isId(bytes, start) || isUnsafe(bytes, start, at)) {
        texts.push(bytes[start - 1] === MINUS ? start - 1 : start, at);
      }
    } else if (byte === OPEN_ROW || byte === OPEN_LIST) depth++;
    else if ((byte === CLOSE_ROW || byte === CLOSE_LIST) && --depth === 0) return at;
  }
  texts.length = known;
  return -1;
}

function isId(bytes: Uint8Array, start: number): boolean {
  let at = start - 1;
  while (isSpace(bytes[at]!)) at--;
  if (bytes[at--] !== COLON) return false;
  while (isSpace(bytes[at]!)) at--;
  return bytes[at] === QUOTE && bytes[at - 1] === SMALL_D && bytes[at - 2] === BIG_I;
}

function isUnsafe(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start !== LONG_INTEGER) return end - start > LONG_INTEGER;
  return !Number.isSafeInteger(Number(String.fromCharCode(...bytes.subarray(start, end))));
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
