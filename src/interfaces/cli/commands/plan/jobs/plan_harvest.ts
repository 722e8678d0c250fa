import { existsSync } from "node:fs";
import { InvalidArgumentError } from "@commander-js/extra-typings";
import type { HarvestLine } from "../../../../../account/jobs/harvest_map.ts";
import type { HarvestSuggestion } from "../../../../../account/jobs/suggest_harvest_targets.ts";
import { visibleText } from "../../../../../base/text/visible_text.ts";
import { UsageError } from "../../../shell/errors/cli_error.ts";
import { writeSheetFile } from "../../account/sheet_files.ts";
import { command } from "../../../shell/command.ts";
import type { CliContext } from "../../../shell/context/context.ts";
import { positiveInteger } from "../../../shell/arguments/parse_values.ts";
import { readRecords } from "../../../shell/input/parse_records.ts";
import { fromFilesOption, money, moneyFor, type MoneyOption, share, withJobOptions } from "./job_options.ts";
const REQUIRED = ["source", "target"];
const COLUMNS = [...REQUIRED, "bid", "market", "comment"];

/** `adsctl plan harvest`. */
export const planHarvestCommand = command(
  (kit) =>
    withJobOptions(
      kit.leaf("harvest", {
        summary: "Plan exact keywords for search terms that sell, and negatives where they were found",
        details:
          "The map is CSV or JSON with the columns source and target, ids or names of ad groups, and bid and market (a " +
          "country code or profile id that the line is for) if you like. Each " +
          "term becomes an exact keyword of the target; the exact negative in the source is sent only once its keyword " +
          "stands. What is there already is left out. For ad groups that the map does not name, lines are suggested and " +
          "nothing is planned; without --map there are only suggestions.",
        examples: [
          [
            "adsctl plan harvest -m CA --min-orders 2 --map map.csv",
            "terms with two orders or more in 30 days",
          ],
          [
            "adsctl plan harvest -m CA --min-orders 3 --max-acos 30% --map map.csv --bid cpc",
            "good ones, at their CPC",
          ],
        ],
        library: 'await planHarvest(profile, { store, map: [{ source: "1", target: "2" }], minOrders: 2 })',
      })
        .option("--map <file>", "where the search terms of each ad group go; - for standard input")
        .option("--write-map <file>", "write the lines of --map and the suggested ones to a file, to check")
        .option("--min-orders <n>", "fewest orders (default: 2)", positiveInteger)
        .option("--max-acos <share>", "highest cost by sales: 30% or 0.3 (default: any)", share)
        .option("--days <n>", "days whose orders are counted (default: 30)", positiveInteger)
        .option(
          "--bid <amount>",
          "bid of new keywords, also as USD=0.70,CAD=0.90, or cpc (default: that of the ad group)",
          bidOrCpc,
        )
        .addOption(fromFilesOption()),
    ),
  async (options, context) => {
    const map = options.map === undefined ? [] : await readMap(options.map, context);
    const { planHarvest } = await import("../../../../../account/jobs/plan_harvest.ts");
    const { runJob } = await import("./run_job.ts");
    const { minOrders, maxAcos, days, bid, note } = options;
    if (options.writeMap !== undefined && existsSync(options.writeMap)) {
      throw new UsageError(`Cannot write "${options.writeMap}": the file is there already. Name another`);
    }
    return await runJob(options, context, {
      fileReports: ["sp_search_terms"],
      amounts: { "--bid": bid === "cpc" ? undefined : bid },
      run: (client, figures) =>
        planHarvest(client, {
          ...figures,
          map,
          minOrders,
          maxAcos,
          days,
          bid: bid === "cpc" ? bid : moneyFor(bid, client),
          note,
        }),
      after: async ({ suggestions }) => {
        if (options.writeMap === undefined) return [];
        const lines = suggestions.filter(({ targetAdGroupId }) => targetAdGroupId !== null);
        const { csvOf } = await import("../../../../../account/tables/csv_lines.ts");
        const text = csvOf(mapLines(map, lines), { newline: "\n" });
        await writeSheetFile(options.writeMap, new TextEncoder().encode(text));
        const open = suggestions.length - lines.length;
        return [
          `Wrote ${
            visibleText(options.writeMap)
          }: ${map.length} lines of the map, ${lines.length} suggested` +
          (open === 0 ? "" : `; ${open} ad groups have no target yet`),
        ];
      },
      lines: ({ suggestions }) => suggestionLines(suggestions),
      data: ({ suggestions }) => ({
        suggestions: suggestions.map((one) => ({
          source: one.sourceAdGroupId,
          source_name: one.sourceName,
          terms: one.terms,
          orders: one.orders,
          target: one.targetAdGroupId,
          target_name: one.targetName,
          shared_products: one.sharedProducts,
          shared_words: one.sharedWords,
        })),
      }),
    });
  },
);

async function readMap(file: string, { io }: CliContext): Promise<HarvestLine[]> {
  const { records, names } = await readRecords(file, io);
  const missing = REQUIRED.filter((name) => !names.includes(name));
  const other = names.filter((name) => !COLUMNS.includes(name));
  if (missing.length > 0 || other.length > 0) {
    throw new UsageError(
      `Cannot use the map ${file}: expected the columns source and target, and bid, market and comment if you like; found ` +
        names.join(", "),
    );
  }
  return Array.from(records, ({ values, where }) => {
    const bid = String(values["bid"] ?? "").trim();
    const market = String(values["market"] ?? "").trim();
    return {
      source: String(values["source"] ?? ""),
      target: String(values["target"] ?? ""),
      where,
      ...(bid === "" ? {} : { bid: Number(bid) }),
      ...(market === "" ? {} : { market }),
    };
  });
}

function suggestionLines(suggestions: readonly HarvestSuggestion[]): string[] {
  if (suggestions.length === 0) return [];
  const lines = suggestions.map((one) => {
    const why = one.targetAdGroupId === null
      ? "no ad group with exact keywords advertises its products or has a name like it"
      : `${visibleText(one.targetName ?? "")} has ${
        one.sharedProducts > 0
          ? `${one.sharedProducts} of its products`
          : "a name like it, and none of its products"
      }`;
    return `  ${one.sourceAdGroupId},${one.targetAdGroupId ?? ""},"${
      visibleText(one.sourceName).replaceAll('"', '""')
    } has ${one.terms} terms with ${one.orders} orders; ${why.replaceAll('"', '""')}"`;
  });
  return [
    "",
    `The map does not name ${suggestions.length} ad groups. Lines that might fit, to check and to add:`,
    "  source,target,comment",
    ...lines,
  ];
}

/** A map with suggested lines below those that it has. */
function mapLines(map: readonly HarvestLine[], suggestions: readonly HarvestSuggestion[]): string[][] {
  const lines = [
    COLUMNS,
    ...map.map(({ source, target, bid, market }) => [source, target, bid ?? "", market ?? "", ""]),
    ...suggestions.map((one) => [
      one.sourceAdGroupId,
      one.targetAdGroupId ?? "",
      "",
      "",
      `${one.sourceName} to ${one.targetName}: ${one.terms} terms with ${one.orders} orders`,
    ]),
  ];
  return lines.map((cells) => cells.map(String));
}

function bidOrCpc(text: string): MoneyOption | "cpc" {
  if (text.trim().toLowerCase() === "cpc") return "cpc";
  try {
    return money(text);
  } catch {
    throw new InvalidArgumentError("It is neither an amount above 0 nor cpc.");
  }
}
