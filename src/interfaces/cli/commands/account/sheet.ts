import { extname } from "node:path";
import { command, group } from "../../shell/command.ts";
import { EXIT } from "../../shell/io/cli_error.ts";
import { findPlan } from "../../shell/find_plan.ts";
import { printJson, wantsData } from "../../shell/output/print_rows.ts";
import { readingHints, withReadingOptions } from "../../shell/options/reading_options.ts";
import { ensureFree, readSheetFile, writeSheetFile } from "./sheet_files.ts";
import { sheetPlanCommand } from "./sheet_plan.ts";
import { sheetPullCommand } from "./sheet_pull.ts";
const sheetResultCommand = command(
  (kit) =>
    withReadingOptions(kit.leaf("result", {
      summary: "Write a copy of the sheet with the outcome of each row",
      details:
        "Adds the columns Status and Reason at the end, and keeps other tabs, columns, formats and formulas. " +
        "Status of an applied plan: done, already, refused, not_sent or unknown; before that: planned. Rows " +
        "without a change: unchanged, missing, error or ignored. Sends nothing.",
      examples: [
        ["adsctl sheet result bulk.xlsx plan.json", "writes bulk-result.xlsx"],
        ["adsctl sheet result bulk.csv plan.json --out done.csv", "choose another name"],
      ],
      library: "const { bytes, rows } = await sheetResult(file, plan, applied?.changes)",
    }))
      .argument("<file>", "sheet that was planned")
      .argument("<plan>", "plan file or id")
      .option("--out <file>", "file to write (default: <file>-result next to the sheet)")
      .option("--force", "replace an existing file"),
  async (file, name, options, context) => {
    const extension = extname(file);
    const out = options.out ?? `${file.slice(0, file.length - extension.length)}-result${extension}`;
    ensureFree(out, options);
    const { plan, store } = await findPlan(name, context);
    const applied = await store.applied(plan.id);
    const { sheetResult } = await import("../../../../account/sheets/sheet_result.ts");
    const hints = await readingHints(options, context);
    const { bytes, rows } = await sheetResult(await readSheetFile(file), plan, applied?.changes, hints);
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
