import { guarded } from "../../base/text/csv_text.js";
import type { Finding } from "../../plans/model/finding.ts";
import type { PlanData } from "../../plans/model/plan_data.ts";
import type { AppliedVerdict } from "../../plans/store/applied_record.ts";
import { bulkHead, headKey } from "../tables/bulk_head.ts";
import { fileKnowledge } from "../tables/console_headers.ts";
import { csvAsWritten, openCsv } from "../tables/csv_lines.ts";
import { fileText } from "../tables/file_text.ts";
import { openTables, readTables, type SheetFile } from "../tables/open_tables.ts";
import { isBlank, type SheetLine } from "../tables/sheet_lines.ts";
import { type CellPatches, patchXlsx } from "./patch_xlsx.ts";
import { readRequests } from "./plan_sheet.ts";
import { entityKey, type SheetRequest } from "./sheet_requests.ts";
import type { RowPlace } from "./sheet_row.ts";
import type { SheetReadingHints } from "./sheet_rows.ts";

/** Outcome of a row's change, or the reason why the row has no change. */
export type RowStatusWord =
  | AppliedVerdict["outcome"]
  | "planned"
  | "unchanged"
  | "missing"
  | "ignored"
  | "error";

/** Texts for the columns Status and Reason of a row. */
export interface RowStatus extends RowPlace {
  /** Stable code for programs. */
  readonly status: RowStatusWord;
  /** Explanation for people; empty if there is none. */
  readonly reason: string;
}

/** Returns the status of each row with an operation. Existing entities are matched by id, new ones by row. */
async function rowStatuses(
  file: SheetFile,
  plan: PlanData,
  { verdicts, hints }: { verdicts: readonly AppliedVerdict[] | undefined; hints: SheetReadingHints },
): Promise<RowStatus[]> {
  const { requests, problems } = await readRequests(file, {
    ...hints,
    countryCode: plan.countryCode,
    skipBadRows: true,
  });
  const places = new Map<string, number>();
  for (const [at, { ref, kind, id }] of plan.changes.entries()) {
    places.set(id === null ? `new ${ref}` : entityKey({ kind, id }), at);
  }
  const missing = new Set(plan.missing);
  const findings = Map.groupBy(plan.findings, ({ change }) => change);
  const statuses = new Map<string, RowStatus>();
  for (const request of requests) {
    const at = places.get(
      request.id === null ? `new ${request.ref}` : entityKey({ ...request, id: request.id }),
    );
    const found = at === undefined
      ? unplanned(request, missing)
      : verdicts?.[at] === undefined
      ? planned(findings.get(at))
      : { status: verdicts[at].outcome, reason: verdicts[at].message ?? "" };
    for (const place of request.rows) statuses.set(placeKey(place), { ...place, ...found });
  }
  for (const [key, group] of Map.groupBy(problems, placeKey)) {
    const reason = group.map(({ header, message }) => header === "" ? message : `${header}: ${message}`).join(
      "; ",
    );
    const [{ tab, row } = { tab: "", row: 0 }] = group;
    statuses.set(key, { tab, row, status: "error", reason });
  }
  return [...statuses.values()];
}

export function placeKey({ tab, row }: RowPlace): string {
  return `${row} ${tab}`;
}

function unplanned(
  { op, id }: SheetRequest,
  missing: ReadonlySet<string>,
): Pick<RowStatus, "status" | "reason"> {
  if (id !== null && missing.has(id)) return { status: "missing", reason: "The account has no such entity" };
  if (op === "update") return { status: "unchanged", reason: "No updatable field differs" };
  const reason = op === "create" ? "The account has an equal one" : "It is archived";
  return { status: "already", reason };
}

function planned(findings: readonly Finding[] = []): Pick<RowStatus, "status" | "reason"> {
  return { status: "planned", reason: findings.map(({ message }) => message).join("; ") };
}

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
