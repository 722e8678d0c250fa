import type { PlanData } from "../../plans/plan_data.ts";
import type { AppliedVerdict } from "../../plans/store/applied_record.ts";
import { markSheet } from "./mark_sheet.ts";
import { type RowStatus, rowStatuses } from "./row_statuses.ts";
import type { SheetFile } from "./sheet_file.ts";

/** A sheet with the outcome of each of its rows. */
export interface SheetResult {
  /** The same file with the columns Status and Reason. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The outcome of each row with an operation. */
  readonly rows: readonly RowStatus[];
}

/**
 * Brings a person's own file back with `Status` and `Reason` in every row and nothing else changed.
 *
 * @param plan The plan that was made of the file.
 * @param verdicts One for each change of the plan, from its result; without them the rows are `planned`.
 *
 * @example
 * ```ts
 * import { type ChangePlan, PlanStore } from "@platform/ads";
 * import { type SheetFile, sheetResult } from "@platform/ads/account";
 *
 * async function results(file: SheetFile, plan: ChangePlan): Promise<void> {
 *   const applied = await PlanStore.open("plans").applied(plan.id);
 *   const { bytes, rows } = sheetResult(file, plan, applied?.changes);
 *   await Deno.writeFile("bulk-result.xlsx", bytes);
 *   for (const { tab, row, status, reason } of rows) console.log(tab, row, status, reason);
 * }
 * ```
 * @throws {SheetFileError} when the file cannot be read.
 */
export function sheetResult(
  file: SheetFile,
  plan: PlanData,
  verdicts?: readonly AppliedVerdict[],
): SheetResult {
  const rows = rowStatuses(file, plan, verdicts);
  return { bytes: markSheet(file, rows), rows };
}
