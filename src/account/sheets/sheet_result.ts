import type { PlanData } from "../../plans/model/plan_data.ts";
import type { AppliedVerdict } from "../../plans/store/applied_record.ts";
import { placeKey, type RowStatus, rowStatuses } from "./row_statuses.ts";
import { isXlsx, readLines, type SheetFile } from "./sheet_file.ts";
import { csvOf, readCsv } from "./csv_file.ts";
import { type CellPatches, patchXlsx } from "./patch_xlsx.ts";
import { headerKey } from "./products.ts";
import { headOf } from "./sheet_rows.ts";

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

const STATUS = "Status";
const REASON = "Reason";

/** Characters of a reason at most. */
const MAX_REASON = 2000;

/** Position of the two columns in a tab, and length of its head. */
interface Columns {
  readonly status: number;
  readonly reason: number;
  /** True where the columns are new, so that the head gets them too. */
  readonly isNew: boolean;
}

/**
 * The same file with `Status` and `Reason` in every row; rows with a blank operation are `ignored`. Everything else stays
 * as it is: other tabs, columns that are not known, formats, formulas.
 *
 * @throws {SheetFileError} when the file cannot be read.
 */
function markSheet(file: SheetFile, statuses: readonly RowStatus[]): Uint8Array<ArrayBuffer> {
  const byPlace = new Map(statuses.map((status) => [placeKey(status), status]));
  const columns = new Map<string, Columns | undefined>();
  const blank = new Set<string>();
  readLines(file, (tab, line) => {
    if (!columns.has(tab)) {
      columns.set(tab, headOf(line) === undefined ? undefined : columnsOf(line.cells));
    } else if (line.cells.every((cell) => cell === "")) blank.add(placeKey({ tab, row: line.number }));
  });
  const heads = new Set<string>();
  const patchOf = (tab: string, row: number): CellPatches | undefined => {
    const at = columns.get(tab);
    const place = { tab, row };
    if (at === undefined || blank.has(placeKey(place))) return undefined;
    if (!heads.has(tab)) {
      heads.add(tab);
      return at.isNew ? new Map([[at.status, STATUS], [at.reason, REASON]]) : undefined;
    }
    const { status, reason } = byPlace.get(placeKey(place)) ?? { status: "ignored", reason: "" };
    return new Map([[at.status, status], [at.reason, reason.slice(0, MAX_REASON)]]);
  };
  return isXlsx(file.bytes) ? patchXlsx(file.bytes, { name: file.name, patchOf }) : patchedCsv(file, patchOf);
}

function columnsOf(head: readonly string[]): Columns {
  const find = (name: string): number => head.findIndex((text) => headerKey(text) === headerKey(name));
  const [status, reason] = [find(STATUS), find(REASON)];
  const free = Math.max(head.length, ...head.flatMap((text, at) => text === "" ? [] : [at + 1]));
  if (status >= 0 && reason >= 0) return { status, reason, isNew: false };
  const next = status >= 0 || reason >= 0 ? free : free + 1;
  return { status: status >= 0 ? status : free, reason: reason >= 0 ? reason : next, isNew: true };
}

function patchedCsv(
  { bytes, name }: SheetFile,
  patchOf: (tab: string, row: number) => CellPatches | undefined,
): Uint8Array<ArrayBuffer> {
  const lines: string[][] = [];
  const form = readCsv(bytes, {
    name,
    take: (tab, { number, cells }) => {
      const line = [...cells];
      for (const [at, text] of patchOf(tab, number) ?? []) {
        while (line.length < at) line.push("");
        line[at] = text;
      }
      lines.push(line);
    },
  });
  // The line break at the end of the file is read as a last line without cells.
  if (lines.at(-1)?.join("") === "") lines.pop();
  return new TextEncoder().encode(csvOf(lines, form));
}
