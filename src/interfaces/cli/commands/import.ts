import { basename } from "node:path";
import { Option } from "@commander-js/extra-typings";
import type { ImportedFile, ImportResult } from "../../../account/imports/import_files.ts";
import type { FileProduct } from "../../../account/tables/console_headers.ts";
import { visibleText } from "../../../base/text/visible_text.ts";
import { command } from "../shell/command.ts";
import type { CliContext } from "../shell/context/context.ts";
import { EXIT, refusingBadInput, UsageError } from "../shell/io/cli_error.ts";
import { storeOption, type StoreOptions } from "../shell/options/store_option.ts";
import { openStore } from "../shell/connect/open_store.ts";
import { printJson, wantsData } from "../shell/output/print_rows.ts";
import { writeText } from "../shell/output/write_text.ts";
import { nextCommand } from "../shell/context/shell_words.ts";
import { readingHints, withReadingOptions } from "../shell/options/reading_options.ts";
import { readSheetFile } from "./account/sheet_files.ts";
import { marketOption } from "../shell/options/market_options.ts";

const MAX_NAMED = 3;

export const importCommand = command(
  (kit) =>
    withReadingOptions(kit.leaf("import", {
      summary: "Import downloaded reports and bulk sheets, without API access",
      details:
        "Reads the console's search term, targeting, campaign, placement and advertised product reports and bulk " +
        "sheets, as CSV or XLSX, in every language with known headers. Detects and prints separators, decimals, " +
        "dates and rate formats of each file. Reports have no ids: names are matched with a bulk sheet, or stored " +
        "as names. A newer file replaces the same days; a summary that overlaps other days is refused. If any " +
        "file has a problem, nothing is stored. Then use figures and query, and plan bids, harvest and negatives " +
        "with --from-files.",
      examples: [
        [
          "adsctl import terms.csv targeting.xlsx bulk.xlsx -m US",
          "import two reports, with a bulk sheet for ids",
        ],
        ['adsctl import terms.csv -m DE --map "Bestellungen=purchases7d"', "map an unknown header"],
      ],
      library: 'await importFiles(store, [{ name: "terms.csv", bytes }], { countryCode: "US" })',
    }))
      .argument("<files...>", "downloaded .csv and .xlsx files")
      .addOption(marketOption())
      .option("--profile <id>", "profile id for the rows, if known (default: a short id)")
      .addOption(
        new Option("--product <product>", "ad product, if the headers fit several").choices([
          "sp",
          "sb",
          "sd",
        ]),
      )
      .option("--country <name>", "only rows of this country, as written in the file")
      .addOption(
        new Option("--rows-of <span>", "period of each row, if all days are the first of a month").choices(
          ["day", "month"] as const,
        ),
      )
      .addOption(storeOption()),
  async (paths, options, context) => {
    const named = options.market ?? context.io.env["PLATFORM_ADS_MARKET"];
    if (named !== undefined && /^\d+$/.test(named)) {
      throw new UsageError(
        "Cannot import with a profile id as -m: give the country with -m, and the id with --profile",
      );
    }
    const files = await Promise.all(
      paths.map(async (path) => ({ name: nameOf(path, paths), bytes: (await readSheetFile(path)).bytes })),
    );
    const { importFiles } = await import("../../../account/imports/import_files.ts");
    const { countryOfFiles } = await import("../../../account/imports/country_of_files.ts");
    const { profile, product, country, rowsOf } = options;
    const hints = await readingHints(options, context);
    const countryCode = named ?? await refusingBadInput(() => countryOfFiles(files, hints));
    const store = await openStore({ ...options, create: true }, context);
    const result = await refusingBadInput(() =>
      importFiles(store, files, {
        countryCode,
        profileId: profile,
        ...hints,
        product: product?.toUpperCase() as FileProduct | undefined,
        country,
        rowsOf,
      })
    );
    if (wantsData(context)) await printJson({ ...dataOf(result), store: store.location }, context);
    else await writeText(linesOf(result).map((line) => `${visibleText(line)}\n`).join(""), context);
    if (context.globals.quiet) return EXIT.done;
    for (const notice of result.notices) await context.io.stderr.write(`${visibleText(notice)}\n`);
    await context.io.stderr.write(
      `Stored in ${visibleText(store.location)} as profile ${result.profileId} (${result.countryCode})\n`,
    );
    const pathOf = (name: string): string => paths.find((path) => nameOf(path, paths) === name) ?? name;
    for (const line of nextLines(result, { ...options, pathOf }, context)) {
      await context.io.stderr.write(`${line}\n`);
    }
    return EXIT.done;
  },
);

