import { ConfigurationError } from "../../errors.ts";
import { fieldsOf } from "../../base/json/fields_of.ts";
import { jsonLine, jsonLinesOf } from "../../base/text/lines.ts";
import { withFileLock } from "../../base/runtime/file_lock.ts";
import { fileSystem } from "../../base/runtime/file_system.ts";
import type { DayTotals, WriteTotals } from "../state/day_totals.ts";
import { sha256 } from "../../base/text/sha256.ts";
import type {
  DayLedger,
  EndReservation,
  LedgerAttempt,
  LedgerLine,
  Reservation,
  SentPlan,
  SentWrite,
} from "../state/day_ledger.ts";
import { SENT_RECORD_DAYS } from "../state/sent_record.ts";
import { endedLine, isLedgerLine, reservedLine, totalsBeside, withdrawnLine } from "../state/ledger_lines.ts";

const SENT = "sent-";

/**
 * Keeps the ledger in a folder: one file of JSON lines for each profile and day. Every program that applies plans to the
 * same accounts shares it.
 *
 * @example
 * ```ts
 * import { FolderLedger, loadPolicy } from "@platform/ads/policy";
 *
 * async function strict(folder: string): Promise<void> {
 *   const policy = await loadPolicy("policy.yaml", { ledger: new FolderLedger(folder) });
 *   console.log(policy.rules.map(({ name, level }) => `${name}: ${level}`));
 * }
 * ```
 */
export class FolderLedger implements DayLedger {
  /** Path of the folder; created with the first entry. */
  readonly folder: string;
  readonly #now: () => number;
  readonly #lease: number;

  /**
   * Creates a ledger in a folder; nothing is read or written yet.
   *
   * @param options.now Milliseconds since the epoch. @default Date.now
   * @param options.lockLease Seconds after which the lock of a process that died is taken over. @default 15
   */
  constructor(folder: string, options: { readonly now?: () => number; readonly lockLease?: number } = {}) {
    this.folder = folder;
    this.#lease = (options.lockLease ?? 15) * 1000;
    this.#now = options.now ?? Date.now;
  }

  /** See {@linkcode DayLedger.reserve}. */
  async reserve(
    place: { readonly profileId: string; readonly day: string },
    reservation: Reservation,
  ): Promise<EndReservation> {
    const path = this.#path(place);
    const own = await this.#locked(path, () => this.#decide(path, reservation));
    return (actual) => this.#locked(path, () => this.#end(path, own, actual));
  }

  async #end(path: string, own: LedgerLine, actual?: WriteTotals): Promise<void> {
    const after = await this.#whole(path);
    const line = actual === undefined
      ? withdrawnLine(linesOf(after, path), own, this.#time())
      : endedLine(own, actual, this.#time());
    if (line !== undefined) await this.#append(path, { line, after });
  }

  /** See {@linkcode DayLedger.totals}. */
  async totals(
    place: { readonly profileId: string; readonly day: string },
    attempt?: LedgerAttempt,
  ): Promise<DayTotals> {
    const path = this.#path(place);
    return totalsBeside(linesOf(await this.#whole(path), path), attempt);
  }

  /** A process that froze and lost the lock detects newer entries, withdraws its own and decides again. */
  async #decide(path: string, reservation: Reservation): Promise<LedgerLine> {
    while (true) {
      const before = await this.#whole(path);
      const lines = linesOf(before, path);
      const line = reservedLine(lines, reservation, this.#time());
      if (await this.#append(path, { line, after: before })) return line;
      await this.#end(path, line);
    }
  }

  /** See {@linkcode DayLedger.keepSent}. */
  async keepSent(plan: SentPlan, writes: readonly SentWrite[]): Promise<void> {
    if (writes.length === 0) return;
    const files = fileSystem();
    const path = this.#sentPath(plan);
    const at = this.#time();
    const lines = writes.map((write) => jsonLine({ at, ...write })).join("");
    await this.#locked(path, () => files.appendText(path, lines));
    for (const name of await files.list(this.folder)) {
      if (!name.startsWith(SENT) || !name.endsWith(".jsonl")) continue;
      const old = files.join(this.folder, name);
      if (old !== path && (await this.#sent(old)).length === 0) await files.remove(old);
    }
  }

  /** See {@linkcode DayLedger.sentBy}. */
  async sentBy(plan: SentPlan): Promise<readonly SentWrite[]> {
    return await this.#sent(this.#sentPath(plan));
  }

  async #sent(path: string): Promise<readonly SentWrite[]> {
    const since = this.#now() - SENT_RECORD_DAYS * 86_400_000;
    const text = await fileSystem().readText(path).catch(() => "");
    return jsonLinesOf(text).flatMap(({ value }) => {
      const { at, ...write } = fieldsOf(value) as Partial<SentWrite> & { at?: string };
      return Date.parse(at ?? "") >= since ? [write as SentWrite] : [];
    });
  }

  #sentPath({ profileId, planId }: SentPlan): string {
    return fileSystem().join(this.folder, `${SENT}${profileId}-${sha256(planId).slice(0, 32)}.jsonl`);
  }

  async #locked<Result>(path: string, step: () => Promise<Result>): Promise<Result> {
    const lock = `${path}.lock`;
    const done = await withFileLock(lock, { lease: this.#lease, maxWait: 2 * this.#lease + 30_000 }, step);
    if (done !== undefined) return done.result;
    throw new ConfigurationError(
      `Cannot lock "${lock}": another process holds it. If none is running, delete the file`,
    );
  }

  #path({ profileId, day }: { readonly profileId: string; readonly day: string }): string {
    return fileSystem().join(this.folder, `${profileId}-${day}.jsonl`);
  }

  #time(): string {
    return new Date(this.#now()).toISOString();
  }

  /** Returns false if the file grew since `after` was read. */
  async #append(path: string, { line, after }: { line: LedgerLine; after: string }): Promise<boolean> {
    const files = fileSystem();
    const text = jsonLine(line);
    const there = await files.size(path).catch(() => 0);
    const length = new TextEncoder().encode(after).length;
    // A full disk or a crash cut the last line short: its writer got an error and sent nothing.
    if (
      there > length && (await files.readText(path)).startsWith(after) && (await this.#whole(path)) === after
    ) {
      await files.truncate(path, length);
    }
    await files.appendText(path, text);
    return (await files.readText(path)).startsWith(after + text);
  }

  async #whole(path: string): Promise<string> {
    try {
      const text = await fileSystem().readText(path);
      return text.slice(0, text.lastIndexOf("\n") + 1);
    } catch (error) {
      if ((error as { code?: string }).code === "ENOENT") return "";
      throw error;
    }
  }
}

function linesOf(text: string, path: string): LedgerLine[] {
  return jsonLinesOf(text).map(({ number, value }) => {
    if (isLedgerLine(value)) return value;
    throw new ConfigurationError(
      `Cannot count today's changes: line ${number} of "${path}" is damaged. Nothing is sent under a ` +
        "policy until the file is repaired or the day ends",
    );
  });
}
