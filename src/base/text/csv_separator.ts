const SEPARATORS = [",", ";", "\t", "|"];
const MAX_LINES = 40;

/**
 * Returns the separator that splits most lines into the same number of cells, and then the one that gives the most
 * cells. Ignores titles above the table and commas in free text or amounts.
 */
export function separatorOf(text: string): string {
  const lines = text.slice(0, 200_000).replace(/"[^"]*"/g, "").split(/\r\n|\r|\n/, MAX_LINES)
    .filter((line) => line.trim() !== "");
  const scores = SEPARATORS.map((separator) => {
    const counts = Map.groupBy(lines.map((line) => line.split(separator).length), (count) => count);
    counts.delete(1);
    const [[cells, alike] = [1, []]] = [...counts].sort(([a, x], [b, y]) => y.length - x.length || b - a);
    return { separator, lines: alike.length, cells };
  });
  const [best] = scores.sort((a, b) => b.lines - a.lines || b.cells - a.cells);
  return best === undefined || best.lines === 0 ? "," : best.separator;
}