function nameOf(path: string, all: readonly string[]): string {
  const name = basename(path);
  return all.filter((one) => basename(one) === name).length === 1 ? name : path;
}

function linesOf(result: ImportResult): string[] {
  const { names, rejoined, entities } = result;
  const lines = result.files.flatMap((file) => [headLine(file), `  ${file.form}`]);
  const kinds = Object.entries(entities).map(([kind, count]) => `${count} ${kind}`);
  if (kinds.length > 0) lines.push(`Account: ${kinds.join(", ")}`);
  if (names.joined + names.named > 0) {
    lines.push(
      `Names: ${names.joined} rows have the ids of a bulk sheet, ${names.named} keep their names`,
    );
  }
  if (names.missing.length > 0) lines.push(`  not in the bulk sheet: ${listed(names.missing)}`);
  if (names.several.length > 0) lines.push(`  ambiguous campaign names: ${listed(names.several)}`);
  if (rejoined > 0) lines.push(`Names: ${rejoined} rows of earlier files now have ids`);
  return lines;
}

function headLine({ file, tab, report, language, days, isSum, count }: ImportedFile): string {
  const when = days === undefined
    ? `${count} entities`
    : `${count} rows, ${isSum ? "one sum of" : "daily,"} ${days.start} to ${days.end}`;
  return `${file}${tab === "" ? "" : ` (${tab})`}: ${report}, ${language}, ${when}`;
}

function listed(names: readonly string[]): string {
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : "";
  return names.slice(0, MAX_NAMED).map((name) => `"${name}"`).join(", ") + more;
}

function nextLines(
  { files, entities, countryCode }: ImportResult,
  { store, pathOf }: StoreOptions & { readonly pathOf: (name: string) => string },
  { globals }: CliContext,
): string[] {
  const place = store === undefined ? [] : ["--store", store];
  const reports = files.filter(({ days }) => days !== undefined);
  const [last] = reports.toSorted((a, b) => b.days!.end.localeCompare(a.days!.end));
  const lines: string[] = [];
  if (last?.days !== undefined) {
    const by = last.report.includes("search_terms")
      ? "search_term"
      : last.report.includes("targeting")
      ? "keyword"
      : "campaign";
    lines.push(
      nextCommand(
        ["figures", "--by", by, "--start", last.days.start, "--end", last.days.end, ...place],
        globals,
      ),
    );
  }
  const sum = reports.find(({ report, isSum }) => isSum && report === "sp_search_terms")?.days;
  const whole = sum === undefined
    ? []
    : ["--lag", "0", "--days", String((Date.parse(sum.end) - Date.parse(sum.start)) / 86_400_000 + 1)];
  if (reports.some(({ report }) => report === "sp_search_terms")) {
    if (Object.keys(entities).length > 0) {
      lines.push(
        nextCommand(["plan", "negatives", "-m", countryCode, "--from-files", ...whole, ...place], globals),
      );
    } else {lines.push(
        `${nextCommand(["import", "bulk.xlsx", "-m", countryCode, ...place], globals)} gives ids, for plans`,
      );}
  }
  if (reports.length === 0) {
    lines.push(
      `${
        nextCommand(["import", "terms.csv", "-m", countryCode, ...place], globals)
      } adds the figures of a report`,
    );
  }
  for (const { file, operations } of files) {
    if (operations === 0) continue;
    lines.push(
      `${nextCommand(["sheet", "plan", pathOf(file), "-m", countryCode], globals)} plans its ${operations} ${
        operations === 1 ? "row" : "rows"
      } with an operation`,
    );
  }
  return lines.length === 0 ? [] : ["Next:", ...lines.map((line) => `  ${line}`)];
}

function dataOf(result: ImportResult): Record<string, unknown> {
  const { profileId, countryCode, files, names, rejoined, entities, notices } = result;
  return {
    profile_id: profileId,
    country_code: countryCode,
    files: files.map(({ days, isSum, ...file }) => ({
      ...file,
      first_day: days?.start ?? null,
      last_day: days?.end ?? null,
      is_sum: isSum,
    })),
    names,
    rejoined,
    entities,
    notices,
  };
}
