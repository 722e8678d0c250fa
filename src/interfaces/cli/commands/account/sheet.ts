import { extname } from "node:path";
import { command, group } from "../../shell/command.ts";
import { EXIT } from "../../shell/errors/exit_codes.ts";
import { findPlan } from "../../shell/plans/find_plan.ts";
import { printJson, wantsData } from "../../shell/output/print_rows.ts";
import { readingHints, withReadingOptions } from "../../shell/options/reading_options.ts";
import { ensureFree, readSheetFile, writeSheetFile } from "./sheet_files.ts";
import { sheetPlanCommand } from "./sheet_plan.ts";
import { sheetPullCommand } from "./sheet_pull.ts";
const sheetResultCommand = command(
  (kit) =>
    withReadingOptions(kit.leaf("result", {
      summary: "Write a sheet back with the outcome of each row",
      details:
        "The same file with the columns Status and Reason at its end, everything else as it was: other tabs, columns, " +
        "formats and formulas. Status is done, already, refused, not_sent or unknown once the plan was applied, planned " +
        "before; unchanged, missing, error or ignored for rows that have no change. Sends nothing.",
      examples: [
        ["adsctl sheet result bulk.xlsx plan.json", "writes bulk-result.xlsx"],
        ["adsctl sheet result bulk.csv plan.json --out done.csv", "under another name"],
      ],
      library: "const { bytes, rows } = await sheetResult(file, plan, applied?.changes)",
    }))
      .argument("<file>", "the sheet that was planned")
      .argument("<plan>", "file or id of its plan")
      .option("--out <file>", "file to write; otherwise <file>-result beside the sheet")
      .option("--force", "replace a file that is there"),
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
      "Pull a sheet, edit it, write create, update or archive into the column Operation, and plan it. Nothing is sent " +
      "until the plan is applied; the same file comes back with Status and Reason in every row.",
    examples: [
      ["adsctl sheet pull -m CA bulk.xlsx", "the account as a sheet"],
      ["adsctl sheet plan bulk.xlsx -m CA --out plan.json", "plan what its rows ask for"],
      ["adsctl sheet result bulk.xlsx plan.json", "the same file with the outcome of each row"],
    ],
    library: 'const { plan } = await planSheet(profile, { bytes, name: "bulk.xlsx" })',
  },
  [
    sheetPullCommand,
    sheetPlanCommand,
    sheetResultCommand,
  ],
);
