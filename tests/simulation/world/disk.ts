import type { SimProcess } from "./sim_process.ts";

const NOTHING = new Uint8Array();

interface FileNode {
  /** Bytes that every process of the machine reads. */
  bytes: Uint8Array;
  /** Bytes that survive a power cut. */
  synced: Uint8Array;
}

type Failure = Error & { code: string; path: string };

/** An error without a stack, which takes longest to make: programs that want a lock meet thousands of them. */
function failure(code: string, path: string): Failure {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  const error = new Error(`${code}: simulated, "${path}"`);
  Error.stackTraceLimit = stackTraceLimit;
  return Object.assign(error, { code, path });
}

/**
 * The disk of one machine. A killed process leaves what it wrote, the last write perhaps in part; a power cut takes what
 * was not synced. Renames and removals are whole and lasting, as on a journalling file system.
 */
export class Disk {
  readonly #files = new Map<string, FileNode>();
  readonly #folders = new Set<string>(["/"]);

  /** Paths of all files, sorted. */
  paths(): string[] {
    return [...this.#files.keys()].sort();
  }

  /** A file's text; `undefined` for none. For the judges of a run, which see everything at once. */
  text(path: string): string | undefined {
    const node = this.#files.get(path);
    return node === undefined ? undefined : new TextDecoder().decode(node.bytes);
  }

  /** Puts a file there before a run begins. */
  put(path: string, text: string): void {
    const bytes = new TextEncoder().encode(text);
    this.#files.set(path, { bytes, synced: bytes });
    this.#folders.add(folderOf(path));
  }

  /** Takes what was not synced, of the last write all or a part. */
  cutPower(kept: (path: string, length: number) => number): void {
    for (const [path, node] of this.#files) {
      const { bytes, synced } = node;
      if (bytes === synced) continue;
      const isLonger = bytes.length > synced.length && synced.every((byte, at) => byte === bytes[at]);
      const rest = isLonger ? bytes.length - synced.length : 0;
      node.bytes = rest === 0 ? synced : bytes.slice(0, synced.length + kept(path, rest));
      node.synced = node.bytes;
    }
  }

  /** The part of Node's `fs/promises` that the library uses, as one process sees it. */
  files(process: SimProcess): Record<string, unknown> {
    const { world } = process;
    const step = <T>(what: string, path: string, run: () => T): Promise<T> =>
      world.disk(process, `${what} ${path}`, run);
    return {
      readFile: (path: string) => step("read", path, () => new TextDecoder().decode(this.#get(path).bytes)),
      open: (path: string, flags: string) =>
        step(`open ${flags}`, path, () => {
          this.#open(path, flags);
          return this.#handle(process, path);
        }),
      rename: (from: string, to: string) =>
        step(`rename ${from}`, to, () => {
          this.#files.set(to, this.#get(from));
          this.#files.delete(from);
        }),
      rm: (path: string, { force }: { force?: boolean } = {}) =>
        step("remove", path, () => {
          if (!this.#files.delete(path) && !force) throw failure("ENOENT", path);
        }),
      truncate: (path: string, length: number) =>
        step(`truncate ${length}`, path, () => {
          const node = this.#get(path);
          node.bytes = node.bytes.slice(0, length);
          node.synced = node.bytes;
        }),
      mkdir: (path: string) => step("mkdir", path, () => void this.#addFolder(path)),
      readdir: (path: string) =>
        step("list", path, () => {
          const names = this.paths().filter((file) => folderOf(file) === path).map((file) =>
            file.slice(path.length + 1)
          );
          if (names.length === 0 && !this.#folders.has(path)) throw failure("ENOENT", path);
          return names;
        }),
      stat: (path: string) =>
        step("stat", path, () => {
          const isFolder = this.#folders.has(path);
          return { size: isFolder ? 0 : this.#get(path).bytes.length, isDirectory: () => isFolder };
        }),
    };
  }

  #get(path: string): FileNode {
    const node = this.#files.get(path);
    if (node === undefined) throw failure("ENOENT", path);
    return node;
  }

  #addFolder(path: string): void {
    for (let at = path; at !== "/" && at !== "."; at = folderOf(at)) this.#folders.add(at);
  }

  #open(path: string, flags: string): void {
    const node = this.#files.get(path);
    if (flags === "r" && node === undefined) throw failure("ENOENT", path);
    if (flags === "r") return;
    if (!this.#folders.has(folderOf(path))) throw failure("ENOENT", path);
    if (flags.includes("x") && node !== undefined) throw failure("EEXIST", path);
    if (node === undefined) this.#files.set(path, { bytes: NOTHING, synced: NOTHING });
    else if (flags.startsWith("w")) node.bytes = NOTHING;
  }

  #handle(process: SimProcess, path: string): Record<string, unknown> {
    const { world } = process;
    // A file that is replaced or removed stays what it was for those who have it open.
    const node = this.#get(path);
    let at = 0;
    return {
      writeFile: (text: string) => {
        const bytes = new TextEncoder().encode(text);
        let isDone = false;
        const append = (count: number): void => {
          node.bytes = joined(node.bytes, bytes.subarray(0, count));
        };
        // Of a write that its process does not live to see, some bytes may be there.
        const tear = (): void => {
          if (!isDone) append(world.chance.integer(`torn ${path}`, 0, bytes.length));
          isDone = true;
        };
        process.torn.add(tear);
        return world.disk(process, `write ${bytes.length} ${path}`, () => {
          process.torn.delete(tear);
          isDone = true;
          if (world.strikes("diskFull", path)) {
            append(world.chance.integer(`full ${path}`, 0, bytes.length));
            throw failure("ENOSPC", path);
          }
          append(bytes.length);
        });
      },
      read: (into: Uint8Array, offset: number, length: number, position: number | null) =>
        world.disk(process, `read part ${path}`, () => {
          const from = position ?? at;
          const part = node.bytes.subarray(from, from + length);
          into.set(part, offset);
          if (position === null) at += part.length;
          return { bytesRead: part.length };
        }),
      sync: () =>
        world.disk(process, `sync ${path}`, () => {
          node.synced = node.bytes;
        }),
      close: () => Promise.resolve(),
    };
  }
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/")) || "/";
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const all = new Uint8Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  return all;
}
