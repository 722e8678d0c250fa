import type { ConsoleHeadersData } from "../../../catalog/console_headers_data.js";
import type { ReportPresetName } from "../../client/reports/requests/presets.ts";
import { loadedOnce } from "../../base/json/kept_or.ts";
import { CURRENCY_MARK } from "./currency_marks.ts";
import { SheetWords, wordKey } from "./words.ts";

/** Ad product of a file. */
export type FileProduct = "SP" | "SB" | "SD" | "all";

export interface KnownHeader {
  readonly header: string;
  readonly meaning: string;
  readonly english: string | undefined;
}

export interface HeaderList {
  readonly report: string;
  readonly product: FileProduct;
  /** ISO 639-1 code. */
  readonly language: string;
  readonly isUnchecked: boolean;
  readonly columns: ReadonlyMap<string, KnownHeader>;
}

const CURRENCY_BRACKET = new RegExp(`[(（]\\s*${CURRENCY_MARK}\\s*[)）]`, "giu");

export function currencyBracket(header: string): string | undefined {
  return header.normalize("NFKC").match(CURRENCY_BRACKET)?.[0];
}

/** Returns a header for comparison; ignores case, extra spaces, and the currency in brackets. */
export function importKey(header: string): string {
  return wordKey(header.normalize("NFKC").replace(CURRENCY_BRACKET, " "));
}

export interface FileKnowledge {
  readonly lists: readonly HeaderList[];
  readonly words: SheetWords;
}

export const fileKnowledge: () => Promise<FileKnowledge> = loadedOnce(load);

async function load(): Promise<FileKnowledge> {
  const { default: data } = await import("../../../catalog/console_headers_data.js");
  const lists = listsOf(data);
  const words = new SheetWords(data.words);
  for (const list of lists.filter(isBulk)) {
    for (const { header, english } of list.columns.values()) {
      const { language, isUnchecked: isUnconfirmed } = list;
      words.add("header", header, { english: english ?? header, language, isUnconfirmed });
    }
  }
  return { lists: [...lists, ...aliasLists(lists, data.words["report header"] ?? {})], words };
}

function aliasLists(
  lists: readonly HeaderList[],
  byEnglish: Readonly<Record<string, readonly string[]>>,
): HeaderList[] {
  const english = lists.filter(({ language, product, report }) =>
    language === "en" && product === "SP" && !isBulk({ report }) &&
    whyNotRead({ report, product }) === undefined
  );
  const byLanguage = new Map<string, Map<string, KnownHeader>>();
  for (const [name, list] of Object.entries(byEnglish)) {
    const known = english.flatMap(({ columns }) => columns.get(importKey(name)) ?? [])[0];
    if (known === undefined) continue;
    for (const packed of list) {
      const [language = "", , ...rest] = packed.split("|");
      const header = rest.join("|");
      const columns = byLanguage.get(language) ?? new Map<string, KnownHeader>();
      byLanguage.set(language, columns.set(importKey(header), { ...known, header, english: name }));
    }
  }
  return [...byLanguage].map(([language, columns]) => ({
    report: "further headers",
    product: "SP" as const,
    language: language.slice(0, 2),
    isUnchecked: true,
    columns,
  }));
}

function listsOf(data: ConsoleHeadersData): readonly HeaderList[] {
  return Object.entries(data.lists).map(([name, packed]) => {
    const [report = "", product, language = "", certainty] = name.split("|");
    const columns = packed.split(" ").map((column): [string, KnownHeader] => {
      const [header, meaning, english] = column.split(".").map(Number);
      const text = data.headers[header ?? 0] ?? "";
      return [importKey(text), {
        header: text,
        meaning: data.meanings[meaning ?? 0] ?? "-",
        english: english === undefined ? undefined : data.headers[english],
      }];
    });
    return {
      report,
      product: product as FileProduct,
      language,
      isUnchecked: certainty === "inferred",
      // A header that is there twice keeps its first meaning.
      columns: new Map(columns.reverse()),
    };
  });
}

const NOT_READ: readonly (readonly [name: RegExp, reason: string])[] = [
  [
    /^campaign manager/,
    "it is a campaign manager table without dates. Download the report of the same name with daily rows",
  ],
  [/^bulk file 1/, "it is a bulk file of the first generation, which the platform no longer reads"],
  [/^bulk file: sheet Portfolios/, ""],
  [
    /^bulk file: sheet S[PB] (?:Search|Bericht)/,
    "its rows have no dates. Download the search term report instead",
  ],
  [/impression share/, "impression shares are not stored"],
  [/^budget/, "it has no daily figures. Download the campaign report instead"],
  [/invalid traffic/, "invalid traffic is not stored"],
  [/^performance over time/, "its rows name no campaign. Download the campaign report instead"],
  [/^audience|^video/, "this report is not stored"],
  [/^purchased product/, "purchased products are not imported from files"],
  [
    /^(?:keyword|campaign) placement/,
    "its rows with and without a placement count clicks twice. Download the keyword or campaign report instead",
  ],
  [
    /^matched target/,
    "its rows name targets that the account does not hold. Download the targeting report instead",
  ],
];

export function whyNotRead({ report, product }: Pick<HeaderList, "report" | "product">): string | undefined {
  if (product === "SB" && report.startsWith("attributed")) return undefined;
  return NOT_READ.find(([name]) => name.test(report))?.[1];
}

export function isBulk({ report }: Pick<HeaderList, "report">): boolean {
  return /^bulk file:/.test(report);
}

export function presetOf(product: FileProduct, meanings: ReadonlySet<string>): ReportPresetName | undefined {
  const has = (...names: string[]): boolean => names.some((name) => meanings.has(name));
  if (product === "SP") {
    if (has("searchTerm")) return "sp_search_terms";
    if (has("advertisedSku", "advertisedAsin")) return "sp_advertised_products";
    if (has("placementClassification")) return "sp_placement";
    return has("targeting") ? "sp_targeting" : has("campaignName") ? "sp_campaigns" : undefined;
  }
  if (product === "SB") {
    if (has("searchTerm")) return "sb_search_terms";
    if (has("purchasedAsin")) return "sb_purchased_products";
    return has(BRANDS_TARGETING) ? "sb_targeting" : has("campaignName") ? "sb_campaigns" : undefined;
  }
  if (has("promotedAsin", "promotedSku")) return "sd_advertised_products";
  return has("targetingText") ? "sd_targeting" : has("campaignName") ? "sd_campaigns" : undefined;
}

export const BRANDS_TARGETING = "keywordText / targetingText";

const LEAST_HEADERS = 3;

export function reportScore(
  cells: readonly string[],
  lists: readonly HeaderList[],
  given: ReadonlyMap<string, string> = new Map(),
): number {
  const keys = cells.map(importKey).filter((key) => key !== "");
  const mapped = keys.filter((key) => given.has(key)).length;
  const hits = Math.max(
    0,
    ...lists.map(({ columns }) => keys.filter((key) => columns.has(key) && !given.has(key)).length),
  ) + mapped;
  return hits >= LEAST_HEADERS && hits * 3 >= keys.length ? hits : 0;
}

export function bestReport(cells: readonly string[], lists: readonly HeaderList[]): string | undefined {
  if (reportScore(cells, lists) === 0) return undefined;
  const keys = cells.map(importKey);
  const hits = ({ columns }: HeaderList): number => keys.filter((key) => columns.has(key)).length;
  return lists.toSorted((a, b) => hits(b) - hits(a))[0]?.report;
}
