import { SheetFileError } from "./sheet_lines.ts";

/** Text of a file, with the encoding that it was read in. */
export interface FileText {
  /** The text; a byte order mark stays. */
  readonly text: string;
  /** Encoding beside UTF-8 that was found out. */
  readonly guessed: string | undefined;
}

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
 * @throws {SheetFileError} for other kinds of files, and for an encoding that is not known or not certain.
 */
export function fileText(
  bytes: Uint8Array,
  { name, encoding }: { readonly name: string; readonly encoding?: string | undefined },
): FileText {
  const other = OTHERS.find(([start]) => startsWith(bytes, start));
  if (other !== undefined) throw new SheetFileError(name, other[1]);
  const found = decoded(bytes, { name, encoding });
  const start = found.text.slice(0, 2000).replace(/^[\uFEFF\s]+/, "");
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
  { name, encoding }: { name: string; encoding: string | undefined },
): FileText {
  if (encoding !== undefined) {
    try {
      return {
        text: new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes),
        guessed: undefined,
      };
    } catch (cause) {
      const reason = cause instanceof RangeError
        ? `"${encoding}" is not a known encoding. Known are utf-8, utf-16le, windows-1252, windows-1250, windows-1254, gb18030, shift_jis, big5`
        : `its bytes are not ${encoding}`;
      throw new SheetFileError(name, reason, { cause });
    }
  }
  const wide = utf16Of(bytes);
  if (wide !== undefined) return { text: decode(bytes, wide) ?? "", guessed: wide };
  const text = decode(bytes, "utf-8");
  if (text !== undefined) {
    if (text.includes("\0")) {
      throw new SheetFileError(name, "it is not text: it holds characters that no text has");
    }
    return { text, guessed: undefined };
  }
  const western = decode(bytes, "windows-1252");
  if (western !== undefined && isSurelyWestern(western)) return { text: western, guessed: "windows-1252" };
  const chinese = decode(bytes, "gb18030");
  const advice = chinese !== undefined && (chinese.match(/\p{Script=Han}/gu)?.length ?? 0) > 1
    ? `it is not UTF-8 text, and looks like gb18030 ("${
      /\p{Script=Han}{2,6}/u.exec(chinese)?.[0] ?? ""
    }"). If that reads well, add --encoding gb18030`
    : "it is not UTF-8 text, and its encoding is not certain. Name it, for example with --encoding windows-1252";
  throw new SheetFileError(name, `${advice}, or save it as "CSV UTF-8"`);
}

function decode(bytes: Uint8Array, label: string): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
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

/** Letters and signs that Western texts have; those that other encodings put in their places are left out. */
const WESTERN = /[À-ÏÑ-ÖØ-ÜßÀ-ïñ-öø-üÿ€£¥§©®°ºª«»’‘“”–—…¿¡\u00a0]/u;

/**
 * True where a text that was read as Windows-1252 can hardly be anything else: its accented letters stand alone within
 * words, as in no Chinese or Japanese text, and none of them is one that Polish or Turkish files have in their place.
 */
function isSurelyWestern(text: string): boolean {
  const runs = text.match(/[\u0080-\u{10ffff}]+/gu) ?? [];
  const isPlain = runs.every((run) => [...run].length <= 2 && [...run].every((char) => WESTERN.test(char)));
  return isPlain && runs.some((run) => run.length === 1) && !/\p{Ll}[À-Þ]\p{Ll}/u.test(text) &&
    !/\p{L}[¿¡£¥§]\p{L}/u.test(text);
}
