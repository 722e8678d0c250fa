import { ConfigurationError, PlatformAdsError } from "../../errors.ts";

interface WriteFileOptions {
  /** Permissions of a new file, for example `0o600`. @default 0o644 */
  readonly mode?: number;
  /**
   * False to return before the data is on disk; a system crash may then lose it.
   *
   * @default true
   */
  readonly durable?: boolean;
}

export interface FileSystem {
  readText(path: string): Promise<string>;
  readParts(path: string): AsyncGenerator<string>;
  /** Replaces a UTF-8 file atomically; creates missing folders. */
  writeText(path: string, text: string | Iterable<string>, options?: WriteFileOptions): Promise<void>;
  /** Appends a text durably; creates the file if needed. */
  appendText(path: string, text: string): Promise<void>;
  /** Appends a line; an incomplete last line is terminated first. */
  appendLine(path: string, line: string): Promise<void>;
  createText(path: string, text: string, options?: WriteFileOptions): Promise<boolean>;
  truncate(path: string, length: number): Promise<void>;
  remove(path: string): Promise<void>;
  openBlob(path: string): Promise<Blob>;
  list(folder: string): Promise<string[]>;
  size(path: string): Promise<number>;
  exists(path: string): Promise<boolean>;
  isDirectory(path: string): Promise<boolean>;
  /** Whole path without links, so that two spellings of one folder are not two. */
  realPath(path: string): Promise<string>;
  join(...parts: string[]): string;
  dirname(path: string): string;
  basename(path: string): string;
}

interface NodeFiles {
  readFile(path: string, encoding: "utf8"): Promise<string>;
  open(path: string, flags: string, mode: number): Promise<NodeHandle>;
  rename(from: string, to: string): Promise<void>;
  rm(path: string, options: { force: boolean }): Promise<void>;
  truncate(path: string, length: number): Promise<void>;
  mkdir(path: string, options: { recursive: boolean; mode?: number }): Promise<unknown>;
  readdir(path: string): Promise<string[]>;
  stat(path: string): Promise<{ size: number; isDirectory(): boolean }>;
  realpath(path: string): Promise<string>;
}

interface NodeHandle {
  writeFile(text: string): Promise<void>;
  read(
    into: Uint8Array,
    offset: number,
    length: number,
    position: number | null,
  ): Promise<{ bytesRead: number }>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

interface NodeBlobs {
  openAsBlob(path: string): Promise<Blob>;
}

interface NodePath {
  dirname(path: string): string;
  join(...parts: string[]): string;
  resolve(path: string): string;
  basename(path: string): string;
}

/**
 * The runtime's file system, loaded on first use.
 *
 * @throws {ConfigurationError} where the runtime has no file system, as in a browser.
 */
export function fileSystem(): FileSystem {
  const runtime = globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } };
  const files = runtime.process?.getBuiltinModule?.("fs/promises") as NodeFiles | undefined;
  const paths = runtime.process?.getBuiltinModule?.("path") as NodePath | undefined;
  if (files === undefined || paths === undefined) {
    throw new ConfigurationError(
      "Cannot open files: this runtime has no file system. Pass settings and plans as values instead",
    );
  }
  const appendText = async (path: string, text: string): Promise<void> => {
    try {
      await write(await files.open(path, "a", 0o600), text);
    } catch (error) {
      throw cannotWrite(path, error);
    }
  };
  return {
    readText: (path) => files.readFile(path, "utf8"),
    readParts: (path) => parts(() => files.open(path, "r", 0)),
    writeText: async (path, text, options = {}) => {
      const temporary = `${path}.${crypto.randomUUID().slice(0, 13)}.tmp`;
      try {
        await files.mkdir(paths.dirname(path), folderOptions(options));
        await write(await files.open(temporary, "wx", options.mode ?? 0o644), text, options);
        await files.rename(temporary, path);
      } catch (error) {
        await files.rm(temporary, { force: true }).catch(() => {});
        throw cannotWrite(path, error);
      }
    },
    appendText,
    appendLine: async (path, line) => {
      const isCut = await endsWithin(files, path).catch(() => false);
      await appendText(path, `${isCut ? "\n" : ""}${line}\n`);
    },
    createText: async (path, text, options = {}) => {
      let handle: NodeHandle;
      try {
        await files.mkdir(paths.dirname(path), folderOptions(options));
        handle = await files.open(path, "wx", options.mode ?? 0o644);
      } catch (error) {
        const { code, path: which } = error as { code?: string; path?: string };
        if (code === "EEXIST" && which === path) return false;
        throw cannotWrite(path, error);
      }
      try {
        await write(handle, text, options);
        return true;
      } catch (error) {
        // A file that is not whole must not count as made.
        await files.rm(path, { force: true }).catch(() => {});
        throw cannotWrite(path, error);
      }
    },
    truncate: (path, length) => files.truncate(path, length),
    realPath: (path) => files.realpath(path).catch(() => paths.resolve(path)),
    remove: (path) => files.rm(path, { force: true }),
    openBlob: async (path) => {
      const { openAsBlob } = runtime.process?.getBuiltinModule?.("fs") as NodeBlobs;
      // Node's own error does not say that the file is missing.
      await files.stat(path);
      return await openAsBlob(path);
    },
    list: async (folder) => {
      try {
        return await files.readdir(folder);
      } catch (error) {
        if ((error as { code?: string }).code === "ENOENT") return [];
        throw error;
      }
    },
    size: async (path) => (await files.stat(path)).size,
    exists: (path) => files.stat(path).then(() => true, () => false),
    isDirectory: (path) => files.stat(path).then((found) => found.isDirectory(), () => false),
    join: (...parts) => paths.join(...parts),
    dirname: (path) => paths.dirname(path),
    basename: (path) => paths.basename(path),
  };
}

