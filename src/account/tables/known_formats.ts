import { type HeaderList, importKey, isBulk, whyNotRead } from "./console_headers.ts";
import type { FoundTable } from "./open_tables.ts";
import type { SheetLine } from "./sheet_lines.ts";
import { wordKey } from "./words.ts";

const OTHERS: readonly (readonly [name: string, heads: RegExp, least: number, advice: string])[] = [
  [
    "a business report",
    /^(?:\((?:parent|child)\) asin|\((?:親|子)\)asin|sessions(?: - total)?|session percentage(?: - total)?|page views(?: - total)?|units ordered|ordered product sales|total order items|unit session percentage|featured offer \(buy box\) percentage|buy box percentage|注文商品の売上額|注文された商品点数)$/,
    2,
    "It has the sales of all orders, not only of ads, and cannot be imported. Download a report from the ads console",
  ],
  [
    "a bulk file of the first generation",
    /^record (?:id|type)$/,
    2,
    "The platform no longer reads it: download a new bulk sheet",
  ],
  [
    "a pivot table",
    /^(?:row labels|column labels|zeilenbeschriftungen|spaltenbeschriftungen|étiquettes de lignes|etichette di riga|etiquetas de fila|rótulos de linha|rijlabels|etykiety wierszy|radetiketter|行ラベル|行标签|(?:sum|count|average|summe|anzahl|somme|somma|suma) (?:of|von|de|di) .*|合計 ?\/.*|求和项:.*)$/,
    1,
    "Take the table that it was made from",
  ],
  [
    "a search query performance report",
    /^(?:search query(?: score| volume)?|search frequency rank|impressions: brand (?:count|share.*)|clicks: brand (?:count|share.*))$/,
    2,
    "It counts all searches, not only those with ads, and cannot be imported",
  ],
  [
    "a file of listings or inventory",
    /^(?:item-name|seller-sku|listing-id|open-date|fulfillment-channel|quantity|afn-.*|your-price|fnsku)$/,
    3,
    "It has no ads, and cannot be imported",
  ],
  [
    "a result of an upload",
    /^(?:error type|error code|original record number|error message)$/,
    2,
    "It names rows that the platform refused: correct them in the sheet that was uploaded",
  ],
];

export interface NamedFormat {
  readonly name: string;
  readonly advice: string;
}

export function formatOf(lines: readonly SheetLine[]): NamedFormat | undefined {
  for (const { cells } of lines) {
    const keys = cells.map(wordKey);
    const found = OTHERS.find(([, heads, least]) => keys.filter((key) => heads.test(key)).length >= least);
    if (found !== undefined) return { name: found[0], advice: found[3] };
  }
  return undefined;
}

const MAX_NAMED = 3;
const LEAST_HEADS = 3;
const MAX_HEADS = 6;

export function mapAdvice({ head, above }: FoundTable, known: string): string {
  const lines = head === undefined ? above : [head];
  if (formatOf(lines) !== undefined || separatorWithin(lines) !== undefined) return "";
  return lines.some((line) => filled(line).length >= LEAST_HEADS)
    ? `. If its headers are in an unknown language, add --map "their header=${known}" for each`
    : ". Give the file as it was downloaded from the platform";
}

export function seenIn({ tab, above, head }: FoundTable, lists: readonly HeaderList[]): string {
  const where = tab === "" ? "" : `tab "${tab}" `;
  const lines = head === undefined ? above : [head];
  const format = formatOf(lines);
  if (format !== undefined) {
    return `${where === "" ? "it is" : `${where}is`} ${format.name}. ${format.advice}`;
  }
  const sign = separatorWithin(lines);
  if (sign !== undefined) {
    return `${where}${
      where === "" ? "it " : ""
    }has each row in one cell. Split the cells at "${sign}", or give the file that they were pasted from`;
  }
  const widest = lines.toSorted((a, b) => filled(b).length - filled(a).length)[0];
  const heads = widest === undefined ? [] : filled(widest);
  const shown = heads.slice(0, MAX_HEADS).map((text) => `"${text.trim().slice(0, 40)}"`).join(", ");
  const near = nearest(heads, lists);
  return `${where}${where === "" ? "it begins" : "begins"} with ${shown === "" ? "nothing" : shown}` +
    (near.length === 0 ? "" : `. Nearest: ${near.join("; ")}`);
}

const LEAST_PARTS = 5;

function separatorWithin(lines: readonly SheetLine[]): string | undefined {
  if (lines.some((line) => filled(line).length > 1)) return undefined;
  return [";", ",", "\t", "|"].find((sign) =>
    lines.filter((line) => (filled(line)[0] ?? "").split(sign).length >= LEAST_PARTS).length > 1
  );
}

function filled({ cells }: SheetLine): string[] {
  return cells.filter((cell) => cell.trim() !== "");
}

function nearest(heads: readonly string[], lists: readonly HeaderList[]): string[] {
  const keys = new Set(heads.map(importKey));
  const byName = new Map<string, { hits: number; size: number }>();
  for (const list of lists) {
    const { product, report, columns } = list;
    const hits = [...columns.keys()].filter((key) => keys.has(key)).length;
    if (hits === 0 || report.includes("alias")) continue;
    const name = isBulk(list)
      ? "bulk sheet"
      : `${product === "all" ? "" : `${product} `}${report.replace(/ \(.*$/, "")} report${
        whyNotRead(list) === undefined ? "" : ", which is not read"
      }`;
    const before = byName.get(name);
    if (before === undefined || hits > before.hits) byName.set(name, { hits, size: columns.size });
  }
  return [...byName].sort(([, a], [, b]) => b.hits - a.hits || a.size - b.size).slice(0, MAX_NAMED)
    .map(([name, { hits, size }]) => `${name} (${hits} of its ${size} headers)`);
}
