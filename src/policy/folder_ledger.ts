import { ConfigurationError } from "../errors.ts";
import { withFileLock } from "../runtime/file_lock.ts";
import { fileSystem } from "../runtime/file_system.ts";
import type { DayTotals, WriteTotals } from "../plans/day/day_totals.ts";

import type { DayLedger, LedgerLine, Reservation } from "../plans/day/day_ledger.ts";
import { isLedgerLine, reservedLine, totalsOf } from "../plans/day/ledger_lines.ts";

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
  /** Path of the folder; made at the first entry. */
  readonly folder: string;
  readonly #now: () => number;
  readonly #lease: number;

  /**
   * Names the folder; nothing is read or written yet.
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
  ): Promise<(actual: WriteTotals) => Promise<void>> {
    const path = this.#path(place);
    const { id, key } = await this.#locked(path, async () => {
      const line = reservedLine(await this.#lines(path), reservation, this.#time());
      await this.#append(path, line);
      return line;
    });
    return async (actual) => {
      await this.#locked(
        path,
        () => this.#append(path, { ...actual, first: [], id, key, at: this.#time() }),
      );
    };
  }

  /** See {@linkcode DayLedger.totals}. */
  async totals(place: { readonly profileId: string; readonly day: string }): Promise<DayTotals> {
    return totalsOf(await this.#lines(this.#path(place)));
  }

  async #locked<Result>(path: string, step: () => Promise<Result>): Promise<Result> {
    const lock = `${path}.lock`;
    const done = await withFileLock(lock, { lease: this.#lease, maxWait: 2 * this.#lease + 30_000 }, step);
    if (done !== undefined) return done.result;
    throw new ConfigurationError(
      `Cannot lock "${lock}": other processes hold it. Remove the file if none does`,
    );
  }

  #path({ profileId, day }: { readonly profileId: string; readonly day: string }): string {
    return fileSystem().join(this.folder, `${profileId}-${day}.jsonl`);
  }

  #time(): string {
    return new Date(this.#now()).toISOString();
  }

  async #append(path: string, line: LedgerLine): Promise<void> {
    await fileSystem().appendText(path, JSON.stringify(line) + "\n");
  }

  async #lines(path: string): Promise<LedgerLine[]> {
    let text: string;
    try {
      text = await fileSystem().readText(path);
    } catch (error) {
      if ((error as { code?: string }).code === "ENOENT") return [];
      throw error;
    }
    return text.split("\n").filter((line) => line !== "").map((line, index) => {
      try {
        const parsed: unknown = JSON.parse(line);
        if (isLedgerLine(parsed)) return parsed;
      } catch {
        // Reported below, like a line of another form.
      }
      throw new ConfigurationError(
        `Cannot tell what was applied today: line ${
          index + 1
        } of "${path}" is damaged. Nothing is sent under a ` +
          "policy until the file is mended or its day is over",
      );
    });
  }
}
