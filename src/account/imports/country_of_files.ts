import { marketOf, MARKETPLACES } from "../../base/markets/markets.ts";
import { bulkHead } from "../tables/bulk_head.ts";
import { countryNamed } from "../tables/country_names.ts";
import { fileKnowledge, importKey, reportScore } from "../tables/console_headers.ts";
import { openTables, readTables, type SheetFile } from "../tables/open_tables.ts";
import type { WordMap } from "../tables/words.ts";
import { SheetFileError } from "../tables/sheet_lines.ts";
import { type ImportProblem, ImportProblemsError } from "./import_problem.ts";
import { type OpenedFile, openFile } from "./open_file.ts";

const CURRENCY = "campaignBudgetCurrencyCode";
const COUNTRY = "- (marketplace country)";

/**
 * @throws {ImportProblemsError} when a file is unreadable in every market.
 * @throws {RangeError} when the files show no market, or several.
 */
export async function countryOfFiles(
  files: readonly SheetFile[],
  hints: { readonly map?: WordMap | undefined; readonly encoding?: string | undefined },
): Promise<string> {
  const { lists, words } = await fileKnowledge();
  const { map = {} } = hints;
  const found = new Set<string>();
  const currencies = new Set<string>();
  for (const file of files) {
    try {
      const source = openTables(file, hints);
      readTables(source, {
        score: (cells) =>
          bulkHead(cells, { words, map }) === undefined ? reportScore(cells, lists) : Infinity,
        begin: ({ head }) => {
          if (head === undefined) return undefined;
          const places = head.cells.flatMap((cell, at) => {
            const key = importKey(map[cell.trim()] ?? cell);
            const meanings = lists.map(({ columns }) => columns.get(key)?.meaning);
            const isBudget = /^budget currency code$/.test(key);
            return isBudget || meanings.includes(CURRENCY)
              ? [{ at, set: currencies }]
              : meanings.includes(COUNTRY)
              ? [{ at, set: found }]
              : [];
          });
          return ({ cells }) => {
            for (const { at, set } of places) {
              const text = cells[at]?.trim() ?? "";
              if (text !== "" && set.size < MAX_KEPT) set.add(text);
            }
          };
        },
      });
    } catch (error) {
      // It is reported when the file is read as a whole.
      if (!(error instanceof SheetFileError)) throw error;
    }
  }
  const countries = new Set([...found].flatMap((name) => countryNamed(name) ?? []));
  const byCurrency = [...currencies].flatMap((currency) => {
    const having = MARKETPLACES.filter((one) => marketOf(one)?.currency === currency.toUpperCase());
    return [having];
  });
  const [only] = countries;
  if (only !== undefined && countries.size === 1) return only;
  const [markets] = byCurrency;
  if (countries.size === 0 && byCurrency.length === 1 && markets?.length === 1) return markets[0]!;
  const shown = countries.size > 1
    ? `: the files name ${[...countries].join(", ")}`
    : currencies.size > 0
    ? `: ${[...currencies].join(", ")} is the currency of ${byCurrency.flat().join(", ")}`
    : "";
  const problems: ImportProblem[] = [];
  const kinds: string[] = [];
  for (const file of files) {
    const opened = await openFile(file, { ...hints, countryCode: ANY_MARKET });
    problems.push(...opened.problems.filter(({ header }) => header === ""));
    kinds.push(...kindOf(opened).map((kind) => `${file.name} is ${kind}`));
    opened.close();
  }
  if (problems.length > 0) throw new ImportProblemsError(problems);
  const described = kinds.length === 0 ? "" : `: ${kinds.join(", ")}`;
  throw new RangeError(`Cannot find out the market of the files${shown}. Name it with -m${described}`);
}

/** Placeholder market for opening files of unknown origin; only problems with the whole file are used. */
const ANY_MARKET = "US";

function kindOf({ bulk, reports }: OpenedFile): string[] {
  if (bulk !== undefined) return ["a bulk sheet"];
  return reports.map(({ table }) => `a report (${table.preset})`).slice(0, 1);
}

const MAX_KEPT = 50;
