import { readSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { type TemporaryFile, temporaryFile } from "../../base/runtime/temporary_file.ts";
import { ConfigurationError } from "../../errors.ts";

/** Number of values kept in memory; files of usual size need no temporary file. */
const KEPT = 4096;
const GROUP = 32;
const MAX_READ = 8;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * List of any length in bounded memory; values beyond the first ones are stored as JSON in a temporary file. The file
 * is unlinked after opening, so it disappears even if the process is killed.
 */
export class Spill<Value> {
  readonly #kept: Value[] = [];
  readonly #group: Value[] = [];
  readonly #offsets = [0];
  readonly #read = new Map<number, readonly Value[]>();
  #file: TemporaryFile | undefined;
  #buffer = new Uint8Array(0);
  readonly #folder: string;

  constructor(folder: string = tmpdir()) {
    this.#folder = folder;
  }

  get length(): number {
    return this.#kept.length + (this.#offsets.length - 1) * GROUP + this.#group.length;
  }

  /** @throws {ConfigurationError} when the temporary file cannot be written. */
  push(value: Value): void {
    if (this.#kept.length < KEPT) {
      this.#kept.push(value);
      return;
    }
    this.#group.push(value);
    if (this.#group.length < GROUP) return;
    const bytes = encoder.encode(JSON.stringify(this.#group));
    const at = this.#offsets.at(-1) ?? 0;
    this.#write(bytes, at);
    this.#offsets.push(at + bytes.length);
    this.#group.length = 0;
  }

  at(index: number): Value | undefined {
    if (index < KEPT) return this.#kept[index];
    const group = Math.floor((index - KEPT) / GROUP);
    const place = (index - KEPT) % GROUP;
    if (group >= this.#offsets.length - 1) {
      return group === this.#offsets.length - 1 ? this.#group[place] : undefined;
    }
    let values = this.#read.get(group);
    // The oldest comes first.
    if (values !== undefined) this.#read.delete(group);
    else {
      values = this.#valuesOf(group);
      const [oldest] = this.#read.keys();
      if (oldest !== undefined && this.#read.size >= MAX_READ) this.#read.delete(oldest);
    }
    this.#read.set(group, values);
    return values[place];
  }

  *[Symbol.iterator](): Generator<Value> {
    yield* this.#kept;
    for (let group = 0; group < this.#offsets.length - 1; group++) yield* this.#valuesOf(group);
    yield* this.#group;
  }

  close(): void {
    this.#file?.close();
    this.#file = undefined;
  }

  #write(bytes: Uint8Array, at: number): void {
    try {
      this.#file ??= temporaryFile(this.#folder);
      for (let done = 0; done < bytes.length;) {
        done += writeSync(this.#file.handle, bytes, done, bytes.length - done, at + done);
      }
    } catch (cause) {
      throw new ConfigurationError(
        `Cannot read so many rows: no temporary file can be written in ${this.#folder} (${
          cause instanceof Error ? cause.message : String(cause)
        }). Make room there, or name another folder with TMPDIR`,
        { cause },
      );
    }
  }

  #valuesOf(group: number): readonly Value[] {
    const [start = 0, end = 0] = this.#offsets.slice(group, group + 2);
    const length = end - start;
    if (this.#buffer.length < length) this.#buffer = new Uint8Array(length * 2);
    for (let done = 0; done < length && this.#file !== undefined;) {
      const count = readSync(this.#file.handle, this.#buffer, done, length - done, start + done);
      if (count === 0) break;
      done += count;
    }
    return JSON.parse(decoder.decode(this.#buffer.subarray(0, length)));
  }
}
