import { isDay } from "../../base/time/calendar.ts";
import { dayOfSerial } from "../../base/text/row_cells.ts";
import { withoutMarks } from "../../base/text/visible_text.ts";
import { CURRENCY_MARK } from "./currency_marks.ts";

/** Decimal separator of an amount. */
export type DecimalMark = "point" | "comma";
/** Order of day, month and year in a numeric date. */
export type DayOrder = "dmy" | "mdy";

export interface CellFormats {
  readonly decimal: DecimalMark;
  /** Order of dates such as `12/07/2019`; `undefined` if it is unambiguous. */
  readonly dayOrder: DayOrder | undefined;
  /**
   * True if day numbers count from 1904.
   *
   * @default false
   */
  readonly is1904?: boolean;
}

const CURRENCY = new RegExp(CURRENCY_MARK, "giu");
const ARABIC = /[٠-٩٫٬]/g;
const ARABIC_AS: Readonly<Record<string, string>> = { "٫": ".", "٬": "," };
/** Groups of three digits, or of two digits before the last group as in India. */
const GROUPS = /^[+-]?(?:\d{1,3}(?:[.,]\d{3})+|\d{1,2}(?:,\d{2})+,\d{3})$/;
const BARE = /^[+-]?\d[\d.,]*(?:e[+-]?\d+)?$/i;

