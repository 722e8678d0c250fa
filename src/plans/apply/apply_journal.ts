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

interface PlanBodies {
  readonly requests?: string | undefined;
}

const STALE_SECONDS = 1;
/** Seconds after which an earlier ownership check no longer counts, because the process may have been frozen. */
const OLD_ANSWER_SECONDS = 10;

/**
 * Write-ahead journal of a plan's application, one JSON line per event: a request is on disk before it is sent, and
 * its response before the next request. Lines cut short by a crash are ignored.
 *
 * A process that resumes first appends a line. The previous writer, if alive, notices that the file grew and stops
 * sending. Nothing is ever removed, so that a frozen process cannot destroy another one's entries; an attempt that did
 * nothing ends with a line that discards it.
 */
export class ApplyJournal {
  readonly file: JournalFile;
  readonly #now: () => number;
  readonly #attempt = crypto.randomUUID();
  #length = 0;
  #writtenAt = 0;
  #cutShort = false;
  #left = "";

  constructor(place: string | JournalFile, now: () => number = Date.now) {
    this.file = typeof place === "string" ? journalFile(place) : place;
    this.#now = now;
  }

  /**
   * `bodies` is the hash of the request bodies, as in the signed approval.
   *
   * @throws {PlanStateError} when the plan was already applied, or its application was interrupted.
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
   * Leaves the plan to queue workers, so that nothing local applies it. If it is already on that queue, a pending
   * {@linkcode ApplyJournal.takeBack} becomes invalid.
   *
   * @param where Location of the queue, without secrets.
   * @returns false when the plan was already begun, or is on another queue.
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
   * No effect if the plan was taken back or queued again since `attempt`. Without a workers' journal, nothing of the
   * plan was done.
   */
  async takeBack(attempt: string | undefined, journal: string | undefined): Promise<void> {
    await this.#append(`\n${this.#line({ event: "discarded", attempt, journal })}`);
  }

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

  /** @throws {PlanStateError} as {@linkcode ApplyJournal.read}, and when another process takes over too. */
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
   * `lookalikes` are similar existing entities, by change.
   *
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
   * Call right before each request and each retry. The hash of a body is written only once.
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
   * Keys are positions in the plan. After another process has taken over, only completed changes are recorded, since
   * it may have sent the rest.
   */
  async answered(results: ReadonlyMap<number, ChangeResult>): Promise<void> {
    const isOwn = await this.#isOwn();
    const verdicts = [...results].map(([change, result]) => verdictOf(change, result))
      .filter(({ outcome }) => isOwn || outcome === "done");
    if (verdicts.length > 0) await this.#append(this.#line({ event: "answered", verdicts }));
  }

  async end(): Promise<void> {
    if (await this.#isOwn()) await this.#append(this.#line({ event: "end" }));
  }

  /** Records that this process sends nothing more, although changes are left. Never throws. */
  async stop(): Promise<void> {
    try {
      if (await this.#isOwn()) await this.#append(this.#line({ event: "stopped" }));
    } catch {
      // It then counts as being resumed, as after a crash.
    }
  }

  async abandon(): Promise<void> {
    await this.#append(this.#line({ event: "abandoned" }));
    await this.#ensureOwn();
  }

  /**
   * Returns the statuses from the journal of a process that has taken over: `undefined` while this process owns the
   * journal, none if the other journal is unreadable. Never throws.
   */
  async takenOver(plan: PlanData): Promise<readonly ChangeStatus[] | undefined> {
    if (await this.#isOwn().catch(() => true)) return undefined;
    const reading = readJournal(await this.file.read().catch(() => ""), plan);
    return typeof reading === "string" ? [] : reading.statuses;
  }

  /**
   * Marks the attempt as having done nothing, so that the plan can be applied again. No effect after another process
   * has taken over. Never throws; a failed discard can be resumed.
   */
  async discard(): Promise<void> {
    try {
      if (openAttempt(await this.file.read())?.writer !== this.#attempt) return;
      await this.#append(`\n${this.#line({ event: "discarded", attempt: this.#attempt })}`);
    } catch {
      // It stays begun.
    }
  }

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

  /** A full disk may write part of a line, which must not look like another process's entry. */
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

  /** ASCII only, so that string length equals file length wherever a crash cuts the line. */
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
