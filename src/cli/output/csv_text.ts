// @ts-types="@types/papaparse"
import Papa from "papaparse";

/** Lines of cells as CSV text (RFC 4180), the last line ended as well. */
export function csvText(
  lines: readonly (readonly string[])[],
  { escapeFormulas }: { escapeFormulas: boolean },
): string {
  if (lines.length === 0) return "";
  return Papa.unparse(lines as string[][], { newline: "\r\n", escapeFormulae: escapeFormulas }) + "\r\n";
}
