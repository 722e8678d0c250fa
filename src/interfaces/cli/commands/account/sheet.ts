import { extname } from "node:path";
import type { Command } from "@commander-js/extra-typings";
import { sheetOutcome } from "../../../../operations/reads/sheet_outcome.ts";
import { command, group } from "../../shell/command.ts";
import { EXIT } from "../../shell/io/cli_error.ts";
import { findPlan } from "../../shell/find_plan.ts";
import { addFields } from "../../shell/options/field_options.ts";
import { operationDoc, operationInput } from "../../shell/options/operation_input.ts";
import { printJson, wantsData } from "../../shell/output/print_rows.ts";
import { mapOf, type MapOptions, SAVE_MAP } from "../../shell/options/reading_options.ts";
import { ensureFree, readSheetFile, writeSheetFile } from "./sheet_files.ts";
import { sheetPlanCommand } from "./sheet_plan.ts";
import { sheetPullCommand } from "./sheet_pull.ts";

const RESULT = operationDoc(sheetOutcome, { withMarket: false });

const sheetResultCommand = command(
  (kit) =>
    // The types of commander cannot know arguments that are declared elsewhere.
    (addFields(
      kit.leaf("result", {
        ...RESULT,
        examples: [
          ...RESULT.examples,
          ["adsctl sheet result bulk.csv plan.json --out done.csv", "choose another name"],
        ],
      }),
      sheetOutcome.input,
    ).option(...SAVE_MAP) as unknown as Command<[file: string, plan: string], MapOptions>)
      .option("--out <file>", "file to write (default: <file>-result next to the sheet)")
      .option("--force", "replace an existing file"),
  async (path, name, options, context) => {
    const extension = extname(path);
    const out = options.out ?? `${path.slice(0, path.length - extension.length)}-result${extension}`;
    ensureFree(out, options);
    const { plan, store } = await findPlan(name, context);
    const applied = await store.applied(plan.id);
    const map = await mapOf(options, context);
    const args = { file: await readSheetFile(path), plan_id: plan.id, map };
    const input = await operationInput(sheetOutcome, options, args);
    const { bytes, rows } = await sheetOutcome.run({ plan, verdicts: applied?.changes }, input);
    await writeSheetFile(out, bytes);
    if (wantsData(context)) await printJson({ file: out, plan_id: plan.id, rows }, context);
    else if (!context.globals.quiet) {
      const counts = [...Map.groupBy(rows, ({ status }) => status)].map(([status, group]) =>
        `${group.length} ${status}`
      );
      await context.io.stderr.write(`Wrote ${out}. ${counts.join(", ")}\n`);
    }
    return EXIT.done;
  },
);

export const sheetCommand = group(
  "sheet",
  {
    summary: "Edit the account in a spreadsheet, in the platform's bulk format",
    details:
      "Pull a sheet, edit it, set the column Operation to create, update or archive, and plan it. Nothing is " +
      "sent until you apply the plan. You then get the same file with Status and Reason in every row.",
    examples: [
      ["adsctl sheet pull -m CA bulk.xlsx", "save the account as a sheet"],
      ["adsctl sheet plan bulk.xlsx -m CA --out plan.json", "plan the changes in its rows"],
      ["adsctl sheet result bulk.xlsx plan.json", "add the outcome of each row"],
    ],
    library: 'const { plan } = await planSheet(profile, { bytes, name: "bulk.xlsx" })',
  },
  [
    sheetPullCommand,
    sheetPlanCommand,
    sheetResultCommand,
  ],
);
