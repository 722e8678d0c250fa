import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import type { CommandKit } from "../../core/command.ts";
import { sheetPlanCommand } from "./sheet_plan.ts";
import { sheetPullCommand } from "./sheet_pull.ts";
import { sheetResultCommand } from "./sheet_result.ts";

/** `adsctl sheet`. */
export function sheetCommand(kit: CommandKit): CommandUnknownOpts {
  const group = kit.group("sheet", {
    summary: "Change the account in a spreadsheet, in the platform's bulk format",
    details:
      "Pull a sheet, edit it, write create, update or archive into the column Operation, and plan it. Nothing is sent " +
      "until the plan is applied; the same file comes back with Status and Reason in every row.",
    examples: [
      ["adsctl sheet pull -m CA bulk.xlsx", "the account as a sheet"],
      ["adsctl sheet plan bulk.xlsx -m CA --out plan.json", "plan what its rows ask for"],
      ["adsctl sheet result bulk.xlsx plan.json", "the same file with the outcome of each row"],
    ],
    library: 'const { plan } = await planSheet(profile, { bytes, name: "bulk.xlsx" })',
  });
  for (const make of [sheetPullCommand, sheetPlanCommand, sheetResultCommand]) group.addCommand(make(kit));
  return group;
}
