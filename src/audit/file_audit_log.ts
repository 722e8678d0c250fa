import { mkdir, rename, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { ConfigurationError, PlatformAdsError } from "../errors.ts";
import { withFileLock } from "../runtime/file_lock.ts";
import { fileSystem } from "../runtime/file_system.ts";
import {
  type ChainEnd,
  cutOff,
  entryText,
  hashOf,
  nextEntry,
  NO_ENTRIES,
  parseEntry,
} from "./audit_chain.ts";
import { firstLine, fullFileName, fullFiles, linesOf, tailOf } from "./audit_files.ts";
import type { AuditLine, AuditLog } from "./audit_log.ts";
import type { AuditEntry, AuditRecord } from "./audit_record.ts";

/** How a file is begun anew. */
export interface FileAuditOptions {
  /** Bytes from which on a new file is begun; one is begun every day (UTC) as well. @default 64 MB */
  readonly maxBytes?: number;
  /** Seconds after which the lock of a process that died is taken over. @default 5 */
  readonly lockLease?: number;
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number;
}

interface FileEnd extends ChainEnd {
  /** Bytes of the file. */
  readonly size: number;
  /** Number and time of its first entry; `undefined` for an empty file. */
  readonly first: { readonly n: number; readonly at: string } | undefined;
  /** Text after its last whole line. */
  readonly rest: string;
}

/**
 * Keeps the log in a file of JSON lines. A file that is full, or of another day, is renamed, and the chain goes on in a
 * new one. Any number of processes may write to it.
 */
export class FileAuditLog implements AuditLog {
  /** Path of the file. */
  readonly location: string;
  readonly #maxBytes: number;
  readonly #lease: number;
  readonly #now: () => number;
  #known: FileEnd | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  /** Names the file; nothing is opened yet. */
  constructor(path: string, { maxBytes = 64_000_000, lockLease = 5, now = Date.now }: FileAuditOptions = {}) {
    this.location = path;
    this.#maxBytes = maxBytes;
    this.#lease = lockLease * 1000;
    this.#now = now;
  }

  /** See {@linkcode AuditLog.prepare}. */
  async prepare(): Promise<void> {
    await fileSystem().createText(this.location, "", { mode: 0o600 });
    await fileSystem().appendText(this.location, "");
  }

  /** See {@linkcode AuditLog.append}. */
  append(record: AuditRecord): Promise<AuditEntry> {
    // One after the other in this process; the lock is for the others.
    const appended = this.#turn.then(() => this.#locked(() => this.#append(record)));
    this.#turn = appended.catch(() => {});
    return appended;
  }

  /** See {@linkcode AuditLog.lines}. */
  async *lines(): AsyncGenerator<AuditLine> {
    const files = await fullFiles(this.location);
    if (await sizeOf(this.location) !== undefined) files.push(this.location);
    if (files.length === 0) {
      throw new ConfigurationError(`Cannot read "${this.location}": there is no such file`);
    }
    for (const file of files) yield* linesOf(file);
  }

  /** See {@linkcode AuditLog.close}. */
  async close(): Promise<void> {
    await this.#turn;
  }

  async #append(record: AuditRecord): Promise<AuditEntry> {
    const at = new Date(this.#now()).toISOString();
    let end = await this.#end();
    const { first } = end;
    const isOver = first !== undefined &&
      (end.size >= this.#maxBytes || first.at.slice(0, 10) !== at.slice(0, 10));
    if (isOver && end.rest === "") {
      await rename(this.location, fullFileName(this.location, first));
      end = { ...end, size: 0, first: undefined };
    }
    // A line that has no end is named by the entry after it; one that is whole but for its end is an entry itself.
    const kept = end.rest === "" ? undefined : parseEntry(end.rest);
    const isKept = kept !== undefined && kept.previous === end.hash && hashOf(kept) === kept.hash;
    const cut = end.rest === "" || isKept ? undefined : cutOff(end.rest);
    const entry = nextEntry(record, isKept ? kept : end, { at, cut });
    const text = `${end.rest === "" ? "" : "\n"}${entryText(entry)}\n`;
    this.#known = undefined;
    await fileSystem().appendText(this.location, text);
    this.#known = {
      n: entry.n,
      hash: entry.hash,
      size: end.size + new TextEncoder().encode(text).length,
      first: end.first ?? entry,
      rest: "",
    };
    return entry;
  }

  /** The end of the file as it is now: the one that is known, unless another process has written since. */
  async #end(): Promise<FileEnd> {
    const size = await sizeOf(this.location);
    if (this.#known !== undefined && this.#known.size === size) return this.#known;
    if (size !== undefined && size > 0) return await this.#endOf(this.location);
    await mkdir(dirname(this.location), { recursive: true });
    const newest = (await fullFiles(this.location)).at(-1);
    if (newest === undefined) return { ...NO_ENTRIES, size: 0, first: undefined, rest: "" };
    return { ...await this.#endOf(newest), size: 0, first: undefined };
  }

  async #endOf(path: string): Promise<FileEnd> {
    const { size, last, rest } = await tailOf(path);
    const first = parseEntry(await firstLine(path) ?? "");
    // A file of which even the first line was cut off begins the chain, or goes on with that of the file before.
    if (last === undefined) {
      const newest = (await fullFiles(this.location)).filter((file) => file !== path).at(-1);
      const before = newest === undefined ? NO_ENTRIES : await this.#endOf(newest);
      return { n: before.n, hash: before.hash, size, first, rest };
    }
    const entry = parseEntry(last);
    if (entry === undefined) {
      throw new PlatformAdsError(
        `Cannot go on with the audit log "${path}": its last line is damaged. Look at it with adsctl audit verify, ` +
          "and begin a new file",
      );
    }
    return { n: entry.n, hash: entry.hash, size, first: first ?? entry, rest };
  }

  async #locked<Result>(step: () => Promise<Result>): Promise<Result> {
    const lock = `${this.location}.lock`;
    const done = await withFileLock(lock, { lease: this.#lease, maxWait: 2 * this.#lease + 5_000 }, step);
    if (done !== undefined) return done.result;
    throw new PlatformAdsError(
      `Cannot lock "${lock}": other processes hold it. Remove the file if none does`,
    );
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  return await stat(path).then(({ size }) => size, (error: { code?: string }) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
}
