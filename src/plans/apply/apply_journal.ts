import { PlanStateError } from "../plan_errors.ts";
import type { ChangeResult } from "../change_result.ts";
import type { PlanData } from "../plan_data.ts";
import { type JournalFile, journalFile } from "./journal_file.ts";
import {
  type ChangeStatus,
  CUT_MARK,
  type JournalReading,
  type JournalVerdict,
  readJournal,
} from "./journal_reading.ts";

/** Seconds after which an attempt is written down anew, because the line it was announced in is too old. */
const STALE_SECONDS = 1;
/** Seconds after which the answer whose journal it is says nothing more: this process may have stood still meanwhile. */
const OLD_ANSWER_SECONDS = 10;

/**
 * The write-ahead journal of one plan's application: what is about to be sent is on the disk before it leaves, what
 * the response said before the next request. One JSON line an event; a line cut short by a crash does not count.
 *
 * One process writes it at a time. A process that resumes it first adds a line; the one before, should it still live,
 * finds the file longer than it left it, and sends nothing more.
 */
export class ApplyJournal {
  /** Path and state of the file. */
  readonly file: JournalFile;
  readonly #now: () => number;
  #length = 0;
  #writtenAt = 0;
  #cutShort = false;

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

  /** True once this process has written or read its first line. */
  get hasBegun(): boolean {
    return this.#length > 0;
  }

  /**
   * Starts the journal of a plan.
   *
   * @throws {PlanStateError} when there is one already: the plan was applied, or its application was interrupted.
   */
  async begin(plan: PlanData): Promise<void> {
    const line = this.#line({ event: "begin", plan: plan.id, fingerprint: plan.fingerprint });
    if (!await this.file.create(line)) {
      throw new PlanStateError(
        `Cannot apply plan ${plan.id}: its journal "${this.file.name}" exists, so it was applied before, was interrupted, or ` +
          'is being applied by another process. "adsctl plan resume --look" shows what was done',
        "applied",
      );
    }
    this.#length = line.length;
  }

  /**
   * Starts the journal of a plan that workers of a queue apply: nothing here does then.
   *
   * @param where Location of the queue, without secrets.
   * @returns false when the plan was begun, or put on a queue, before.
   */
  async leaveToQueue(plan: PlanData, where: string): Promise<boolean> {
    const { id, fingerprint } = plan;
    const begin = this.#line({ event: "begin", plan: id, fingerprint });
    return await this.file.create(begin + this.#line({ event: "queued", where }));
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
        `Cannot use the journal "${this.file.name}": plan ${plan.id} is on the queue of ${reading.queuedAt}, whose ` +
          'workers apply it. "adsctl plan show ROLLOUT --store ADDRESS" shows how far they are',
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
   * @throws {PlanStateError} as {@linkcode ApplyJournal.read} does.
   */
  async takeUp(plan: PlanData): Promise<JournalReading> {
    const { begun } = await this.read(plan);
    if (!begun) await this.#append({ event: "begin", plan: plan.id, fingerprint: plan.fingerprint });
    // The one before may be cut in the middle of a line at any moment, also after it was read.
    await this.#append({ event: "resumed" }, { ownLine: true });
    // Read again: until that line stood there, the one before may have gone on writing.
    return await this.read(plan);
  }

  /**
   * Writes down that changes are about to be sent.
   *
   * @param lookalikes By change, entities that look like it and were there before.
   * @throws {PlanStateError} when another process has taken over.
   */
  async sending(
    changes: readonly number[],
    lookalikes: ReadonlyMap<number, readonly string[]> = new Map(),
  ): Promise<void> {
    const known = lookalikes.size > 0 ? { lookalikes: Object.fromEntries(lookalikes) } : {};
    await this.#append({ event: "sending", changes, ...known });
    await this.#ensureOwn();
  }

  /**
   * To be awaited right before what is being sent leaves, and before each retry: it may have had to wait long.
   *
   * @throws {PlanStateError} when another process has taken over.
   */
  async leaving(): Promise<void> {
    for (let asked = -Infinity; this.#now() - asked > OLD_ANSWER_SECONDS * 1000;) {
      if (this.#now() - this.#writtenAt > STALE_SECONDS * 1000) await this.#append({ event: "retrying" });
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
    if (verdicts.length > 0) await this.#append({ event: "answered", verdicts });
  }

  /** Writes down that nothing is left to do; not when another process has taken over. */
  async end(): Promise<void> {
    if (await this.#isOwn()) await this.#append({ event: "end" });
  }

  /**
   * Writes down that what is not done is never to be sent.
   *
   * @throws {PlanStateError} when another process has taken over.
   */
  async abandon(): Promise<void> {
    await this.#append({ event: "abandoned" });
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

  /** Removes the journal, because nothing was done after all; not when another process has taken it over. Never fails. */
  async discard(): Promise<void> {
    if (await this.#isOwn().catch(() => false)) await this.file.remove().catch(() => {});
  }

  async #append(event: Record<string, unknown>, { ownLine = false } = {}): Promise<void> {
    const line = this.#line(event);
    const text = this.#cutShort ? `${CUT_MARK}\n${line}` : ownLine ? `\n${line}` : line;
    try {
      await this.file.append(text);
    } catch (error) {
      await this.#removePartOf(text);
      throw error;
    }
    this.#length += text.length;
    this.#cutShort = false;
  }

  /** A full disk may take a part of a line. What does not count must not look like another process's work either. */
  async #removePartOf(line: string): Promise<void> {
    const rest = (await this.file.read().catch(() => "")).slice(this.#length);
    if (rest !== "" && line.startsWith(rest)) await this.file.truncate(this.#length).catch(() => {});
  }

  async #isOwn(): Promise<boolean> {
    return await this.file.size() === this.#length;
  }

  async #ensureOwn(): Promise<void> {
    if (await this.#isOwn()) return;
    throw new PlanStateError(
      `Cannot go on sending: another process has taken over the journal "${this.file.name}". Nothing more is sent from here`,
      "applied",
    );
  }

  /** Plain ASCII, so that its length in the file is its length here, wherever a crash cuts it. */
  #line(event: Record<string, unknown>): string {
    this.#writtenAt = this.#now();
    const text = JSON.stringify({ ...event, at: new Date(this.#writtenAt).toISOString() });
    const escape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
    return `${text.replace(/[\u0080-\uffff]/g, escape)}\n`;
  }
}

function verdictOf(change: number, { outcome, id, error }: ChangeResult): JournalVerdict {
  if (outcome === "done" || outcome === "already") {
    return { change, outcome: "done", ...(id === undefined ? {} : { id }) };
  }
  // What failed for the moment is settled by reading: a platform that is busy or failing may not know what it did.
  const isOpen = outcome === "refused" && error?.transient === true;
  return {
    change,
    outcome: isOpen ? "unknown" : outcome,
    ...(error === undefined ? {} : { code: error.code, message: error.message }),
  };
}
