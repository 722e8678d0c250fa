import type { BatchError } from "../batch/batch_error.ts";
import type { BatchResult } from "../batch/batch_result.ts";
import { fileSystem } from "../connection/file_system.ts";
import { readNamedFile } from "../connection/read_named_file.ts";
import { ConfigurationError } from "../errors.ts";
import type { ChangePlan } from "./change_plan.ts";

/** How far a change got, as its journal knows. */
export type ChangeStatus =
  /** Accepted; a created entity's id is known. */
  | { readonly state: "done"; readonly id: string | undefined }
  /** The platform refused it, and would do so again. */
  | { readonly state: "refused"; readonly code: string; readonly message: string }
  /** It was sent, and no clear answer was seen. `twins` existed before and are not its work. */
  | { readonly state: "unknown"; readonly twins: readonly string[] }
  /** It was never sent, or the platform said that it did nothing. */
  | { readonly state: "not_sent" };

type Line =
  | { event: "begin"; plan: string; fingerprint: string; at: string }
  | { event: "sending"; changes: number[]; twins?: Record<string, string[]>; at: string }
  | { event: "answered"; verdicts: VerdictLine[]; at: string }
  | { event: "end"; at: string };

interface VerdictLine {
  change: number;
  outcome: "done" | "refused" | "unknown" | "not_sent";
  id?: string;
  code?: string;
  message?: string;
}

/**
 * The write-ahead journal of one plan's application: what is about to be sent is on the disk before it leaves, what
 * was answered before the next request. One JSON line an event; a line cut short by a crash does not count.
 */
export class ApplyJournal {
  /** Path of the file. */
  readonly path: string;
  readonly #now: () => number;
  #cutShort = false;

  /**
   * Names a journal; nothing is opened.
   *
   * @param path Path of the file.
   */
  constructor(path: string, now: () => number = Date.now) {
    this.path = path;
    this.#now = now;
  }

  /**
   * Starts the journal of a plan.
   *
   * @throws {ConfigurationError} when there is one already: the plan was applied, or its application was interrupted.
   */
  async begin(plan: ChangePlan): Promise<void> {
    const line = this.#line({ event: "begin", plan: plan.id, fingerprint: plan.fingerprint });
    if (await fileSystem().createText(this.path, line)) return;
    throw new ConfigurationError(
      `Cannot apply plan ${plan.id}: its journal "${this.path}" exists, so it was applied before or was interrupted. ` +
        'See what became of it with "adsctl plan resume"',
    );
  }

  /** Writes down that changes are about to be sent. */
  async sending(
    changes: readonly number[],
    twins: ReadonlyMap<number, readonly string[]> = new Map(),
  ): Promise<void> {
    const line = {
      event: "sending",
      changes,
      ...(twins.size > 0 ? { twins: Object.fromEntries(twins) } : {}),
    };
    await this.#append(line);
  }

  /** Writes down what the platform said. `changes` maps the verdicts' indexes to changes of the plan. */
  async answered(verdicts: BatchResult, changes: readonly number[]): Promise<void> {
    const lines: VerdictLine[] = verdicts.successes.map(({ index, id }) => ({
      change: changes[index]!,
      outcome: "done",
      ...(id === undefined ? {} : { id }),
    }));
    for (const error of verdicts.errors) {
      const { code, message } = error;
      lines.push({ change: changes[error.index]!, outcome: outcomeOf(error), code, message });
    }
    await this.#append({ event: "answered", verdicts: lines });
  }

  /** Writes down that nothing is left to do. */
  async end(): Promise<void> {
    await this.#append({ event: "end" });
  }

  /**
   * Reads how far each change of the plan got, by its position.
   *
   * @throws {ConfigurationError} when there is no such journal, or it is another plan's.
   */
  async read(plan: ChangePlan): Promise<{ statuses: ChangeStatus[]; ended: boolean }> {
    const text = await readNamedFile(this.path, "the journal");
    const lines = text.split("\n").slice(0, -1).map((line) => parseLine(line)).filter((line) =>
      line !== undefined
    );
    this.#cutShort = !text.endsWith("\n") && text !== "";
    const [first] = lines;
    if (first === undefined) {
      await this.#append({ event: "begin", plan: plan.id, fingerprint: plan.fingerprint });
    }
    // A crash while the first line was written leaves a file that says nothing, and then nothing was sent either.
    if (first !== undefined && (first.event !== "begin" || first.fingerprint !== plan.fingerprint)) {
      throw new ConfigurationError(
        `Cannot use the journal "${this.path}": it does not belong to plan ${plan.id}`,
      );
    }
    const statuses: ChangeStatus[] = plan.changes.map(() => ({ state: "not_sent" }));
    for (const line of lines) apply(line, statuses);
    return { statuses, ended: lines.at(-1)?.event === "end" };
  }

  async #append(event: Record<string, unknown>): Promise<void> {
    const text = this.#line(event);
    await fileSystem().appendText(this.path, this.#cutShort ? `\n${text}` : text);
    this.#cutShort = false;
  }

  #line(event: Record<string, unknown>): string {
    return JSON.stringify({ ...event, at: new Date(this.#now()).toISOString() }) + "\n";
  }
}

/** A busy platform did nothing; one that failed on the item may have; both can be settled or sent again. */
function outcomeOf(error: BatchError): VerdictLine["outcome"] {
  if (error.outcome === "partial") return "unknown";
  if (error.outcome !== "refused" || !error.transient) return error.outcome;
  return error.errorType === "throttledError" ? "not_sent" : "unknown";
}

function parseLine(line: string): Line | undefined {
  try {
    return JSON.parse(line) as Line;
  } catch {
    return undefined;
  }
}

function apply(line: Line, statuses: ChangeStatus[]): void {
  if (line.event === "sending") {
    for (const change of line.changes) {
      const before = statuses[change];
      const twins = line.twins?.[change] ?? (before?.state === "unknown" ? before.twins : []);
      statuses[change] = { state: "unknown", twins };
    }
  }
  if (line.event !== "answered") return;
  for (const { change, outcome, id, code = "", message = "" } of line.verdicts) {
    const before = statuses[change];
    if (outcome === "done") statuses[change] = { state: "done", id };
    else if (outcome === "refused") statuses[change] = { state: "refused", code, message };
    else if (outcome === "not_sent") statuses[change] = { state: "not_sent" };
    else statuses[change] = { state: "unknown", twins: before?.state === "unknown" ? before.twins : [] };
  }
}
