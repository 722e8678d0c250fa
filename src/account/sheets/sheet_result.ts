import type { PlanData } from "../../plans/model/plan_data.ts";
import type { AppliedVerdict } from "../../plans/store/applied_record.ts";
import { placeKey, type RowStatus, rowStatuses } from "./row_statuses.ts";
import { bulkHead, headKey } from "../tables/bulk_head.ts";
import { fileKnowledge } from "../tables/console_headers.ts";
import { guarded } from "../../base/text/csv_text.js";
import { csvAsWritten, openCsv } from "../tables/csv_lines.ts";
import { fileText } from "../tables/file_text.ts";
import { openTables, readTables, type SheetFile } from "../tables/open_tables.ts";
import { isBlank, type SheetLine } from "../tables/sheet_lines.ts";
import { type CellPatches, patchXlsx } from "./patch_xlsx.ts";
import type { SheetReadingHints } from "./sheet_rows.ts";

/** A sheet with the outcome of each of its rows. */
export interface SheetResult {
  /** The same file with the columns Status and Reason. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The outcome of each row with an operation. */
  readonly rows: readonly RowStatus[];
}

/**
 * Returns the bulk file with `Status` and `Reason` filled in for every row; everything else is unchanged.
 *
 * @param plan The plan that was made of the file.
 * @param verdicts One for each change of the plan, from its result; without them the rows are `planned`.
 *
 * @example
 * ```ts
 * import { writeFile } from "node:fs/promises";
 * import { type ChangePlan, PlanStore } from "@platform/ads";
 * import { type SheetFile, sheetResult } from "@platform/ads/account";
 *
 * async function results(file: SheetFile, plan: ChangePlan): Promise<void> {
 *   const applied = await PlanStore.open("plans").applied(plan.id);
 *   const { bytes, rows } = await sheetResult(file, plan, applied?.changes);
 *   await writeFile("bulk-result.xlsx", bytes);
 *   for (const { tab, row, status, reason } of rows) console.log(tab, row, status, reason);
 * }
 * ```
 * @param hints The same as the sheet was planned with.
 * @throws {SheetFileError} when the file cannot be read.
 */
export async function sheetResult(
  file: SheetFile,
  plan: PlanData,
  verdicts?: readonly AppliedVerdict[],
  hints: SheetReadingHints = {},
): Promise<SheetResult> {
  const rows = await rowStatuses(file, plan, { verdicts, hints });
  return { bytes: await markSheet(file, rows, hints), rows };
}

const STATUS = "Status";
const REASON = "Reason";

const MAX_REASON = 2000;

interface Columns {
  readonly row: number;
  readonly status: number;
  readonly reason: number;
  readonly isNew: boolean;
}

/**
 * Writes the outcomes into a sheet, and keeps other tabs, unknown columns, formats and formulas unchanged. Rows
 * without an operation get `ignored`.
 *
 * @throws {SheetFileError} when the file cannot be read.
 */
async function markSheet(
  file: SheetFile,
  statuses: readonly RowStatus[],
  hints: SheetReadingHints,
): Promise<Uint8Array<ArrayBuffer>> {
  const { words } = await fileKnowledge();
  const { map = {}, tab: wanted } = hints;
  const source = openTables(file, hints);
  const byPlace = new Map(statuses.map((status) => [placeKey(status), status]));
  const columns = new Map<string, Columns>();
  const blank = new Set<string>();
  readTables(source, {
    score: (cells) => bulkHead(cells, { words, map }) === undefined ? 0 : Infinity,
    begin: ({ tab, head }) => {
      if (head === undefined || (wanted !== undefined && tab !== wanted)) return undefined;
      columns.set(tab, columnsOf(head));
      return (line) => {
        if (isBlank(line)) blank.add(placeKey({ tab, row: line.number }));
      };
    },
  });
  const patchOf = (tab: string, row: number): CellPatches | undefined => {
    const at = columns.get(tab);
    const place = { tab, row };
    if (at === undefined || row < at.row || blank.has(placeKey(place))) return undefined;
    if (row === at.row) return at.isNew ? new Map([[at.status, STATUS], [at.reason, REASON]]) : undefined;
    const { status, reason } = byPlace.get(placeKey(place)) ?? { status: "ignored", reason: "" };
    return new Map([[at.status, status], [at.reason, reason.slice(0, MAX_REASON)]]);
  };
  return source.form === undefined
    ? patchXlsx(file.bytes, { name: file.name, patchOf })
    : patchedCsv(file, { patchOf, encoding: hints.encoding });
}

function columnsOf({ number, cells: head }: SheetLine): Columns {
  const find = (name: string): number => head.findIndex((text) => headKey(text) === headKey(name));
  const [status, reason] = [find(STATUS), find(REASON)];
  const free = Math.max(head.length, ...head.flatMap((text, at) => text === "" ? [] : [at + 1]));
  if (status >= 0 && reason >= 0) return { row: number, status, reason, isNew: false };
  const next = status >= 0 || reason >= 0 ? free : free + 1;
  return {
    row: number,
    status: status >= 0 ? status : free,
    reason: reason >= 0 ? reason : next,
    isNew: true,
  };
}

function patchedCsv(
  { bytes, name }: SheetFile,
  { patchOf, encoding }: {
    patchOf: (tab: string, row: number) => CellPatches | undefined;
    encoding: string | undefined;
  },
): Uint8Array<ArrayBuffer> {
  const { form, lines } = openCsv(fileText(bytes, { name, encoding }).pieces, { name });
  const patched = Array.from(lines({ asWritten: true }), ({ number, cells }) => {
    const line = [...cells];
    for (const [at, text] of patchOf("", number) ?? []) {
      while (line.length < at) line.push("");
      line[at] = guarded(text);
    }
    return line;
  });
  return new TextEncoder().encode(csvAsWritten(patched, form));
}
