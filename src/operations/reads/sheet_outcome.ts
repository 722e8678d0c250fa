import type { SheetResult } from "../../account/sheets/sheet_result.ts";
import type { PlanData } from "../../plans/model/plan_data.ts";
import type { AppliedVerdict } from "../../plans/store/applied_record.ts";
import { sheetNamed } from "../model/field.ts";
import { defineOperation } from "../model/operation.ts";
import { hintsOf, READING_FIELDS } from "../model/reading_fields.ts";

/** The plan of the sheet, and what became of its changes if it was applied. */
export interface SheetOutcomeContext {
  readonly plan: PlanData;
  readonly verdicts: readonly AppliedVerdict[] | undefined;
}

export const sheetOutcome = defineOperation<SheetOutcomeContext, SheetResult>()({
  name: "sheet result",
  effect: "read",
  isForPeople: true,
  title: "Show the outcome in a sheet",
  summary: "Write a copy of the sheet with the outcome of each row",
  details:
    "Adds the columns Status and Reason at the end, and keeps other tabs, columns, formats and formulas. " +
    "Status of an applied plan: done, already, refused, not_sent or unknown; before that: planned. Rows " +
    "without a change: unchanged, missing, error or ignored. Sends nothing.",
  brief: "Writes the outcome of each row into a copy of its sheet",
  examples: [
    {
      input: { file: sheetNamed("bulk.xlsx"), plan_id: "plan.json" },
      about: "writes bulk-result.xlsx",
    },
  ],
  library: "const { bytes, rows } = await sheetResult(file, plan, applied?.changes)",
  input: {
    file: { type: "sheet", required: true, isOfCommands: true, help: "sheet that was planned" },
    plan_id: { type: "text", required: true, value: "plan", help: "plan file or id" },
    ...READING_FIELDS,
  },
  async run({ plan, verdicts }, { file, ...others }) {
    const { sheetResult } = await import("../../account/sheets/sheet_result.ts");
    return await sheetResult(file, plan, verdicts, hintsOf(others));
  },
});
