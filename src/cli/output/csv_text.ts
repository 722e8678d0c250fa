// @ts-types="@types/papaparse"
import Papa from "papaparse";

/** Text that a spreadsheet would run as a formula; plain numbers with a sign stay numbers. */
const FORMULA = /^(?:[=@\t\r]|[+-](?!\d+(?:\.\d+)?(?:e[+-]?\d+)?$))/i;

/** Lines of cells as CSV text (RFC 4180), the last line ended as well. */
export function csvText(
  lines: readonly (readonly string[])[],
  { escapeFormulas }: { escapeFormulas: boolean },
): string {
  if (lines.length === 0) return "";
  return Papa.unparse(lines as string[][], {
    newline: "\r\n",
    escapeFormulae: escapeFormulas ? FORMULA : false,
  }) + "\r\n";
}
