import type { EntityFields } from "../model/change.ts";
import type { PlanData } from "../model/plan_data.ts";

export type ChangeStatus =
  | { readonly state: "done"; readonly id: string | undefined }
  /** The platform did a part of it and named the rest; sending it again would do no more. */
  | {
    readonly state: "partial";
    readonly id: string | undefined;
    readonly now: EntityFields | undefined;
    readonly code: string;
    readonly message: string;
  }
  /** The platform refused it, and would do so again. */
  | { readonly state: "refused"; readonly code: string; readonly message: string }
  /** It was sent, and no clear response was seen. `lookalikes` existed before and are not its work. */
  | { readonly state: "unknown"; readonly lookalikes: readonly string[] }
  | { readonly state: "not_sent" };

type JournalLine =
  & { readonly at: string }
  & (
    | {
      readonly event: "begin";
      readonly plan: string;
      readonly fingerprint: string;
      readonly requests?: string;
      readonly attempt?: string;
    }
    | {
      readonly event: "leaving";
      readonly method: string;
      readonly path: string;
      readonly sha256?: string;
    }
    | {
      readonly event: "sending";
      readonly changes: readonly number[];
      readonly lookalikes?: Readonly<Record<string, readonly string[]>>;
    }
    | { readonly event: "answered"; readonly verdicts: readonly JournalVerdict[] }
    | { readonly event: "queued"; readonly where: string }
    | { readonly event: "resumed"; readonly attempt?: string }
    | { readonly event: "discarded"; readonly attempt?: string; readonly journal?: string }
    | { readonly event: "retrying" | "end" | "stopped" | "abandoned" }
  );

export interface JournalVerdict {
  readonly change: number;
  readonly outcome: "done" | "partial" | "refused" | "unknown" | "not_sent";
  readonly id?: string;
  readonly now?: EntityFields;
  readonly code?: string;
  readonly message?: string;
}

export interface JournalReading {
  readonly begun: boolean;
  readonly writer: string | undefined;
  readonly cutShort: boolean;
  readonly abandoned: boolean;
  /** True while a process that resumed it may still send; also after such a process was killed. */
  readonly resuming: boolean;
  readonly queuedAt: string | undefined;
  readonly statuses: readonly ChangeStatus[];
  /** Epoch milliseconds of the last announced request; `undefined` without one. */
  readonly lastSent: number | undefined;
}

interface OpenAttempt {
  readonly text: string;
  readonly writer: string | undefined;
}

const TURNS = /^\{"event":"(?:begin|resumed|discarded)".*\n/gm;

/**
 * Line order decides: a discard by a superseded process is ignored, and of several attempts after a discard the first
 * counts.
 *
 * @returns `undefined` when the last attempt was discarded, so nothing was done.
 */
export function openAttempt(text: string): OpenAttempt | undefined {
  let isBegun = false;
  let open: OpenAttempt | undefined = { text, writer: undefined };
  for (const { index, 0: turn } of text.matchAll(TURNS)) {
    const line = parseLine(turn);
    if (line?.event === "begin" && !isBegun) {
      isBegun = true;
      open = { text: open?.text ?? text.slice(index), writer: line.attempt };
    } else if (line?.event === "resumed" && open !== undefined) {
      open = { ...open, writer: line.attempt };
    } else if (line?.event === "discarded" && line.attempt === open?.writer) {
      const other = line.journal === undefined ? undefined : openAttempt(line.journal);
      isBegun = other !== undefined;
      open = other && { ...other, text: other.text + text.slice(index + turn.length) };
    }
  }
  return open;
}

/**
 * Ends a line cut short by a crash. Written first by the next process, so that the line stays marked even if that
 * crashes too.
 */
export const CUT_MARK = "#cut";

/** Lines with which a process begins to send, or sends nothing more. */
const TURN_LINES: ReadonlySet<string> = new Set(["begin", "resumed", "end", "stopped", "abandoned"]);

const GOES_ON: ReadonlySet<string | undefined> = new Set(["begin", "resumed", "discarded"]);

export function readJournal(text: string, plan: PlanData): JournalReading | string {
  const cutShort = text !== "" && !text.endsWith("\n");
  const { text: own, writer } = openAttempt(text) ?? { text: "", writer: undefined };
  const before = text.slice(0, text.length - own.length).split("\n").length;
  const read = own.split("\n").slice(0, -1).map((text, at) => ({
    text,
    number: before + at,
    line: parseLine(text),
  }))
    .filter(({ text }) => text !== "");
  // A crash cuts the line it falls into, and whoever goes on says so first. Any other unreadable line is damage.
  const damaged = read.find(({ text, line }, index) => {
    const next = read[index + 1];
    const goesOn = GOES_ON.has(next?.line?.event) || isTorn(next?.text ?? "");
    return line === undefined && !isTorn(text) && !goesOn;
  });
  if (damaged !== undefined) return `its line ${damaged.number} is damaged`;
  const lines = read.flatMap(({ line }) => line ?? []);
  const [first] = lines;
  if (first !== undefined && (first.event !== "begin" || first.fingerprint !== plan.fingerprint)) {
    return `it does not belong to plan ${plan.id}`;
  }
  const statuses: ChangeStatus[] = plan.changes.map(() => ({ state: "not_sent" }));
  for (const line of lines) follow(line, statuses);
  const last = lines.findLast(({ event }) => /^(sending|leaving|retrying)$/.test(event));
  return {
    begun: first !== undefined,
    writer,
    cutShort,
    abandoned: lines.some(({ event }) => event === "abandoned"),
    resuming: lines.findLast(({ event }) => TURN_LINES.has(event))?.event === "resumed",
    queuedAt: lines.find((line) => line.event === "queued")?.where,
    statuses,
    lastSent: last === undefined ? undefined : Date.parse(last.at),
  };
}

/**
 * True for a marked line, or two lines merged because another process wrote after a cut one. No request followed
 * either, since the writer found an unexpected file length.
 */
function isTorn(text: string): boolean {
  return text.endsWith(CUT_MARK) || text.indexOf('{"event":', 1) > 0;
}

function parseLine(text: string): JournalLine | undefined {
  try {
    const line = JSON.parse(text);
    return typeof line?.event === "string" ? line : undefined;
  } catch {
    return undefined;
  }
}

function follow(line: JournalLine, statuses: ChangeStatus[]): void {
  if (line.event === "sending") {
    for (const change of line.changes) {
      const before = statuses[change];
      // Also a process that has lost the journal announces what it then does not send. What was done stays done, and
      // the lookalikes are those from before the first announcement: later ones may be its work.
      if (before?.state === "done" || before?.state === "partial") continue;
      statuses[change] = before?.state === "unknown"
        ? before
        : { state: "unknown", lookalikes: line.lookalikes?.[change] ?? [] };
    }
  }
  if (line.event !== "answered") return;
  for (const { change, outcome, id, now, code = "", message = "" } of line.verdicts) {
    const before = statuses[change];
    if (outcome === "done") statuses[change] = { state: "done", id };
    else if (outcome === "partial") statuses[change] = { state: "partial", id, now, code, message };
    else if (before?.state === "done" || before?.state === "partial") continue;
    else if (outcome === "refused") statuses[change] = { state: "refused", code, message };
    else if (outcome === "not_sent") statuses[change] = { state: "not_sent" };
    else statuses[change] = { state: "unknown", lookalikes: lookalikesOf(before) };
  }
}

function lookalikesOf(status: ChangeStatus | undefined): readonly string[] {
  return status?.state === "unknown" ? status.lookalikes : [];
}