const PART = 1 << 20;

async function* parts(open: () => Promise<NodeHandle>): AsyncGenerator<string> {
  const handle = await open();
  try {
    const decoder = new TextDecoder();
    const bytes = new Uint8Array(PART);
    for (;;) {
      const { bytesRead } = await handle.read(bytes, 0, PART, null);
      const text = decoder.decode(bytes.subarray(0, bytesRead), { stream: bytesRead > 0 });
      if (text !== "") yield text;
      if (bytesRead === 0) return;
    }
  } finally {
    await handle.close();
  }
}

async function endsWithin(files: NodeFiles, path: string): Promise<boolean> {
  const { size } = await files.stat(path);
  if (size === 0) return false;
  const handle = await files.open(path, "r", 0);
  try {
    const last = new Uint8Array(1);
    await handle.read(last, 0, 1, size - 1);
    return last[0] !== 0x0A;
  } finally {
    await handle.close();
  }
}

function folderOptions({ mode }: WriteFileOptions): { recursive: true; mode?: number } {
  return mode === 0o600 ? { recursive: true, mode: 0o700 } : { recursive: true };
}

async function write(
  handle: NodeHandle,
  text: string | Iterable<string>,
  { durable = true }: WriteFileOptions = {},
): Promise<void> {
  try {
    // Each goes on where the one before ended.
    for (const part of typeof text === "string" ? [text] : text) await handle.writeFile(part);
    if (durable) await handle.sync();
  } finally {
    await handle.close();
  }
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "there is no such folder"],
  ["ENOTDIR", "a part of the path is not a folder"],
  ["EEXIST", "a part of the path is not a folder"],
  ["EISDIR", "it is a folder"],
  ["EACCES", "this user may not write there"],
  ["EPERM", "this user may not write there"],
  ["EROFS", "the disk is read-only"],
  ["ENOSPC", "the disk is full"],
  ["EDQUOT", "the disk quota is used up"],
  ["EFBIG", "the file would be larger than the system allows"],
]);

function cannotWrite(path: string, cause: unknown): PlatformAdsError {
  const { code, message } = cause as Error & { code?: string };
  return new PlatformAdsError(`Cannot write "${path}": ${REASONS.get(code ?? "") ?? message}`, { cause });
}
