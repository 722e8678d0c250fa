import type { ReportPresetName } from "../../client/reports/requests/presets.ts";
import { CURRENCY_MARK } from "./currency_marks.ts";

/** Ad product of a file. */
export type FileProduct = "SP" | "SB" | "SD" | "all";

/** A header that a list knows. */
export interface KnownHeader {
  /** As the file has it. */
  readonly header: string;
  /** Column of the platform, for example `sales7d`; one that begins with `-` is not stored. */
  readonly meaning: string;
  /** The English header, in bulk sheets of other languages. */
  readonly english: string | undefined;
}

/** The header row of one kind of file in one language. */
export interface HeaderList {
  /** Name of the report with its variant. */
  readonly report: string;
  readonly product: FileProduct;
  /** ISO 639-1 code. */
  readonly language: string;
  /** True where the headers come from lists of aliases that were not checked against a file. */
  readonly isUnchecked: boolean;
  /** Headers by {@linkcode importKey}. */
  readonly columns: ReadonlyMap<string, KnownHeader>;
}

const CURRENCY_BRACKET = new RegExp(`[(（]\\s*${CURRENCY_MARK}\\s*[)）]`, "giu");

/** The bracket of a header with its currency; `undefined` where it has none. */
export function currencyBracket(header: string): string | undefined {
  return header.normalize("NFKC").match(CURRENCY_BRACKET)?.[0];
}

/** A header as it is compared: without case, outer and doubled spaces, and the bracket with the currency. */
export function importKey(header: string): string {
  return header.normalize("NFKC").replace(CURRENCY_BRACKET, " ").trim().toLowerCase().replace(/\s+/g, " ");
}

let loaded: Promise<readonly HeaderList[]> | undefined;

/** Every known header row. */
export function headerLists(): Promise<readonly HeaderList[]> {
  return loaded ??= readLists();
}

async function readLists(): Promise<readonly HeaderList[]> {
  const { default: data } = await import("../../../catalog/console_headers_data.js");
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

/** Kinds of files that are known and not read, with what to do instead. */
const NOT_READ: readonly (readonly [name: RegExp, reason: string])[] = [
  [
    /^campaign manager/,
    "it is a table of the campaign manager, whose rows have no days. Download the report of the same name with daily rows",
  ],
  [/^bulk file 1/, "it is a bulk file of the first generation, which the platform no longer reads"],
  [/^bulk file: sheet Portfolios/, ""],
  [
    /^bulk file: sheet S[PB] (?:Search|Bericht)/,
    "its rows have no days. Download the search term report instead",
  ],
  [/impression share/, "shares of impressions are not kept"],
  [/^budget/, "it holds no figures by day. Download the campaign report instead"],
  [/invalid traffic/, "traffic that was not charged is not kept"],
  [/^performance over time/, "its rows name no campaign. Download the campaign report instead"],
  [/^audience|^video/, "this report is not kept"],
  [/^purchased product/, "products that were bought are not kept from files"],
  [
    /^(?:keyword|campaign) placement/,
    "its rows with and without a placement count clicks twice. Download the keyword or campaign report instead",
  ],
  [
    /^matched target/,
    "its rows name targets that the account does not hold. Download the targeting report instead",
  ],
];

/** Why files of a kind are not read; `undefined` for those that are. */
export function whyNotRead({ report, product }: HeaderList): string | undefined {
  if (product === "SB" && report.startsWith("attributed")) return undefined;
  return NOT_READ.find(([name]) => name.test(report))?.[1];
}

/** True for the sheets of a bulk file. */
export function isBulk({ report }: HeaderList): boolean {
  return /^bulk file:/.test(report);
}

/** The stored report that columns belong to; `undefined` where they are of none. */
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

/** A column of Sponsored Brands that holds keywords and targets alike. */
export const BRANDS_TARGETING = "keywordText / targetingText";
