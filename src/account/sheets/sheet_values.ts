import { isDay } from "../../base/time/calendar.ts";
import type { CellUse } from "../tables/read_cell.ts";

export interface SheetValue {
  readonly use?: Exclude<CellUse, "id"> | undefined;
  readonly read: (text: string) => unknown;
  readonly write: (value: unknown) => string;
}

const written = (value: unknown): string => value === undefined || value === null ? "" : String(value);

export const TEXT: SheetValue = { read: (text) => text, write: written };

/** An amount, written with a decimal point and without a currency. */
export const AMOUNT: SheetValue = {
  use: "number",
  read: (text) => {
    const number = Number(text);
    if (!/^\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) || !Number.isFinite(number)) {
      throw new RangeError(`"${text}" is not an amount: expected digits with a decimal point, such as 0.75`);
    }
    return Number(number.toPrecision(12));
  },
  write: written,
};

/** A currency code in upper case, because the platform accepts no other. */
export const CURRENCY: SheetValue = {
  read: (text) => {
    if (!/^[a-z]{3}$/i.test(text)) {
      throw new RangeError(`"${text}" is not the code of a currency: expected three letters, such as EUR`);
    }
    return text.toUpperCase();
  },
  write: written,
};

/** Whole percent. */
export const PERCENT: SheetValue = {
  use: "percent",
  read: (text) => {
    if (!/^-?\d{1,3}(\.0+)?$/.test(text)) {
      throw new RangeError(`"${text}" is not a whole percentage: expected digits, such as 35 or 35%`);
    }
    return Number(text);
  },
  write: written,
};

/** `yyyyMMdd` in cells. */
export const DAY: SheetValue = {
  use: "day",
  read: (text) => {
    const [, year, month, date] = /^(\d{4})-?(\d{2})-?(\d{2})$/.exec(text) ?? [];
    const day = `${year}-${month}-${date}`;
    if (!isDay(day)) throw new RangeError(`"${text}" is not a day: expected yyyyMMdd, such as 20260401`);
    return day;
  },
  write: (value) => written(value).replaceAll("-", ""),
};

/**
 * A value from a list of words, case-insensitive. With `open`, unknown words are kept, because the platform may add
 * new ones.
 */
export function oneOf(words: Readonly<Record<string, string>>, { open = false } = {}): SheetValue {
  const bare = (text: string): string => text.toLowerCase().replace(/[\s_-]+/g, "");
  const byWord = new Map(Object.entries(words).map(([value, word]) => [bare(word), value]));
  for (const value of Object.keys(words)) byWord.set(bare(value), value);
  return {
    use: "word",
    read: (text) => {
      const value = byWord.get(bare(text));
      if (value !== undefined) return value;
      if (open && /^[A-Z0-9_]+$/.test(text)) return text;
      throw new RangeError(`"${text}" is not known: expected one of ${Object.values(words).join(", ")}`);
    },
    write: (value) => words[written(value)] ?? written(value),
  };
}

export function trueOr(yes: string, no: string): SheetValue {
  const words = oneOf({ true: yes, false: no });
  return { use: "word", read: (text) => words.read(text) === "true", write: (value) => words.write(value) };
}

export const LIST: SheetValue = {
  read: (text) => text.split(/[,;]/).map((part) => part.trim()).filter((part) => part !== ""),
  write: (value) => Array.isArray(value) ? value.map(written).join(", ") : "",
};
