import { SheetFileError } from "./sheet_lines.ts";

/** Text of a file, with the encoding that it was read in. */
export interface FileText {
  /** The text, a piece at a time; a byte order mark stays. Each call reads it anew. */
  pieces(): Generator<string>;
  /** Encoding beside UTF-8 that was found out. */
  readonly guessed: string | undefined;
}

/** Bytes that are decoded at a time, so that a file of any length takes little memory besides its bytes. */
const PIECE = 64 * 1024;

/** Beginnings of files that are not tables, with what to do. */
const OTHERS: readonly (readonly [start: readonly number[], reason: string])[] = [
  [
    [0xd0, 0xcf, 0x11, 0xe0],
    "it is an old .xls file. Open it in a spreadsheet program and save it as .xlsx",
  ],
  [[0x25, 0x50, 0x44, 0x46], "it is a PDF file. Download the report as .xlsx or .csv"],
  [[0x1f, 0x8b], "it is a packed file (gzip). Unpack it first"],
];

/** True for the bytes of an archive, which every .xlsx file is. */
export function isArchive(bytes: Uint8Array): boolean {
  return startsWith(bytes, [0x50, 0x4b]);
}

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, at) => bytes[at] === byte);
}

/**
 * The text of a file: UTF-8, UTF-16 and, where nothing else fits, Windows-1252 are found out; other encodings are asked for.
 *
 * @param options.encoding Name of the encoding, such as `gb18030`.
 * @param options.countryCode Country of the account, whose languages may have another encoding.
 * @throws {SheetFileError} for other kinds of files, and for an encoding that is not known or not certain.
 */
export function fileText(
  bytes: Uint8Array,
  { name, encoding, countryCode }: {
    readonly name: string;
    readonly encoding?: string | undefined;
    readonly countryCode?: string | undefined;
  },
): FileText {
  const other = OTHERS.find(([start]) => startsWith(bytes, start));
  if (other !== undefined) throw new SheetFileError(name, other[1]);
  const found = decoded(bytes, { name, encoding, countryCode });
  const [first = ""] = found.pieces();
  const start = first.slice(0, 2000).replace(/^[\uFEFF\s]+/, "");
  if (/^<\?xml[^>]*>[\s\S]*<(?:\w+:)?Workbook\b/i.test(start)) {
    throw new SheetFileError(
      name,
      "it is an XML spreadsheet of 2003. Open it in a spreadsheet program and save it as .xlsx",
    );
  }
  if (/^<(?:!doctype|html|head|body|meta|table|\?xml)\b/i.test(start)) {
    throw new SheetFileError(
      name,
      "it is a web page (HTML), whatever its name says. Open it in a spreadsheet program and save it as .xlsx, or download the file once more",
    );
  }
  return found;
}

function decoded(
  bytes: Uint8Array,
  { name, encoding, countryCode = "" }: {
    name: string;
    encoding: string | undefined;
    countryCode: string | undefined;
  },
): FileText {
  if (encoding !== undefined) {
    try {
      checkText(bytes, encoding);
      return { pieces: () => textPieces(bytes, encoding), guessed: undefined };
    } catch (cause) {
      const reason = cause instanceof RangeError
        ? `"${encoding}" is not a known encoding. Known are utf-8, utf-16le, windows-1252, windows-1250, windows-1254, gb18030, shift_jis, big5`
        : `its bytes are not ${encoding}`;
      throw new SheetFileError(name, reason, { cause });
    }
  }
  const wide = utf16Of(bytes);
  if (wide !== undefined && isText(bytes, wide)) {
    return { pieces: () => textPieces(bytes, wide), guessed: wide };
  }
  if (isText(bytes, "utf-8")) {
    if (bytes.includes(0)) {
      throw new SheetFileError(name, "it is not text: it holds characters that no text has");
    }
    return { pieces: () => textPieces(bytes, "utf-8"), guessed: undefined };
  }
  if (!OTHER_LETTERS.has(countryCode) && isSurelyWestern(bytes)) {
    return { pieces: () => textPieces(bytes, "windows-1252"), guessed: "windows-1252" };
  }
  const chinese = isText(bytes, "gb18030") ? chineseIn(bytes) : undefined;
  const advice = chinese === undefined
    ? "it is not UTF-8 text, and its encoding is not certain. Name it, for example with --encoding windows-1252"
    : `it is not UTF-8 text, and looks like gb18030 ("${chinese}"). If that reads well, add --encoding gb18030`;
  throw new SheetFileError(name, `${advice}, or save it as "CSV UTF-8"`);
}

