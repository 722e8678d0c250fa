import { createReadStream } from "node:fs";
import { open, readdir, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { ConfigurationError } from "../../errors.ts";
import { gunzip } from "../../client/reports/file/gunzip.ts";
import type { StreamMessage } from "./read_message.ts";
import type { StreamSource } from "./stream_source.ts";
import { deliveriesOf, messagesIn } from "./text_source.ts";

/**
 * Messages of the hourly stream from a file, or from all files of a folder and the folders in it, in the order of their
 * names. Files may be packed with gzip; hidden ones are left out.
 *
 * @throws {ConfigurationError} when the path does not exist.
 *
 * @example
 * ```ts
 * import { consumeStream, folderSource, type Warehouse } from "@platform/ads/store";
 *
 * async function consume(store: Warehouse): Promise<number> {
 *   return (await consumeStream(store, await folderSource("exports/2026-11"))).stored;
 * }
 * ```
 */
export async function folderSource(path: string): Promise<StreamSource> {
  const found = await stat(path).catch((cause) => {
    throw new ConfigurationError(`Cannot read messages from "${path}": it does not exist`, { cause });
  });
  const isFolder = found.isDirectory();
  return {
    name: path,
    deliveries: ({ signal }) => deliveriesOf(isFolder ? inFolder(path, signal) : inFile(path, path, signal)),
  };
}

async function* inFolder(folder: string, signal: AbortSignal | undefined): AsyncGenerator<StreamMessage[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) =>
    relative(folder, join(parentPath, name))
  );
  for (const file of files.filter((name) => !/(^|[\\/])\./.test(name)).sort()) {
    if (signal?.aborted) return;
    yield* inFile(join(folder, file), file, signal);
  }
}

async function* inFile(
  path: string,
  name: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<StreamMessage[]> {
  try {
    yield* messagesIn(textOf(path), { name, signal });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // The codes of zlib: the file is not packed as it says.
    if (!code?.startsWith("Z_")) throw error;
    // Set aside like every message that cannot be read, so that the other files are not held up.
    yield [{ id: name, body: `The file ${name} cannot be unpacked: ${message}` }];
  }
}

async function* textOf(path: string): AsyncGenerator<string> {
  const packed = await isPacked(path);
  const file = createReadStream(path);
  const decoder = new TextDecoder();
  for await (const bytes of packed ? gunzip(file) : file) yield decoder.decode(bytes, { stream: true });
  yield decoder.decode();
}

async function isPacked(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer: [first, second] } = await file.read(new Uint8Array(2));
    return first === 0x1F && second === 0x8B;
  } finally {
    await file.close();
  }
}
