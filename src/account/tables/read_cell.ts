import { withoutMarks } from "../../base/text/visible_text.ts";
import type { SheetLine } from "./sheet_lines.ts";

export type CellUse = "text" | "word" | "id" | "number" | "percent" | "day";

/** Missing values as written by pandas. */
const MISSING = /^(?:nan|<na>|nat)$/i;
/** UTF-8 text that was read in another encoding, such as `Ã©` for `é`. */
const MISREAD = /[ÂÃ][\u0080-\u00bf]|â€[\u0080-\u00bf™œžšŸ“”˜¢¦]|Ã[‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|\ufffd/;
/** Localized spreadsheet errors; `###` stands for a column that was too narrow. */
const ERROR =
  /^#(?:N\/[AD]|NV|DIV\/0!|(?:REF|VALUE|NUM|NULL|SPILL|CALC|WERT|BEZUG|ZAHL|VALEUR|NOMBRE|NUL|VALORE|RIF|¡VALOR|¡REF|¡NUM|¡NULO|¡DIV\/0|VALOR|ARG|ADR|LICZBA|DEĞER|BAŞV|SAYI|WAARDE|GETAL|VERW)!|(?:NAME|NOM|NOME|¿NOMBRE|NAZWA|AD|NAAM|NAMN)\?|#{2,})$/iu;
const ROUNDED = /^\d(?:[.,]\d+)?E\+\d{2,3}$/;
const AS_TEXT = "Format the column as text and enter it again";

/** Digits after an apostrophe, which prevents conversion to a number or date. */
const KEPT_DIGITS = /^'(?=[\d.,:/-]*\d[\d.,:/-]*$)/;
const PROTECTED = /^="((?:[^"]|"")*)"$/;

export function unprotected(text: string): string {
  const found = text.startsWith("=") ? PROTECTED.exec(text) : null;
  return found === null ? text.replace(KEPT_DIGITS, "") : (found[1] ?? "").replaceAll('""', '"');
}

/**
 * Returns the text of a cell. Rejects values that a program converted, because the original is unknown.
 *
 * @throws {RangeError} with the reason and a remedy.
 */
export function cellFor({ cells, notes }: SheetLine, at: number, use: CellUse): string {
  const note = notes?.[at];
  const cell = cells[at] ?? "";
  const written = (use === "text" ? cell : withoutMarks(cell)).trim();
  const text = note === undefined ? unprotected(written) : written;
  if (note?.formula === "no value") {
    throw new RangeError(
      "it is a formula without a value. Open the file in a spreadsheet program and save it, or paste the value",
    );
  }
  if (note?.type === "error" || (text.startsWith("#") && ERROR.test(text))) {
    throw new RangeError(
      `it holds the spreadsheet error ${text}. Correct the formula, or paste the value`,
    );
  }
  if (note?.type === "boolean") {
    if (use === "word") return text.toLowerCase();
    throw new RangeError(`a spreadsheet program turned it into the value ${text}. ${AS_TEXT}`);
  }
  if (note?.type === "date") {
    if (use === "day") return text;
    throw new RangeError(`a spreadsheet program turned it into the date ${text}. ${AS_TEXT}`);
  }
  if (text === "") return "";
  if (note?.type === "number") return ofNumber(text, { use, isPercent: note.isPercent === true });
  if (MISSING.test(text)) {
    if (use !== "text") return "";
    throw new RangeError(
      `"${text}" is how pandas writes a missing value. Leave the cell empty, or write the text`,
    );
  }
  if (use === "id") return idOf(text, { isNumber: false });
  if (use === "text" && ROUNDED.test(text)) {
    throw new RangeError(
      `a spreadsheet program rounded it to ${text}. In the original file, format the column as text before you save it`,
    );
  }
  if (use === "percent") return text.replace(/\s*[%％]$/, "");
  if (MISREAD.test(text)) {
    throw new RangeError(
      `"${text}" was read in the wrong encoding. Save the file again as UTF-8`,
    );
  }
  return text;
}

export function isCalculated({ notes }: SheetLine, at: number): boolean {
  return notes?.[at]?.formula === "value";
}

function ofNumber(text: string, { use, isPercent }: { use: CellUse; isPercent: boolean }): string {
  if (use === "text") {
    throw new RangeError(
      `a spreadsheet program turned it into a number (${text}), so leading zeros may be lost. ${AS_TEXT}`,
    );
  }
  if (use === "id") return idOf(text, { isNumber: true });
  if (use === "percent") return isPercent ? String(Number((Number(text) * 100).toPrecision(12))) : text;
  if (isPercent && use === "number") {
    throw new RangeError(`it is shown as a percentage (${Number(text) * 100}%), not as an amount`);
  }
  return text;
}

/** Largest integer that every program represents exactly. */
const EXACT = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * Returns the id in a cell. Removes decimals added by pandas and rejects numbers that may have been rounded.
 *
 * @param options.isNumber True for number cells, which only keep 15 digits.
 */
function idOf(text: string, { isNumber }: { isNumber: boolean }): string {
  const [, digits, zeros] = /^(\d+)([.,]0+)?$/.exec(text) ?? [];
  if (digits !== undefined) {
    const isLong = BigInt(digits) > EXACT;
    // A spreadsheet program keeps 15 digits and writes zeros for the others.
    if (isNumber && digits.length > 15 && digits.endsWith("0")) throw roundedId(text);
    // A float of that size, or a number that is exactly how a program prints one, may have lost its last digits.
    if (!isLong || (zeros === undefined && (!isNumber || String(Number(digits)) !== digits))) return digits;
    throw roundedId(text);
  }
  const [, first, decimals = "", power] = /^(\d)(?:[.,](\d+))?e\+?(\d+)$/i.exec(text) ?? [];
  if (first === undefined) return text;
  // A number cell may be written with a power and still be whole: 1.86308801515883E14 has 15 digits of 15.
  const whole = `${first}${decimals}`;
  if (isNumber && whole.length === Number(power) + 1 && whole.length <= 15) return whole;
  throw roundedId(text);
}

function roundedId(text: string): RangeError {
  return new RangeError(
    `${text} is rounded: the last digits of the id are lost. In the original file, format the column as text ` +
      "before you save it",
  );
}