/**
 * The text of bytes, a piece at a time.
 *
 * @throws {TypeError} where bytes are not of the encoding; {RangeError} for an encoding that is not known.
 */
function* textPieces(bytes: Uint8Array, label: string): Generator<string> {
  const decoder = new TextDecoder(label, { fatal: true, ignoreBOM: true });
  for (let at = 0; at < bytes.length; at += PIECE) {
    const stream = at + PIECE < bytes.length;
    yield decoder.decode(bytes.subarray(at, at + PIECE), { stream });
  }
}

function checkText(bytes: Uint8Array, label: string): void {
  for (const _ of textPieces(bytes, label)) { /* decoding is the check */ }
}

function isText(bytes: Uint8Array, label: string): boolean {
  try {
    checkText(bytes, label);
    return true;
  } catch {
    return false;
  }
}

/** Some Chinese letters of a text; `undefined` where it has hardly any. */
function chineseIn(bytes: Uint8Array): string | undefined {
  let count = 0;
  let example = "";
  for (const piece of textPieces(bytes, "gb18030")) {
    count += piece.match(/\p{Script=Han}/gu)?.length ?? 0;
    example ||= /\p{Script=Han}{2,6}/u.exec(piece)?.[0] ?? "";
  }
  return count > 1 ? example : undefined;
}

/** Bytes that are looked at for the zeros of UTF-16. */
const LOOKED_AT = 2000;

function utf16Of(bytes: Uint8Array): string | undefined {
  if (startsWith(bytes, [0xff, 0xfe])) return "utf-16le";
  if (startsWith(bytes, [0xfe, 0xff])) return "utf-16be";
  const zeros = [0, 0];
  const length = Math.min(bytes.length, LOOKED_AT);
  for (let at = 0; at < length; at++) if (bytes[at] === 0) zeros[at % 2]! += 1;
  const [even = 0, odd = 0] = zeros;
  if (even + odd < length / 4) return undefined;
  return odd > even ? "utf-16le" : "utf-16be";
}

/** Markets whose languages have letters in the places of accented Western ones. */
const OTHER_LETTERS: ReadonlySet<string> = new Set(["PL", "TR", "AE", "EG", "SA", "JP"]);

/** Letters and signs that Western texts have; those that other encodings put in their places are left out. */
const WESTERN = /[À-ÏÑ-ÖØ-ÜßÀ-ïñ-öø-üÿ€£¥§©®°ºª«»’‘“”–—…¿¡\u00a0]/u;

/**
 * True where a text can hardly be anything but Windows-1252: its accented letters stand alone within words, as in no Chinese
 * or Japanese text, and none of them is one that Polish or Turkish files have in their place.
 */
function isSurelyWestern(bytes: Uint8Array): boolean {
  let isShown = false;
  for (const text of wholeLines(bytes)) {
    const runs = text.match(/[\u0080-\u{10ffff}]+/gu) ?? [];
    const isPlain = runs.every((run) => [...run].length <= 2 && [...run].every((char) => WESTERN.test(char)));
    // A question mark at the beginning has one at the end; alone, it is a letter of Polish.
    const isAlone = /¿[^?,;\t\r\n]*(?:[,;\t\r\n]|$)/.test(text);
    if (!isPlain || isAlone || /\p{Ll}[À-Þ]\p{Ll}/u.test(text) || /\p{L}[¿¡£¥§]\p{L}/u.test(text)) {
      return false;
    }
    isShown ||= runs.some((run) => run.length === 1);
  }
  return isShown;
}

/** The text as Windows-1252 in pieces that end with a line, so that no word is cut. */
function* wholeLines(bytes: Uint8Array): Generator<string> {
  const decoder = new TextDecoder("windows-1252");
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(0x0a, at + PIECE) + 1 || bytes.length;
    yield decoder.decode(bytes.subarray(at, end));
    at = end;
  }
}
