import { nearest } from "../../base/text/nearest.ts";
import type { ReportPresetName } from "../../client/reports/requests/presets.ts";
import {
  type FileProduct,
  type HeaderList,
  importKey,
  isBulk,
  type KnownHeader,
  presetOf,
  whyNotRead,
} from "../tables/console_headers.ts";

export interface RecognizedTable {
  readonly preset: ReportPresetName;
  readonly product: FileProduct;
  /** ISO 639-1 code of the headers. */
  readonly language: string;
  readonly list: string;
  /** True if some headers match only translations that were never verified with a file. */
  readonly isUnchecked: boolean;
  readonly at: ReadonlyMap<string, number>;
  readonly owners: ReadonlyMap<string, number>;
  readonly unknown: readonly { readonly header: string; readonly near: string | undefined }[];
}

interface UnreadTable {
  readonly problems: readonly { readonly header: string; readonly message: string }[];
}

/**
 * Meanings of headers: maps a header of the file to a known header, to a column of the platform, or to `-` to leave it
 * out.
 */
export type HeaderMap = Readonly<Record<string, string>>;

const NEEDED: Readonly<Partial<Record<ReportPresetName, readonly string[]>>> = {
  sp_search_terms: ["adGroupName", "searchTerm"],
  sp_targeting: ["adGroupName", "targeting", "matchType"],
  sp_advertised_products: ["adGroupName"],
  sb_purchased_products: ["purchasedAsin", "attributionType"],
};

/**
 * Recognizes the report or bulk sheet in a table. Never guesses: a table that fits two products, or lacks a required
 * column, is rejected.
 *
 * @param options.name File and tab name, which may contain the product.
 */
export function recognizeTable(
  head: readonly string[],
  { lists, map, product, name }: {
    readonly lists: readonly HeaderList[];
    readonly map: HeaderMap;
    readonly product: FileProduct | undefined;
    readonly name: string;
  },
): RecognizedTable | UnreadTable {
  const keys = head.map(importKey);
  const doubled = head.filter((_, at) => keys[at] !== "" && keys.indexOf(keys[at]!) !== at);
  if (doubled.length > 0) return unread(doubled, "the column is there twice: remove one");
  const wanted = new Map(Object.entries(map).map(([own, target]) => [importKey(own), target]));
  const fits = lists.filter((list) =>
    product === undefined || list.product === product || list.product === "all"
  )
    .map((list) => ({ list, hits: keys.filter((key) => list.columns.has(key)).length }))
    .filter(({ list, hits }) => hits > 0 && !isBulk(list))
    // Of lists that fit alike, one that is read, then the shorter one.
    .sort((a, b) =>
      b.hits - a.hits ||
      Number(whyNotRead(a.list) !== undefined) - Number(whyNotRead(b.list) !== undefined) ||
      a.list.columns.size - b.list.columns.size
    );
  const [best] = fits;
  if (best === undefined) {
    return unread(
      [""],
      "no known report has these headers. Is it a report of the console, with the headers in row 1?",
    );
  }
  const hint = product ?? productIn(name);
  const rival = fits.find(({ list, hits }) => list.product !== best.list.product && hits === best.hits);
  const chosen = rival !== undefined && hint !== undefined
    ? fits.find(({ list }) => list.product === hint) ?? best
    : best;
  if (rival !== undefined && hint === undefined) {
    return unread(
      [""],
      `its headers fit both ${best.list.product} and ${rival.list.product}: choose one with --product`,
    );
  }
  const reason = whyNotRead(chosen.list);
  if (reason !== undefined) return unread([""], reason);
  return columnsOf(head, { keys, wanted, chosen: chosen.list, lists });
}

const OWNERS: Readonly<Record<string, string>> = {
  campaignBudgetCurrencyCode: "currency",
  "- (marketplace country)": "country",
};

