import type { Row } from "./text_table.ts";

/** Most characters that the rows of one answer may have. */
const MAX_CHARACTERS = 100_000;
/** Most characters of one text, which may be the account's. */
const MAX_TEXT = 400;
/** Most characters of a list or an object. */
const MAX_VALUE = 2_000;

/** Rows that fit an answer. */
export interface FittingRows {
  /** As many of the rows as fit, the first at least. */
  readonly rows: readonly Row[];
  /** True when a value was too long and is cut. */
  readonly hasCutValues: boolean;
}

/** The first of the rows, as many as fit an answer; values that alone would fill it are cut and say so. */
export function fittingRows(rows: readonly Row[]): FittingRows {
  const fitting: Row[] = [];
  let left = MAX_CHARACTERS;
  let hasCutValues = false;
  for (const row of rows) {
    const short = Object.fromEntries(Object.entries(row).map(([name, value]) => [name, cut(value)]));
    left -= JSON.stringify(short).length;
    if (left < 0 && fitting.length > 0) break;
    hasCutValues ||= Object.keys(row).some((name) => short[name] !== row[name]);
    fitting.push(short);
  }
  return { rows: fitting, hasCutValues };
}

function cut(value: unknown): unknown {
  const text = typeof value === "string" ? value : JSON.stringify(value) ?? "";
  const most = typeof value === "string" ? MAX_TEXT : MAX_VALUE;
  return text.length <= most ? value : `${text.slice(0, most)}… (${text.length} characters)`;
}
