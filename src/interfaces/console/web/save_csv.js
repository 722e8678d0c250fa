// @ts-check
/// <reference lib="dom" />
/** Saves rows as a file of the person. */
import { csvText } from "./csv.js";

/**
 * @param {string} name of the file, without its ending
 * @param {string[]} columns
 * @param {unknown[][]} rows
 */
export function saveCsv(name, columns, rows) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([csvText(columns, rows)], { type: "text/csv" }));
  link.download = `${name.replace(/[^\w-]+/g, "_")}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
