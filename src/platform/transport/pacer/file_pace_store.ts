import { fieldsOf } from "../../../base/json/fields_of.ts";
import { withFileLock } from "../../../base/runtime/file_lock.ts";
import type { FileSystem } from "../../../base/runtime/file_system.ts";
import { GatheredChanges } from "./gathered_changes.ts";
import { laneRecord } from "./lane.ts";
import { newPaceState, type PaceState, type PaceStore, readPaceState } from "./pace_store.ts";

/** Milliseconds. Work under the lock is short, and waiting for it must not delay requests long. */
const LOCK = { lease: 2_000, maxWait: 5_000, pause: 6 };

interface StoredState extends PaceState {
  writtenAt: number;
}

/**
 * Shares pacing between processes of one machine through a small file. A process batches its changes and writes them
 * under a lock file. Nothing waits for the disk, since the state is worthless after a machine crash. While the file is
 * unusable, each process paces itself.
 */
export class FilePaceStore implements PaceStore {
  readonly isShared = true;
  readonly #path: string;
  readonly #changes = new GatheredChanges();
  #working: Promise<void> | undefined;
  #own = newPaceState();

  constructor(path: string) {
    this.#path = path;
  }

  update<T>(change: (state: PaceState, now: number) => T): Promise<T> {
    const result = this.#changes.add(change);
    this.#working ??= this.#work();
    return result;
  }

  /** Finishes pending changes. Without it, a process may leave the lock behind. */
  async close(): Promise<void> {
    await this.#working;
  }

  async #work(): Promise<void> {
    while (!this.#changes.isEmpty) {
      let settle: (() => void)[] = [];
      try {
        const done = await withFileLock(`${this.#path}.lock`, LOCK, async (files) => {
          const state = await this.#read(files);
          const writtenAt = Date.now();
          const made = this.#changes.applyTo(state, writtenAt);
          const text = JSON.stringify({ ...state, writtenAt });
          await files.writeText(this.#path, text, { mode: 0o600, durable: false });
          this.#changes.written();
          this.#own = state;
          settle = made;
        });
        if (done === undefined) settle = this.#applyToOwn();
      } catch {
        settle.push(...this.#applyToOwn());
      }
      for (const done of settle) done();
    }
    // At once, so that no change comes between the last look and this.
    this.#working = undefined;
  }

  #applyToOwn(): (() => void)[] {
    return this.#changes.applyToOwn(this.#own, Date.now());
  }

  async #read(files: FileSystem): Promise<PaceState> {
    let stored: unknown;
    try {
      stored = JSON.parse(await files.readText(this.#path));
    } catch {
      return newPaceState();
    }
    if (!isStored(stored)) return newPaceState();
    const { writtenAt } = stored;
    const state = readPaceState(stored);
    const now = Date.now();
    if (writtenAt <= now + 1000) return state;
    // A clock that was set back: only the rest of each pause is known.
    return restOfPauses(state, { writtenAt, now });
  }
}

function restOfPauses(
  { pausedUntil, lanes }: PaceState,
  { writtenAt, now }: { writtenAt: number; now: number },
): PaceState {
  const rest = (until: number): number => now + Math.max(0, until - writtenAt);
  const state = { ...newPaceState(), pausedUntil: rest(pausedUntil) };
  for (const [name, { pauses }] of Object.entries(lanes)) {
    for (const [profile, { until }] of Object.entries(pauses)) {
      laneRecord(state, name).pauses[profile] = { since: now, until: rest(until) };
    }
  }
  return state;
}

function isStored(value: unknown): value is StoredState {
  const { writtenAt, pausedUntil, lanes } = fieldsOf(value);
  return typeof writtenAt === "number" && typeof pausedUntil === "number" && typeof lanes === "object" &&
    lanes !== null;
}
