import type { Change } from "./change.ts";
import { plannedCall } from "./planned_call.ts";
import type { ChangeOutcome } from "./change_result.ts";

/** Verdict on a row of an upload file, or on an image or video. */
export interface RowVerdict {
  /** Number of the row, as a spreadsheet counts: the header is row 1. In a folder, the number of the file by name. */
  readonly row: number;
  /**
   * `accepted` or `refused` by the platform, `not_sent`, or `unknown`: it may have arrived, or the response does not
   * mention it.
   */
  readonly verdict: "accepted" | "refused" | "not_sent" | "unknown";
  /** The platform's code for a refused row; `null` without one. */
  readonly code: string | null;
  /** Path of the image or video; absent for other rows. */
  readonly file?: string;
  /** Id of its asset; `null` if it has none. */
  readonly assetId?: string | null;
}

/** Verdict on a change, from a result or its file. */
interface PartVerdict {
  readonly outcome: ChangeOutcome;
  readonly id?: string | null | undefined;
  readonly error?: { readonly code?: string | undefined; readonly message?: string | undefined } | undefined;
}

const SILENT = "no verdict";

/**
 * Returns the message about an upload with failed rows, in the form that journals and result files store and
 * {@linkcode rowVerdicts} parses.
 *
 * @param failed Numbers of rows by the platform's code; `undefined` for rows that its response leaves out.
 */
export function failedRowsText(
  failed: ReadonlyMap<string | undefined, readonly number[]>,
  count: number,
): string {
  const rows = [...failed.values()].reduce((sum, list) => sum + list.length, 0);
  const groups = [...failed].map(([code, list]) =>
    code === undefined ? `${SILENT} on ${rowsText(list)}` : `${code} in ${rowsText(list)}`
  );
  return `${rows} of ${count} rows failed: ${groups.join("; ")}`;
}

export function rowsText(rows: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const row of rows.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last !== undefined && row === last[1] + 1) last[1] = row;
    else ranges.push([row, row]);
  }
  const noun = rows.length === 1 ? "row" : "rows";
  return `${noun} ${ranges.map(([from, to]) => from === to ? from : `${from}-${to}`).join(", ")}`;
}

/**
 * The verdicts on the rows of the uploads of a plan, in the order of the file; none for other changes.
 *
 * @param results Verdicts on the changes, by their positions.
 */
export function* rowVerdicts(
  changes: readonly Change[],
  results: readonly PartVerdict[],
): Generator<RowVerdict> {
  for (const [at, change] of changes.entries()) {
    const { rows, file } = plannedCall(change) ?? {};
    const { outcome, error, id = null }: PartVerdict = results[at] ?? { outcome: "not_sent" };
    if (file !== undefined) {
      yield { row: file.row, ...wholeVerdict(outcome, error?.code), file: file.file, assetId: id };
    }
    if (rows === undefined) continue;
    const named = failedRows(error?.message);
    for (let row = rows.first; row <= rows.last; row++) {
      yield {
        row,
        ...named === undefined
          ? wholeVerdict(outcome, error?.code)
          : rowVerdict(named.codes.get(row) ?? (named.isWhole ? undefined : SILENT)),
      };
    }
  }
}

function rowVerdict(code: string | undefined): Pick<RowVerdict, "verdict" | "code"> {
  if (code === undefined) return { verdict: "accepted", code: null };
  return code === SILENT ? { verdict: "unknown", code: null } : { verdict: "refused", code };
}

function wholeVerdict(
  outcome: ChangeOutcome,
  code: string | undefined,
): Pick<RowVerdict, "verdict" | "code"> {
  if (outcome === "done" || outcome === "already") return { verdict: "accepted", code: null };
  if (outcome === "refused") return { verdict: "refused", code: code ?? null };
  return { verdict: outcome === "not_sent" ? "not_sent" : "unknown", code: null };
}

/** Rows that a message names. */
interface FailedRows {
  readonly codes: ReadonlyMap<number, string>;
  /** False if a part of the message cannot be read. That part may be about any row that is not in `codes`. */
  readonly isWhole: boolean;
}

/** Codes of the rows that a message names; `undefined` for a message that names none. */
function failedRows(message = ""): FailedRows | undefined {
  const [, count, text] = /^(\d+) of \d+ rows failed: (.+)$/.exec(message) ?? [];
  if (text === undefined) return undefined;
  const codes = new Map<number, string>();
  for (const group of text.split("; ")) {
    const [, code = "", list] = /^(.+) (?:in|on) rows? (\d+(?:-\d+)?(?:, \d+(?:-\d+)?)*)$/.exec(group) ?? [];
    if (list === undefined) continue;
    for (const range of list.split(", ")) {
      const [from = 0, to = from] = range.split("-").map(Number);
      for (let row = from; row <= to; row++) codes.set(row, code);
    }
  }
  return { codes, isWhole: codes.size === Number(count) };
}
