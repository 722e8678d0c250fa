import { foreignBytes, foreignText, startsWith } from "./foreign_files.ts";
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

/** True for the bytes of an archive, which every .xlsx file is. */
export function isArchive(bytes: Uint8Array): boolean {
  return startsWith(bytes, [0x50, 0x4b]);
}

/**
 * The text of a file: UTF-8, UTF-16 and, where nothing else fits, Windows-1252 are found out; other encodings are asked for.
 *
 * @param options.encoding Name of the encoding, such as `gb18030`.
 * @param options.countryCode Country of the account, whose languages may have another encoding.
 * @param options.takesJson True where JSON is read as well as tables. @default false
 * @throws {SheetFileError} for other kinds of files, and for an encoding that is not known or not certain.
 */
export function fileText(
  bytes: Uint8Array,
  { name, encoding, countryCode, takesJson = false }: {
    readonly name: string;
    readonly encoding?: string | undefined;
    readonly countryCode?: string | undefined;
    readonly takesJson?: boolean;
  },
): FileText {
  const foreign = foreignBytes(bytes);
  if (foreign !== undefined) throw new SheetFileError(name, foreign);
  const found = decoded(bytes, { name, encoding, countryCode });
  const [first = ""] = found.pieces();
  const reason = foreignText(first.slice(0, 2000).replace(/^[\uFEFF\s]+/, ""), { takesJson });
  if (reason !== undefined) throw new SheetFileError(name, reason);
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
        ? `"${encoding}" is not a known encoding. Expected utf-8, utf-16le, ` +
          `windows-1252, windows-1250, windows-1254, gb18030, shift_jis, big5`
        : `it is not encoded in ${encoding}`;
      throw new SheetFileError(name, reason, { cause });
    }
  }
  const wide = utf16Of(bytes);
  if (wide !== undefined && isText(bytes, wide)) {
    return { pieces: () => textPieces(bytes, wide), guessed: wide };
  }
  if (isText(bytes, "utf-8")) {
    if (bytes.includes(0)) {
      throw new SheetFileError(name, "it is not text: it contains binary data");
    }
    return { pieces: () => textPieces(bytes, "utf-8"), guessed: undefined };
  }
  if (!OTHER_LETTERS.has(countryCode) && isSurelyWestern(bytes)) {
    return { pieces: () => textPieces(bytes, "windows-1252"), guessed: "windows-1252" };
  }
  const asian = asianText(bytes);
  const advice = asian === undefined
    ? "it is not UTF-8 text, and its encoding is not certain. Name it, for example with --encoding windows-1252"
    : `it is not UTF-8 text, and looks like ${asian.encoding} ("${asian.example}"). ` +
      `If that looks right, add --encoding ${asian.encoding}`;
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

/** Encodings of Asian texts with their letters. Japanese is tried first: most of its texts are some Chinese one too. */
const ASIAN: readonly (readonly [encoding: string, letters: RegExp])[] = [
  ["shift_jis", /[\u3041-\u30fe][\p{Script=Han}\u3041-\u30fe]{1,5}/gu],
  ["gb18030", /\p{Script=Han}{2,6}/gu],
];

/** The encoding that a text is probably in, with some letters of it; `undefined` where it has hardly any. */
function asianText(bytes: Uint8Array): { readonly encoding: string; readonly example: string } | undefined {
  for (const [encoding, letters] of ASIAN) {
    if (!isText(bytes, encoding)) continue;
    for (const piece of textPieces(bytes, encoding)) {
      const [example] = piece.match(letters) ?? [];
      if (example !== undefined) return { encoding, example };
    }
  }
  return undefined;
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
