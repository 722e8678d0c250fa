import type { PlanData } from "../plan_data.ts";

/** Progress of a change according to its journal. */
export type ChangeStatus =
  /** Accepted; a created entity's id is known. */
  | { readonly state: "done"; readonly id: string | undefined }
  /** The platform refused it, and would do so again. */
  | { readonly state: "refused"; readonly code: string; readonly message: string }
  /** It was sent, and no clear response was seen. `lookalikes` existed before and are not its work. */
  | { readonly state: "unknown"; readonly lookalikes: readonly string[] }
  /** It was never sent. */
  | { readonly state: "not_sent" };

/** One line of a journal; `at` is the time it was written, ISO 8601. */
type JournalLine =
  & { readonly at: string }
  & (
    | { readonly event: "begin"; readonly plan: string; readonly fingerprint: string }
    | {
      readonly event: "sending";
      readonly changes: readonly number[];
      readonly lookalikes?: Readonly<Record<string, readonly string[]>>;
    }
    | { readonly event: "answered"; readonly verdicts: readonly JournalVerdict[] }
    | { readonly event: "queued"; readonly where: string }
    | { readonly event: "retrying" | "resumed" | "end" | "abandoned" }
  );

/** Progress of one change of the plan. */
export interface JournalVerdict {
  /** Position of the change in the plan. */
  readonly change: number;
  /** Outcome of the change according to the journal. */
  readonly outcome: "done" | "refused" | "unknown" | "not_sent";
  /** Id of the entity, when it is done. */
  readonly id?: string;
  /** The platform's code, when it is not. */
  readonly code?: string;
  /** The platform's words. */
  readonly message?: string;
}

/** The content of a journal. */
export interface JournalReading {
  /** True when its first line is there; without it nothing was sent. */
  readonly begun: boolean;
  /** True when its last line was cut short by a crash. */
  readonly cutShort: boolean;
  /** True when what is not done is never to be sent. */
  readonly abandoned: boolean;
  /** Location of the queue whose workers apply the plan; `undefined` when it is applied here. */
  readonly queuedAt: string | undefined;
  /** Progress of each change of the plan, by its position. */
  readonly statuses: readonly ChangeStatus[];
  /** When something was last about to be sent, milliseconds since the epoch; `undefined` when nothing was. */
  readonly lastSent: number | undefined;
}

/**
 * End of a line that a crash cut short. The next process writes it before anything else, so that the line counts as cut
 * even where a second crash takes what follows.
 */
export const CUT_MARK = "#cut";

/**
 * Reads the text of a journal.
 *
 * @returns Its content; a text that says why, where the journal cannot be used.
 */
export function readJournal(text: string, plan: PlanData): JournalReading | string {
  const cutShort = text !== "" && !text.endsWith("\n");
  const read = text.split("\n").slice(0, -1).map((text, at) => ({
    text,
    number: at + 1,
    line: parseLine(text),
  }))
    .filter(({ text }) => text !== "");
  // A crash cuts the line it falls into, and whoever goes on says so first. Any other unreadable line is damage.
  const damaged = read.find(({ text, line }, index) => {
    const next = read[index + 1];
    const goesOn = next?.line?.event === "begin" || next?.line?.event === "resumed" ||
      isTorn(next?.text ?? "");
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
  const last = lines.findLast(({ event }) => event === "sending" || event === "retrying");
  return {
    begun: first !== undefined,
    cutShort,
    abandoned: lines.some(({ event }) => event === "abandoned"),
    queuedAt: lines.find((line) => line.event === "queued")?.where,
    statuses,
    lastSent: last === undefined ? undefined : Date.parse(last.at),
  };
}

/**
 * True for a line that was cut and marked so, and for two lines in one, the first cut while another process wrote the second.
 * Nothing was sent after either: its process found the file of another length than it had left it.
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
      if (before?.state === "done") continue;
      statuses[change] = before?.state === "unknown"
        ? before
        : { state: "unknown", lookalikes: line.lookalikes?.[change] ?? [] };
    }
  }
  if (line.event !== "answered") return;
  for (const { change, outcome, id, code = "", message = "" } of line.verdicts) {
    const before = statuses[change];
    if (outcome === "done") statuses[change] = { state: "done", id };
    else if (before?.state === "done") continue;
    else if (outcome === "refused") statuses[change] = { state: "refused", code, message };
    else if (outcome === "not_sent") statuses[change] = { state: "not_sent" };
    else statuses[change] = { state: "unknown", lookalikes: lookalikesOf(before) };
  }
}

function lookalikesOf(status: ChangeStatus | undefined): readonly string[] {
  return status?.state === "unknown" ? status.lookalikes : [];
}
