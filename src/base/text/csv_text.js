// @ts-check
// JavaScript, because browsers run this file unchanged as part of the console's pages.

const GUARDED_START = /^'(?='*[=+@\t\r-])/;
const GUARDED = /^'(?='*[=+@\t\r-])|(?<=[;,\t\r\n]"*)'(?='*[=+@-])/g;
/** The end of a number may be that of a JSON text. */
const NUMBER = '[+-]\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?[\\]}"]*';
const FORMULA = new RegExp(
  `^(?='*[=+@\\t\\r-])(?!${NUMBER}$)|(?<=[;,\\t\\r\\n]"*)(?='*[=+@-])(?!${NUMBER}(?:[;,\\t\\r\\n]|$))`,
  "gi",
);

/**
 * Puts an apostrophe before everything that a spreadsheet would take for a formula, also where it may split the line
 * at another separator than the comma. {@linkcode unguarded} restores the text.
 *
 * @param {string} text
 * @returns {string}
 */
export function guarded(text) {
  return text.replace(FORMULA, "'");
}

/**
 * Takes away the apostrophes of {@linkcode guarded}. Within a cell, where people write apostrophes too, only if most of
 * those that would be put there are: people add a part to a cell that was written here.
 *
 * @param {string} text
 * @returns {string}
 */
export function unguarded(text) {
  if (!text.includes("'")) return text;
  const plain = text.replace(GUARDED, "");
  if (guarded(plain) === text) return plain;
  const all = plain.match(FORMULA)?.length ?? 0;
  const missing = [...text.matchAll(FORMULA)].filter(({ index }) => text[index] !== "'").length;
  return missing < all - missing ? plain : text.replace(GUARDED_START, "");
}

/**
 * CSV as in RFC 4180, without formulas unless `isRaw`. Numbers are never formulas, and objects are written as JSON.
 *
 * @param {readonly (readonly unknown[])[]} lines
 * @param {{ readonly isRaw?: boolean }} [options]
 * @returns {string}
 */
export function csvText(lines, { isRaw = false } = {}) {
  const cell = (/** @type {unknown} */ value) => {
    if (value === null || value === undefined) return "";
    if (typeof value === "number") return String(value);
    const text = typeof value === "object" ? JSON.stringify(value) : String(value);
    const safe = isRaw ? text : guarded(text);
    return /[",;\t\n\r\uFEFF]|^ | $/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return lines.map((line) => line.map(cell).join(",") + "\r\n").join("");
}
