import { openCsv } from "../tables/csv_lines.ts";
import { isBlank, SheetFileError, type SheetLine } from "../tables/sheet_lines.ts";

export interface MarginsFile {
  /** Profit margins by ASIN or SKU in upper case, as a fraction of sales. */
  readonly margins: ReadonlyMap<string, number>;
  readonly problems: readonly string[];
}

const [PRODUCTS, MARGIN] = [["asin", "sku"], "margin"] as const;

/** Parses a CSV with `asin`, `sku` or both, and `margin` as `35%` or `0.35`. */
export function parseMargins(text: string, source: string): MarginsFile {
  const margins = new Map<string, number>();
  const lineOf = new Map<string, number>();
  const problems: string[] = [];
  const at = (line: number, message: string): void => void problems.push(`${source}:${line}: ${message}`);
  try {
    const lines = [...openCsv(() => [text], { name: source }).lines()].filter((line) => !isBlank(line));
    const [head, ...rows] = lines;
    const names = head?.cells.map((cell) => cell.trim().toLowerCase()) ?? [];
    const [product, margin] = [PRODUCTS.filter((name) => names.includes(name)), names.indexOf(MARGIN)];
    if (product.length === 0 || margin === -1) {
      at(head?.number ?? 1, "Expected a header with the columns asin or sku, and margin");
      return { margins, problems };
    }
    const cellOf = ({ cells }: SheetLine, column: number): string => cells[column]?.trim() ?? "";
    for (const row of rows) {
      const products = product.map((name) => cellOf(row, names.indexOf(name)).toUpperCase())
        .filter((name) => name !== "");
      const share = shareOf(cellOf(row, margin));
      if (products.length === 0) at(row.number, `The row has no ${product.join(" and no ")}`);
      if (share === undefined) {
        at(
          row.number,
          `margin is "${cellOf(row, margin)}": expected a percentage above 0% such as 35%, 100% at most`,
        );
      }
      for (const name of products) {
        const first = lineOf.get(name);
        if (first !== undefined) at(row.number, `${name} is in line ${first} already`);
        else lineOf.set(name, row.number);
        if (share !== undefined) margins.set(name, share);
      }
    }
    if (rows.length === 0) at(head?.number ?? 1, "The file names no product");
  } catch (error) {
    if (!(error instanceof SheetFileError)) throw error;
    problems.push(`${source}: ${error.message}`);
  }
  return { margins, problems };
}

function shareOf(text: string): number | undefined {
  const [, digits, percent] = /^(\d+(?:\.\d+)?)\s*(%?)$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const share = Number((Number(digits) / (percent === "%" ? 100 : 1)).toFixed(6));
  return share > 0 && share <= 1 ? share : undefined;
}
