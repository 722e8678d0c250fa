import { basename } from "node:path";
import type { Command } from "@commander-js/extra-typings";
import type { ImportResult } from "../../../account/imports/import_files.ts";
import { visibleText } from "../../../base/text/visible_text.ts";
import { importReports } from "../../../operations/reads/import_files.ts";
import { command } from "../shell/command.ts";
import type { CliContext } from "../shell/context/context.ts";
import { EXIT, refusingBadInput, UsageError } from "../shell/io/cli_error.ts";
import { addFields } from "../shell/options/field_options.ts";
import { operationDoc, operationInput } from "../shell/options/operation_input.ts";
import { storeOption, type StoreOptions } from "../shell/options/store_option.ts";
import { openStore } from "../shell/connect/open_store.ts";
import { printJson, wantsData } from "../shell/output/print_rows.ts";
import { writeText } from "../shell/output/write_text.ts";
import { nextCommand } from "../shell/context/shell_words.ts";
import { mapOf, type MapOptions, SAVE_MAP } from "../shell/options/reading_options.ts";
import { readSheetFile } from "./account/sheet_files.ts";
import { marketOption } from "../shell/options/market_options.ts";

type ImportOptions = Pick<StoreOptions, keyof StoreOptions> & MapOptions & { readonly market?: string };

const DOC = operationDoc(importReports);

export const importCommand = command(
  (kit) =>
    // The types of commander cannot know arguments that are declared elsewhere.
    addFields(
      kit.leaf("import", {
        ...DOC,
        examples: [
          ...DOC.examples,
          ['adsctl import terms.csv -m DE --map "Bestellungen=purchases7d"', "map an unknown header"],
        ],
      }).addOption(marketOption()),
      importReports.input,
    )
      .option(...SAVE_MAP)
      .addOption(storeOption()) as unknown as Command<[paths: string[]], ImportOptions>,
  async (paths, options, context) => {
    const market = options.market ?? context.io.env["PLATFORM_ADS_MARKET"];
    if (market !== undefined && /^\d+$/.test(market)) {
      throw new UsageError(
        "Cannot import with a profile id as -m: give the country with -m, and the id with --profile",
      );
    }
    const files = await Promise.all(
      paths.map(async (path) => ({ name: nameOf(path, paths), bytes: (await readSheetFile(path)).bytes })),
    );
    const input = await operationInput(importReports, options, { files, map: await mapOf(options, context) });
    let location = "";
    const store = async () => {
      const opened = await openStore({ ...options, create: true }, context);
      location = opened.location;
      return opened;
    };
    const result = await refusingBadInput(() => importReports.run({ market, store }, input));
    if (wantsData(context)) {
      await printJson({ ...importReports.data?.(result), store: location }, context);
    } else {
      const lines = importReports.lines?.(result) ?? [];
      await writeText(lines.map((line) => `${visibleText(line)}\n`).join(""), context);
    }
    if (context.globals.quiet) return EXIT.done;
    for (const notice of result.notices) await context.io.stderr.write(`${visibleText(notice)}\n`);
    await context.io.stderr.write(
      `Stored in ${visibleText(location)} as profile ${result.profileId} (${result.countryCode})\n`,
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