function bareNumber(text: string): string | undefined {
  const plain = withoutMarks(text.normalize("NFKC")).replace(
    ARABIC,
    (char) => ARABIC_AS[char] ?? String(char.charCodeAt(0) % 16),
  );
  const bare = plain.replace(CURRENCY, "").replace(/[\s%'’]/g, "").replace(/^\((.*)\)$/, "-$1").replace(
    /^(.*\d)-$/,
    "-$1",
  );
  return BARE.test(bare) ? bare : undefined;
}

export class DecimalMarks {
  readonly #seen = new Set<DecimalMark>();
  #isUnclear = false;

  /** @param isWhole True for counts: a mark in them must separate thousands. */
  take(text: string, isWhole: boolean): void {
    const bare = bareNumber(text);
    if (bare === undefined || /e/i.test(bare)) return;
    const shown = markIn(bare, isWhole);
    if (shown === "unclear") this.#isUnclear = true;
    else if (shown !== undefined) this.#seen.add(shown);
  }

  /**
   * Detected decimal separator; `"unclear"` if every number can be read both ways, `"mixed"` if numbers contradict
   * each other.
   */
  get found(): DecimalMark | "unclear" | "mixed" {
    if (this.#seen.size === 2) return "mixed";
    const [only] = this.#seen;
    return only ?? (this.#isUnclear ? "unclear" : "point");
  }
}

function markIn(bare: string, isWhole: boolean): DecimalMark | "unclear" | undefined {
  const [point, comma] = [bare.lastIndexOf("."), bare.lastIndexOf(",")];
  if (point < 0 && comma < 0) return undefined;
  if (point >= 0 && comma >= 0) return point > comma ? "point" : "comma";
  const [mark, other]: [DecimalMark, DecimalMark] = point >= 0 ? ["point", "comma"] : ["comma", "point"];
  const groups = bare.split(mark === "point" ? "." : ",");
  const areThousands = GROUPS.test(bare) && /^[+-]?[1-9]/.test(bare);
  if (groups.length > 2) return areThousands ? other : undefined;
  if (!areThousands) return mark;
  return isWhole ? other : "unclear";
}

export function readNumber(text: string, { decimal }: Pick<CellFormats, "decimal">): number | undefined {
  const bare = bareNumber(text);
  if (bare === undefined) return undefined;
  const [thousands, mark] = decimal === "point" ? [",", "."] : [".", ","];
  const parts = bare.split(mark);
  if (parts.length > 2 || parts[1]?.includes(thousands)) return undefined;
  const whole = parts[0] ?? "";
  if (whole.includes(thousands) && !GROUPS.test(whole)) return undefined;
  const number = Number(`${whole.replaceAll(thousands, "")}${parts[1] === undefined ? "" : `.${parts[1]}`}`);
  return Number.isFinite(number) ? Number(number.toPrecision(12)) : undefined;
}

const LANGUAGES = ["en", "de", "es", "fr", "it", "pt", "nl", "pl", "sv", "tr"];
let months: ReadonlyMap<string, number> | undefined;

function monthNames(): ReadonlyMap<string, number> {
  if (months !== undefined) return months;
  const found = new Map<string, number>();
  for (const language of LANGUAGES) {
    for (const month of ["short", "long"] as const) {
      const format = new Intl.DateTimeFormat(language, { month, timeZone: "UTC" });
      for (let at = 0; at < 12; at++) {
        const name = monthKey(format.format(Date.UTC(2026, at, 1)));
        if (!found.has(name)) found.set(name, at + 1);
        // A name that two languages give to different months would be read in silence.
        else if (found.get(name) !== at + 1) found.set(name, 0);
      }
    }
  }
  found.set("sept", 9);
  return months = found;
}

function monthKey(name: string): string {
  return name.toLowerCase().replace(/[.\s]/g, "");
}

const TURNED = /^(?:\d{1,2}(?:-|\. ?)(\p{L}{3,5})\.?|(\p{L}{3,5})\.?-\d{2})$/u;

/**
 * Detects text that a spreadsheet wrote after converting a value to a date or boolean, such as `12-Oct` for `10-12`.
 * CSV files have no other trace of it.
 */
export function looksTurned(text: string): boolean {
  const [, after, before] = TURNED.exec(text) ?? [];
  return /^(?:TRUE|FALSE)$/.test(text) || monthNames().has(monthKey(after ?? before ?? ""));
}

const DIGITS = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})(?:[ T].*)?$/;

/** Derives the order of day and month from numbers above 12, and from dots, which are used in Europe. */
export class DayOrders {
  readonly #seen = new Set<DayOrder>();
  #isUnclear = false;
  #hasYearFirst = false;
  #hasDigits = false;

  get areOfTwoForms(): boolean {
    return this.#hasYearFirst && this.#hasDigits;
  }

  take(text: string): void {
    const day = withoutMarks(text).trim();
    this.#hasYearFirst ||= /^\d{4}-\d{2}-\d{2}/.test(day);
    this.#hasDigits ||= DIGITS.test(day);
    const [, first, sign, second] = DIGITS.exec(day) ?? [];
    if (first === undefined) return;
    if (sign === "." || Number(first) > 12) this.#seen.add("dmy");
    else if (Number(second) > 12) this.#seen.add("mdy");
    else this.#isUnclear = true;
  }

  get found(): DayOrder | undefined | "unclear" | "mixed" {
    if (this.#seen.size === 2) return "mixed";
    const [only] = this.#seen;
    return only ?? (this.#isUnclear ? "unclear" : undefined);
  }
}

/** Parses a date. Returns YYYY-MM-DD, or `undefined` if the text is not a date. */
export function readDay(
  text: string,
  { dayOrder, is1904 = false }: Pick<CellFormats, "dayOrder" | "is1904">,
): string | undefined {
  const cell = withoutMarks(text.normalize("NFKC")).trim().replace(/^(\d{8})\.0$/, "$1");
  if (/^\d{5}(\.\d+)?$/.test(cell)) return dayOfSerial(Math.floor(Number(cell)), { is1904 });
  const [, year, month, day] = /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?:[ T].*)?$/.exec(cell) ??
    /^(\d{4})(\d{2})(\d{2})$/.exec(cell) ?? [];
  if (year !== undefined) return checked(year, month, day);
  const digits = DIGITS.exec(cell);
  if (digits !== null && dayOrder !== undefined) {
    const [, first, , second, last = ""] = digits;
    const whole = last.length === 2 ? `20${last}` : last;
    return dayOrder === "dmy" ? checked(whole, second, first) : checked(whole, first, second);
  }
  const words = cell.split(/[\s,/-]+|(?<=\d)\.|\bde\b/).map((word) => word.trim()).filter((word) =>
    word !== ""
  );
  const named = words.flatMap((word) => monthNames().get(monthKey(word)) || []);
  const [date] = words.filter((word) => /^\d{1,2}$/.test(word));
  // 20-Oct-26 as a spreadsheet writes it: the year is last.
  const last = words.at(-1) ?? "";
  const full = words.find((word) => /^\d{4}$/.test(word)) ??
    (/^\d{2}$/.test(last) && words.length === 3 && /^\d/.test(words[0] ?? "") ? `20${last}` : undefined);
  return words.length === 3 && named.length === 1 ? checked(full, String(named[0]), date) : undefined;
}

function checked(
  year: string | undefined,
  month: string | undefined,
  day: string | undefined,
): string | undefined {
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const text = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  return isDay(text) ? text : undefined;
}

export type RateForm = "percent signs" | "percent numbers" | "ratios" | "rates that do not fit";

/** Checks how rates are written. Rates are not stored, but a mismatch shows that the numbers were misread. */
export class RateForms {
  readonly #counts: Record<RateForm, number> = {
    "percent signs": 0,
    "percent numbers": 0,
    ratios: 0,
    "rates that do not fit": 0,
  };

  take(
    { text, rate, clicks, impressions }: {
      readonly text: string;
      readonly rate: number;
      readonly clicks: number;
      readonly impressions: number;
    },
  ): void {
    if (clicks === 0 || impressions === 0) return;
    const wanted = clicks / impressions;
    const fits = (unit: number): boolean =>
      Math.abs(rate / unit - wanted) <= Math.max(0.02 * wanted, 0.006 / unit, 5e-5);
    const isPercent = text.includes("%");
    if (isPercent ? fits(100) : fits(1)) this.#counts[isPercent ? "percent signs" : "ratios"] += 1;
    else if (!isPercent && fits(100)) this.#counts["percent numbers"] += 1;
    else this.#counts["rates that do not fit"] += 1;
  }

  get found(): RateForm | undefined {
    const [best] = (Object.entries(this.#counts) as [RateForm, number][]).sort(([, a], [, b]) => b - a);
    return best === undefined || best[1] === 0 ? undefined : best[0];
  }
}
