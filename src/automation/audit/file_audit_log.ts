import { mkdir, open, readdir, rename, stat } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { ConfigurationError, PlatformAdsError } from "../../errors.ts";
import { withFileLock } from "../../base/runtime/file_lock.ts";
import { fileSystem } from "../../base/runtime/file_system.ts";
import {
  type ChainEnd,
  cutOff,
  entryText,
  hashOf,
  nextEntry,
  NO_ENTRIES,
  parseEntry,
} from "./audit_chain.ts";
import type { AuditEntry, AuditLine, AuditLog, AuditRecord } from "./audit_log.ts";
import { createReadStream } from "node:fs";

export interface FileAuditOptions {
  /**
   * Size in bytes at which a new file is started; a new file is also started daily (UTC).
   *
   * @default 64 MB
   */
  readonly maxBytes?: number;
  /**
   * Seconds until the lock of a dead process is taken over.
   *
   * @default 5
   */
  readonly lockLease?: number;
  /**
   * Returns epoch milliseconds.
   *
   * @default Date.now
   */
  readonly now?: () => number;
}

const MAX_TRIES = 5;

interface FileEnd extends ChainEnd {
  readonly size: number;
  readonly first: { readonly n: number; readonly at: string } | undefined;
  readonly rest: string;
}

/**
 * Log in a JSON Lines file. If the file is full or from another day, it is renamed and the chain continues in a new
 * one. Safe for concurrent processes.
 */
export class FileAuditLog implements AuditLog {
  readonly location: string;
  readonly #maxBytes: number;
  readonly #lease: number;
  readonly #now: () => number;
  #known: FileEnd | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(path: string, { maxBytes = 64_000_000, lockLease = 5, now = Date.now }: FileAuditOptions = {}) {
    this.location = path;
    this.#maxBytes = maxBytes;
    this.#lease = lockLease * 1000;
    this.#now = now;
  }

  async prepare(): Promise<void> {
    await fileSystem().createText(this.location, "", { mode: 0o600 });
    await fileSystem().appendText(this.location, "");
  }

  append(record: AuditRecord): Promise<AuditEntry> {
    // One after the other in this process; the lock is for the others.
    const appended = this.#turn.then(() => this.#locked((isHeld) => this.#append(record, isHeld)));
    this.#turn = appended.catch(() => {});
    return appended;
  }

  async *lines(): AsyncGenerator<AuditLine> {
    const files = await fullFiles(this.location);
    if (await sizeOf(this.location) !== undefined) files.push(this.location);
    if (files.length === 0) {
      throw new ConfigurationError(`Cannot read "${this.location}": there is no such file`);
    }
    for (const file of files) yield* linesOf(file);
  }

  async close(): Promise<void> {
    await this.#turn;
  }

  /** Appends a record; `undefined` if the lock was lost before anything was written. */
  async #append(record: AuditRecord, isHeld: () => Promise<boolean>): Promise<AuditEntry | undefined> {
    const at = new Date(this.#now()).toISOString();
    let end = await this.#end();
    const { first } = end;
    const isOver = first !== undefined &&
      (end.size >= this.#maxBytes || first.at.slice(0, 10) !== at.slice(0, 10));
    if (isOver && end.rest === "") {
      if (!await isHeld()) return undefined;
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
    // This process may have been suspended for longer than the lease, and another one may have written since.
    if (!await isHeld()) return undefined;
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

  /** Returns the end of the file; the known end is reused unless another process has written since. */
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
        `Cannot go on with the audit log "${path}": its last line is damaged. Look at it with verifyAudit(), ` +
          "and begin a new file",
      );
    }
    return { n: entry.n, hash: entry.hash, size, first: first ?? entry, rest };
  }

  async #locked<Result>(
    step: (isHeld: () => Promise<boolean>) => Promise<Result | undefined>,
  ): Promise<Result> {
    const lock = `${this.location}.lock`;
    const options = { lease: this.#lease, maxWait: 2 * this.#lease + 5_000 };
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const done = await withFileLock(lock, options, (_, isHeld) => step(isHeld));
      if (done === undefined) break;
      if (done.result !== undefined) return done.result;
    }
    throw new PlatformAdsError(
      `Cannot lock "${lock}": another process holds it. If none is running, delete the file`,
    );
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  return await stat(path).then(({ size }) => size, (error: { code?: string }) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
}

const DIGITS = 12;
/** Bytes to read at the end of the file; much larger than any entry, so they contain the last one. */
const TAIL = 256 * 1024;

function fullFileName(path: string, first: { readonly n: number; readonly at: string }): string {
  const [stem, extension] = parts(path);
  return join(
    dirname(path),
    `${stem}.${first.at.slice(0, 10)}.${String(first.n).padStart(DIGITS, "0")}${extension}`,
  );
}

async function fullFiles(path: string): Promise<string[]> {
  const [stem, extension] = parts(path);
  const names = await readdir(dirname(path)).catch((error: { code?: string }) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const pattern = /^\d{4}-\d\d-\d\d\.(\d{12})$/;
  return names
    .filter((name) => name.startsWith(`${stem}.`) && name.endsWith(extension))
    .map((name) => ({
      name,
      number: pattern.exec(name.slice(stem.length + 1, name.length - extension.length))?.[1],
    }))
    .filter(({ number }) => number !== undefined)
    .sort((a, b) => Number(a.number) - Number(b.number))
    .map(({ name }) => join(dirname(path), name));
}

async function* linesOf(source: string): AsyncGenerator<AuditLine> {
  let line = 0;
  let open = "";
  for await (const chunk of createReadStream(source, "utf8")) {
    const texts = (open + String(chunk)).split("\n");
    open = texts.pop()!;
    for (const text of texts) yield { source, line: ++line, text, isWhole: true };
  }
  if (open !== "") yield { source, line: ++line, text: open, isWhole: false };
}

async function tailOf(
  path: string,
): Promise<{ size: number; last: string | undefined; rest: string }> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const length = Math.min(size, TAIL);
    const { buffer } = await file.read(new Uint8Array(length), 0, length, size - length);
    const text = new TextDecoder().decode(buffer);
    const end = text.lastIndexOf("\n");
    if (end === -1) return { size, last: undefined, rest: text };
    return { size, last: text.slice(text.lastIndexOf("\n", end - 1) + 1, end), rest: text.slice(end + 1) };
  } finally {
    await file.close();
  }
}

async function firstLine(path: string): Promise<string | undefined> {
  for await (const { text } of linesOf(path)) return text;
  return undefined;
}

function parts(path: string): [stem: string, extension: string] {
  const extension = extname(path);
  return [basename(path, extension), extension];
}
