// @ts-check

/**
 * Rows as the text of a CSV file. A text that a spreadsheet would take for a formula begins with an apostrophe.
 *
 * @param {string[]} columns
 * @param {unknown[][]} rows
 */
export function csvText(columns, rows) {
  const cell = (/** @type {unknown} */ value) => {
    if (value === null || value === undefined) return "";
    if (typeof value === "number") return String(value);
    const text = typeof value === "object" ? JSON.stringify(value) : String(value);
    const safe = /^[=+@\t\r-]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
    return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return [columns, ...rows].map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n";
}
