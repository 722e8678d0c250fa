// @ts-check

/**
 * Rows as the text of a CSV file. What a spreadsheet would take for a formula begins with an apostrophe, also after a sign
 * at which it may part the line instead of the comma.
 *
 * @param {string[]} columns
 * @param {unknown[][]} rows
 */
export function csvText(columns, rows) {
  const cell = (/** @type {unknown} */ value) => {
    if (value === null || value === undefined) return "";
    if (typeof value === "number") return String(value);
    const text = typeof value === "object" ? JSON.stringify(value) : String(value);
    const whole = /^[=+@\t\r-]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
    // Negative numbers of a JSON text stay as they are.
    const safe = whole.replace(/(?<=[;,\t\r\n])[=+@-][^;,\t\r\n]*/g, (part) => Number.isNaN(Number(part.replace(/[\]}"]+$/, ""))) ? `'${part}` : part);
    return /[",;\t\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return [columns, ...rows].map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n";
}
