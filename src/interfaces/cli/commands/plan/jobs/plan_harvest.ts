import { existsSync } from "node:fs";
import { Option } from "@commander-js/extra-typings";
import type { HarvestLine } from "../../../../../account/jobs/harvest_map.ts";
import type { HarvestSuggestion } from "../../../../../account/jobs/suggest_harvest_targets.ts";
import { visibleText } from "../../../../../base/text/visible_text.ts";
import { planHarvest, suggestionText } from "../../../../../operations/jobs/plan_harvest.ts";
import { UsageError } from "../../../shell/io/cli_error.ts";
import { writeSheetFile } from "../../account/sheet_files.ts";
import { jobCommand } from "./job_command.ts";

const COLUMNS = Object.keys(planHarvest.input.map.columns);

export const planHarvestCommand = jobCommand(planHarvest, {
  options: [
    new Option("--write-map <file>", "write the lines of --map and the suggested ones to a file, to check"),
  ],
  examples: [["adsctl plan harvest -m CA --map map.csv", "plan with a map"]],
  check: ({ writeMap }) => {
    if (writeMap !== undefined && existsSync(writeMap)) {
      throw new UsageError(`Cannot write "${writeMap}": the file already exists. Choose another`);
    }
  },
  after: async ({ suggestions }, { options: { writeMap }, input: { map = [] } }) => {
    if (writeMap === undefined) return [];
    const lines = suggestions.filter(({ targetAdGroupId }) => targetAdGroupId !== null);
    const { csvOf } = await import("../../../../../account/tables/csv_lines.ts");
    const text = csvOf(mapLines(map, lines), { newline: "\n" });
    await writeSheetFile(writeMap, new TextEncoder().encode(text));
    const open = suggestions.length - lines.length;
    return [
      `Wrote ${visibleText(writeMap)}: ${map.length} lines of the map, ${lines.length} suggested` +
      (open === 0 ? "" : `; ${open} ad groups have no target yet`),
    ];
  },
});

function mapLines(map: readonly HarvestLine[], suggestions: readonly HarvestSuggestion[]): string[][] {
  const lines = [
    COLUMNS,
    ...map.map(({ source, target, bid, market }) => [source, target, bid ?? "", market ?? "", ""]),
    ...suggestions.map((one) => [
      one.sourceAdGroupId,
      one.targetAdGroupId ?? "",
      "",
      "",
      suggestionText(one),
    ]),
  ];
  return lines.map((cells) => cells.map(String));
}
