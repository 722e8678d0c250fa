import { ConfigurationError } from "../errors.ts";
import { withFileLock } from "../runtime/file_lock.ts";
import { fileSystem } from "../runtime/file_system.ts";
import type { DayTotals, WriteTotals } from "./day_totals.ts";

/** The value that a field had before its first change of a day. */
export interface FirstValue {
  /** Resource kind, for example `sp.keywords`. */
  readonly kind: string;
  /** Id of the entity. */
  readonly id: string;
  /** Which of its amounts. */
  readonly field: "bid" | "budget";
  /** The amount in the account's currency. */
  readonly value: number;
}

/** What a plan takes of a day's limits. */
export interface DayEntry extends WriteTotals {
  /** Amounts that this plan moves for the first time on the day. */
  readonly first: readonly FirstValue[];
}

/** Remembers what was applied to each profile on each day, for limits that hold for a day. */
export interface DayLedger {
  /**
   * Shows the totals of a day to `decide` and records the entry that it returns, in one step: of several processes
   * that decide at once, each sees what the ones before it took. A `decide` that throws records nothing.
   *
   * @param place The day is one in the market's time zone.
   * @param entry.key Names the plan. With `resumes` the entry replaces the last one of that name, which a process that
   * died left behind.
   * @returns What to call with the entry as it was in the end, once the plan was sent.
   */
  reserve(
    place: { readonly profileId: string; readonly day: string },
    entry: {
      readonly key: string;
      readonly resumes: boolean;
      readonly decide: (today: DayTotals) => DayEntry;
    },
  ): Promise<(actual: WriteTotals) => Promise<void>>;
  /** The totals of a day. */
  totals(place: { readonly profileId: string; readonly day: string }): Promise<DayTotals>;
}

/** One line of a day's file: an entry, or the outcome of an earlier one. */
interface Line extends DayEntry {
  readonly id: string;
  readonly key: string;
  readonly at: string;
}

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
    { key, resumes, decide }: {
      readonly key: string;
      readonly resumes: boolean;
      readonly decide: (today: DayTotals) => DayEntry;
    },
  ): Promise<(actual: WriteTotals) => Promise<void>> {
    const path = this.#path(place);
    const id = await this.#locked(path, async () => {
      const lines = await this.#lines(path);
      const earlier = resumes ? lines.findLast((line) => line.key === key)?.id : undefined;
      const entry = decide(totalsOf(lines, earlier));
      const own = earlier ?? crypto.randomUUID();
      await this.#append(path, { ...entry, id: own, key, at: this.#time() });
      return own;
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

  async #append(path: string, line: Line): Promise<void> {
    await fileSystem().appendText(path, JSON.stringify(line) + "\n");
  }

  async #lines(path: string): Promise<Line[]> {
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
        if (isLine(parsed)) return parsed;
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

function isLine(value: unknown): value is Line {
  if (typeof value !== "object" || value === null) return false;
  return "id" in value && "changes" in value && typeof value.changes === "number" && "first" in value &&
    Array.isArray(value.first);
}

/** A later line about an entry replaces its counts; the first values stay. One entry can be left out. */
function totalsOf(lines: readonly Line[], leftOut?: string): DayTotals {
  const last = new Map<string, Line>();
  const first = new Map<string, number>();
  for (const line of lines) {
    if (line.id !== leftOut) last.set(line.id, line);
    for (const { kind, id, field, value } of line.first) {
      const key = `${kind} ${id} ${field}`;
      if (!first.has(key)) first.set(key, value);
    }
  }
  const sum = { changes: 0, creates: 0, updates: 0, archives: 0 };
  let spend: number | undefined = 0;
  for (const { changes, creates, updates, archives, spendIncrease } of last.values()) {
    sum.changes += changes;
    sum.creates += creates;
    sum.updates += updates;
    sum.archives += archives;
    // JSON has no undefined: an increase that is unknown is absent or null.
    spend = spend === undefined || typeof spendIncrease !== "number" ? undefined : spend + spendIncrease;
  }
  return {
    ...sum,
    spendIncrease: spend,
    firstValue: (kind, id, field) => first.get(`${kind} ${id} ${field}`),
  };
}