function columnsOf(
  head: readonly string[],
  { keys, wanted, chosen, lists }: {
    keys: readonly string[];
    wanted: ReadonlyMap<string, string>;
    chosen: HeaderList;
    lists: readonly HeaderList[];
  },
): RecognizedTable | UnreadTable {
  const own = lists.filter((list) =>
    list.product === chosen.product && !isBulk(list) && whyNotRead(list) === undefined
  );
  const rank = (list: HeaderList): number =>
    list === chosen ? 0 : list.language === chosen.language ? 1 : list.language === "en" ? 2 : 3;
  const sorted = own.toSorted((a, b) => rank(a) - rank(b));
  const find = (key: string): { known: KnownHeader; list: HeaderList } | undefined => {
    const list = sorted.find(({ columns }) => columns.has(key));
    return list && { known: list.columns.get(key)!, list };
  };
  const meanings = new Set(own.flatMap(({ columns }) => [...columns.values()].map(({ meaning }) => meaning)));
  const at = new Map<string, number>();
  const owners = new Map<string, number>();
  const unknown: { header: string; near: string | undefined }[] = [];
  const problems: { header: string; message: string }[] = [];
  let isUnchecked = false;
  for (const [index, key] of keys.entries()) {
    if (key === "") continue;
    const header = head[index]!;
    const mapped = wanted.get(key);
    const found = mapped === undefined ? find(key) : find(importKey(mapped));
    const meaning = mapped === "-"
      ? "-"
      : mapped !== undefined && meanings.has(mapped)
      ? mapped
      : found?.known.meaning;
    if (mapped !== "-") owners.set(OWNERS[meaning ?? ""] ?? key, index);
    if (meaning === undefined) {
      const names = sorted.flatMap(({ columns }) => [...columns.values()].map((one) => one.header.trim()));
      if (mapped === undefined) unknown.push({ header, near: nearest(header.trim(), names) });
      else {
        const near = nearest(mapped, [...names, ...meanings]);
        const advice = near === undefined ? "" : `. Did you mean "${near}"?`;
        problems.push({
          header,
          message: `--map names "${mapped}", which is neither a known header nor a column${advice}`,
        });
      }
      continue;
    }
    if (found?.list.isUnchecked && mapped === undefined) isUnchecked = true;
    if (meaning.startsWith("-") && !meaning.includes("country") && !meaning.includes("ad product")) continue;
    const other = at.get(meaning);
    if (other !== undefined) {
      problems.push({
        header,
        message: `it means the same as "${
          head[other]!.trim()
        }": leave one out with --map "${header.trim()}=-"`,
      });
    } else at.set(meaning, index);
  }
  const preset = presetOf(chosen.product, new Set(at.keys()));
  if (preset === undefined) problems.push({ header: "", message: "this report is not supported" });
  else problems.push(...lacking(preset, at, unknown));
  if (preset === undefined || problems.length > 0) return { problems };
  const { product, language, report: list } = chosen;
  return { preset, product, language, list, isUnchecked, at, owners, unknown };
}

function lacking(
  preset: ReportPresetName,
  at: ReadonlyMap<string, number>,
  unknown: RecognizedTable["unknown"],
): { header: string; message: string }[] {
  const any = (...names: string[]): string | undefined =>
    names.some((name) => at.has(name)) ? undefined : names.join(" or ");
  const isBought = preset === "sb_purchased_products";
  const missing = [
    any("date", "startDate"),
    at.has("date") || at.has("endDate") ? undefined : any("endDate"),
    any("campaignName"),
    ...(NEEDED[preset] ?? []).map((name) => any(name)),
    ...(isBought ? [] : [any("clicks"), any("cost")]),
    any(...(preset.startsWith("sp_") ? ["sales7d", "sales14d"] : ["sales"])),
    any(...(preset.startsWith("sp_") ? ["purchases7d", "purchases14d"] : ["purchases"])),
  ].filter((name) => name !== undefined);
  if (missing.length === 0) return [];
  const others = unknown.map(({ header, near }) =>
    `"${header.trim()}"${near === undefined ? "" : ` (nearest known: "${near.trim()}")`}`
  );
  const advice = others.length === 0
    ? "Download the report with all of its columns"
    : `Unknown headers: ${others.join(", ")}. If one of them is that column, add --map "header=${
      missing[0]!.split(" ")[0]
    }"`;
  return [{ header: "", message: `it lacks a column for ${missing.join(", ")}. ${advice}` }];
}

function productIn(name: string): FileProduct | undefined {
  const found = /sponsored[ _-]?(product|brand|display)/i.exec(name)?.[1]?.toLowerCase();
  return found === undefined ? undefined : ({ product: "SP", brand: "SB", display: "SD" } as const)[found];
}

function unread(headers: readonly string[], message: string): UnreadTable {
  return { problems: headers.map((header) => ({ header, message })) };
}
