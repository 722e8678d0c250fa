import { PlanStateError } from "../model/plan_errors.ts";
import type { ChangeResult } from "../model/change_result.ts";
import type { LeavingRequest } from "../../platform/transport/api_request.ts";
import { sha256 } from "../../base/text/sha256.ts";
import type { PlanData } from "../model/plan_data.ts";
import { type JournalFile, journalFile } from "./journal_file.ts";
import {
  type ChangeStatus,
  CUT_MARK,
  type JournalReading,
  type JournalVerdict,
  openAttempt,
  readJournal,
} from "./journal_reading.ts";

/** Hash of all bodies of a plan. */
interface PlanBodies {
  readonly requests?: string | undefined;
}

/** After this many seconds the announcement of an attempt is too old, and it is announced anew. */
const STALE_SECONDS = 1;
/** After this many seconds an earlier check of the journal's owner no longer counts: the process may have been frozen. */
const OLD_ANSWER_SECONDS = 10;

/**
 * The write-ahead journal of one plan's application: what is about to be sent is on the disk before it leaves, what
 * the response said before the next request. One JSON line an event; a line cut short by a crash does not count.
 *
 * One process writes it at a time. A process that resumes it first adds a line; the one before, should it still live,
 * finds the file longer than it left it, and sends nothing more. Nothing is ever removed from a journal, so that a
 * process that stood still cannot take away what another one has written: an attempt that did nothing ends with a line
 * that discards it.
 */
export class ApplyJournal {
  readonly file: JournalFile;
  readonly #now: () => number;
  readonly #attempt = crypto.randomUUID();
  #length = 0;
  #writtenAt = 0;
  #cutShort = false;
  /** The last request that was written down since changes were announced. */
  #left = "";

  /**
   * Names a journal; nothing is opened.
   *
   * @param place Path of the file, or what keeps it elsewhere.
   * @param now Milliseconds since the epoch.
   */
  constructor(place: string | JournalFile, now: () => number = Date.now) {
    this.file = typeof place === "string" ? journalFile(place) : place;
    this.#now = now;
  }

