import { foreignBytes, foreignText, startsWith } from "./foreign_files.ts";
import { SheetFileError } from "./sheet_lines.ts";

export interface FileText {
  /** Yields the text in pieces, with a byte order mark if there is one; each call reads it again. */
  pieces(): Generator<string>;
  readonly guessed: string | undefined;
}

/** Size of a piece; bounds memory for files of any length. */
const PIECE = 64 * 1024;

export function isArchive(bytes: Uint8Array): boolean {
  return startsWith(bytes, [0x50, 0x4b]);
}

/**
 * Decodes a text file. Detects UTF-8 and UTF-16, and falls back to Windows-1252; other encodings must be given.
 *
 * @param options.encoding For example `gb18030`.
 * @param options.countryCode Country of the account, whose languages may use another encoding.
 * @throws {SheetFileError} when the file is of another kind, or its encoding is unknown or uncertain.
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
 * @throws {TypeError} when bytes are invalid in the encoding.
 * @throws {RangeError} when the encoding is unknown.
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

/** Asian encodings to try. Japanese must be first, because most Japanese bytes are also valid Chinese. */
const ASIAN: readonly (readonly [encoding: string, letters: RegExp])[] = [
  ["shift_jis", /[\u3041-\u30fe][\p{Script=Han}\u3041-\u30fe]{1,5}/gu],
  ["gb18030", /\p{Script=Han}{2,6}/gu],
];

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

/** Markets whose encodings use other letters in place of Western accented ones. */
const OTHER_LETTERS: ReadonlySet<string> = new Set(["PL", "TR", "AE", "EG", "SA", "JP"]);

const WESTERN = /[À-ÏÑ-ÖØ-ÜßÀ-ïñ-öø-üÿ€£¥§©®°ºª«»’‘“”–—…¿¡\u00a0]/u;

/**
 * True if the text is certainly Western: accented letters that stand alone within words rule out Chinese and Japanese,
 * and no letter may be one that Polish or Turkish encodings replace.
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

/** Yields pieces that end at line breaks, so that no word is split. */
function* wholeLines(bytes: Uint8Array): Generator<string> {
  const decoder = new TextDecoder("windows-1252");
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(0x0a, at + PIECE) + 1 || bytes.length;
    yield decoder.decode(bytes.subarray(at, end));
    at = end;
  }
}
