import { withoutMarks } from "../../base/text/visible_text.ts";
import { isOwnerHead } from "./owner_columns.ts";
import type { SheetWords, WordMap } from "./words.ts";
import { wordKey } from "./words.ts";

export interface BulkHead {
  readonly at: ReadonlyMap<string, number>;
  readonly language: string;
  /** Headers whose translation was never verified with a file. */
  readonly unconfirmed: readonly string[];
  readonly unknown: readonly { readonly head: string; readonly at: number }[];
  readonly doubled: readonly {
    readonly key: string;
    readonly head: string;
    readonly at: readonly number[];
  }[];
}

/** Returns a header for comparison, case-insensitive because generations of bulk files differ in case. */
export function headKey(head: string): string {
  return withoutMarks(head).trim().toLowerCase().replace(/\s+/g, " ");
}

const OWN: ReadonlySet<string> = new Set(["status", "reason"]);

export function bulkHead(
  cells: readonly string[],
  { words, map }: { readonly words: SheetWords; readonly map: WordMap },
): BulkHead | undefined {
  const given = mapByKey(map);
  const places = new Map<string, number[]>();
  const languages = new Map<string, number>();
  const unconfirmed: string[] = [];
  const unknown: BulkHead["unknown"][number][] = [];
  for (const [at, cell] of cells.entries()) {
    if (cell.trim() === "") continue;
    const mapped = given.get(wordKey(cell));
    if (mapped === "-") continue;
    const { text, suffix } = words.bare(mapped ?? cell);
    const known = words.find("header", `${text}${suffix}`) ?? words.find("header", text);
    if (known === undefined && suffix === "" && !OWN.has(headKey(text)) && !isOwnerHead(headKey(text))) {
      unknown.push({ head: cell.trim(), at });
    }
    if (known?.isUnconfirmed && mapped === undefined) unconfirmed.push(cell.trim());
    if (known !== undefined) languages.set(known.language, (languages.get(known.language) ?? 0) + 1);
    const own = known === undefined
      ? `${text}${suffix}`
      : words.bare(known.english).suffix === ""
      ? `${known.english}${suffix}`
      : known.english;
    const key = headKey(own);
    places.set(key, [...places.get(key) ?? [], at]);
  }
  if (!places.has("entity") || !places.has("operation")) return undefined;
  const [[language] = ["en"]] = [...languages].sort(([, a], [, b]) => b - a);
  const at = new Map([...places].map(([key, [first = 0]]) => [key, first]));
  // The two generations differ in whether the product of an ad is for information.
  for (const name of ["sku", "asin"]) {
    const informational = at.get(`${name} (informational only)`);
    if (!at.has(name) && informational !== undefined) at.set(name, informational);
  }
  const doubled = [...places].filter(([, own]) => own.length > 1)
    .map(([key, own]) => ({ key, head: cells[own[0] ?? 0]?.trim() ?? "", at: own }));
  return { at, language, unconfirmed, unknown, doubled };
}

export function mapByKey(map: WordMap): ReadonlyMap<string, string> {
  return new Map(Object.entries(map).map(([own, meaning]) => [wordKey(own), meaning]));
}