  /**
   * Starts the journal of a plan.
   *
   * @param bodies Hash of the bodies that will be sent, as a signed approval has it.
   * @throws {PlanStateError} when there is one already: the plan was applied, or its application was interrupted.
   */
  async begin(plan: PlanData, bodies: PlanBodies = {}): Promise<void> {
    if (await this.#claim(this.#beginning(plan, bodies))) return;
    throw new PlanStateError(
      `Cannot apply plan ${plan.id}: its journal "${this.file.name}" exists, so it was applied before, was interrupted, or ` +
        "is being applied by another process. resumePlan() with lookOnly shows what was done",
      "applied",
    );
  }

  /**
   * Starts the journal of a plan that workers of a queue apply: nothing here does then. Where the plan is on that queue
   * already, it is left there anew, so that {@linkcode ApplyJournal.takeBack} by a process that looked before is void.
   *
   * @param where Location of the queue, without secrets.
   * @returns false when the plan was begun, or put on another queue, before.
   */
  async leaveToQueue(plan: PlanData, where: string): Promise<boolean> {
    if (await this.#claim(this.#beginning(plan) + this.#line({ event: "queued", where }))) return true;
    const text = await this.file.read().catch(() => "");
    if (openAttempt(text) !== undefined) {
      const reading = readJournal(text, plan);
      if (typeof reading === "string" || reading.queuedAt !== where) return false;
      await this.#append(`\n${this.#line({ event: "resumed", attempt: this.#attempt })}`);
    }
    // It may have been taken back at the same moment.
    const { writer } = openAttempt(await this.file.read()) ?? {};
    return writer === this.#attempt || await this.leaveToQueue(plan, where);
  }

  /**
   * Takes a plan back from a queue.
   *
   * @param attempt The attempt that left it there; without effect where the plan was taken back or left there anew since.
   * @param journal Text of the journal that the workers kept; without one, nothing of the plan was done.
   */
  async takeBack(attempt: string | undefined, journal: string | undefined): Promise<void> {
    await this.#append(`\n${this.#line({ event: "discarded", attempt, journal })}`);
  }

  /**
   * Reads how far each change of the plan got, and writes nothing.
   *
   * @throws {PlanStateError} when there is no such journal, it is another plan's, or it is damaged.
   */
  async read(plan: PlanData): Promise<JournalReading> {
    const text = await this.file.read();
    const reading = readJournal(text, plan);
    if (typeof reading === "string") {
      throw new PlanStateError(`Cannot use the journal "${this.file.name}": ${reading}`, "unknown");
    }
    if (reading.queuedAt !== undefined) {
      throw new PlanStateError(
        `Cannot use the journal "${this.file.name}": plan ${plan.id} is queued at ${reading.queuedAt}, where ` +
          "workers apply it. RolloutQueue.collect() shows their progress",
        "applied",
      );
    }
    this.#length = text.length;
    this.#cutShort = reading.cutShort;
    return reading;
  }

  /**
   * Takes over the journal of an application that was cut off, and reads it.
   *
   * @throws {PlanStateError} as {@linkcode ApplyJournal.read} does, and when another process takes it over as well.
   */
  async takeUp(plan: PlanData): Promise<JournalReading> {
    const { begun } = await this.read(plan);
    if (!begun) await this.#append(this.#beginning(plan));
    // The one before may be cut in the middle of a line at any moment, also after it was read.
    await this.#append(`\n${this.#line({ event: "resumed", attempt: this.#attempt })}`);
    // Read again: until that line stood there, the one before may have gone on writing, or discarded what it had begun.
    const reading = await this.read(plan);
    if (!reading.begun) return await this.takeUp(plan);
    if (reading.writer !== this.#attempt) throw this.#takenOverError();
    return reading;
  }

  /**
   * Records that changes are about to be sent.
   *
   * @param lookalikes By change, entities that look like it and were there before.
   * @throws {PlanStateError} when another process has taken over.
   */
  async sending(
    changes: readonly number[],
    lookalikes: ReadonlyMap<number, readonly string[]> = new Map(),
  ): Promise<void> {
    this.#left = "";
    const known = lookalikes.size > 0 ? { lookalikes: Object.fromEntries(lookalikes) } : {};
    await this.#append(this.#line({ event: "sending", changes, ...known }));
    await this.#ensureOwn();
  }

  /**
   * Call right before a request leaves, and before each retry, since it may have waited for long. The hash of a body is
   * written down once.
   *
   * @throws {PlanStateError} when another process has taken over.
   */
  async leaving({ method, path, body }: LeavingRequest): Promise<void> {
    const left = { method, path, ...(body === undefined ? {} : { sha256: sha256(body) }) };
    const key = JSON.stringify(left);
    if (key !== this.#left) {
      await this.#ensureOwn();
      await this.#append(this.#line({ event: "leaving", ...left }));
      this.#left = key;
    }
    for (let asked = -Infinity; this.#now() - asked > OLD_ANSWER_SECONDS * 1000;) {
      if (this.#now() - this.#writtenAt > STALE_SECONDS * 1000) {
        await this.#append(this.#line({ event: "retrying" }));
      }
      asked = this.#now();
      await this.#ensureOwn();
    }
  }

  /**
   * Writes down what the platform said, by the positions of the changes in the plan.
   * When another process has taken over, only what was done: it may have sent the rest meanwhile.
   */
  async answered(results: ReadonlyMap<number, ChangeResult>): Promise<void> {
    const isOwn = await this.#isOwn();
    const verdicts = [...results].map(([change, result]) => verdictOf(change, result))
      .filter(({ outcome }) => isOwn || outcome === "done");
    if (verdicts.length > 0) await this.#append(this.#line({ event: "answered", verdicts }));
  }

  /** Records that nothing is left to do, unless another process has taken over. */
  async end(): Promise<void> {
    if (await this.#isOwn()) await this.#append(this.#line({ event: "end" }));
  }

  /**
   * Records that open changes will never be sent.
   *
   * @throws {PlanStateError} when another process has taken over.
   */
  async abandon(): Promise<void> {
    await this.#append(this.#line({ event: "abandoned" }));
    await this.#ensureOwn();
  }

  /**
   * Statuses of the changes once another process has taken over, none where its journal cannot be read; `undefined`
   * while the journal is this process's. Never fails.
   */
  async takenOver(plan: PlanData): Promise<readonly ChangeStatus[] | undefined> {
    if (await this.#isOwn().catch(() => true)) return undefined;
    const reading = readJournal(await this.file.read().catch(() => ""), plan);
    return typeof reading === "string" ? [] : reading.statuses;
  }

  /**
   * Discards the attempt, because nothing was done after all: the journal can be begun anew. Does nothing when another
   * process has taken over. Never fails: what could not be discarded can be resumed.
   */
  async discard(): Promise<void> {
    try {
      if (openAttempt(await this.file.read())?.writer !== this.#attempt) return;
      await this.#append(`\n${this.#line({ event: "discarded", attempt: this.#attempt })}`);
    } catch {
      // It stays begun.
    }
  }

  /** Writes the first lines of an attempt; false when another one is open. */
  async #claim(text: string): Promise<boolean> {
    if (await this.file.create(text)) {
      this.#length = text.length;
      return true;
    }
    const before = await this.file.read().catch(() => undefined);
    if (before === undefined || openAttempt(before) !== undefined) return false;
    this.#length = before.length;
    this.#cutShort = !before.endsWith("\n");
    await this.#append(text);
    // Of several that found it discarded, one was first.
    const after = await this.file.read();
    this.#length = after.length;
    return openAttempt(after)?.writer === this.#attempt;
  }

  async #append(lines: string): Promise<void> {
    const text = this.#cutShort ? `${CUT_MARK}\n${lines}` : lines;
    try {
      await this.file.append(text);
    } catch (error) {
      await this.#countPartOf(text);
      throw error;
    }
    this.#length += text.length;
    this.#cutShort = false;
  }

  /** A full disk may take a part of a line. What does not count must not look like another process's work either. */
  async #countPartOf(text: string): Promise<void> {
    const rest = (await this.file.read().catch(() => "")).slice(this.#length);
    if (rest === "" || !text.startsWith(rest)) return;
    this.#length += rest.length;
    this.#cutShort = !rest.endsWith("\n");
  }

  async #isOwn(): Promise<boolean> {
    return await this.file.size() === this.#length;
  }

  async #ensureOwn(): Promise<void> {
    if (!await this.#isOwn()) throw this.#takenOverError();
  }

  #takenOverError(): PlanStateError {
    return new PlanStateError(
      `Cannot continue sending: another process has taken over the journal "${this.file.name}". This process sends nothing more`,
      "applied",
    );
  }

  #beginning({ id, fingerprint }: PlanData, bodies: PlanBodies = {}): string {
    return this.#line({ event: "begin", plan: id, fingerprint, ...bodies, attempt: this.#attempt });
  }

  /** Plain ASCII, so that its length in the file is its length here, wherever a crash cuts it. */
  #line(event: Record<string, unknown>): string {
    this.#writtenAt = this.#now();
    const text = JSON.stringify({ ...event, at: new Date(this.#writtenAt).toISOString() });
    const escape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
    return `${text.replace(/[\u0080-\uffff]/g, escape)}\n`;
  }
}

function verdictOf(change: number, { outcome, id, now, error }: ChangeResult): JournalVerdict {
  if (outcome === "done" || outcome === "already") {
    return { change, outcome: "done", ...(id === undefined ? {} : { id }) };
  }
  // What failed for the moment is settled by reading: a platform that is busy or failing may not know what it did.
  const isOpen = outcome === "refused" && error?.transient === true;
  return {
    change,
    outcome: isOpen ? "unknown" : outcome,
    ...(outcome === "partial" ? { id, now } : {}),
    ...(error === undefined ? {} : { code: error.code, message: error.message }),
  };
}
