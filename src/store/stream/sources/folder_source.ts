import { createReadStream, type ReadStream } from "node:fs";
import { open, readdir, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { createGunzip } from "node:zlib";
import { ConfigurationError } from "../../../errors.ts";
import type { StreamMessage } from "../read_message.ts";
import type { StreamSource } from "../stream_source.ts";
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
    if (!(error instanceof UnpackError)) throw error;
    // Set aside like every message that cannot be read, so that the other files are not held up.
    yield [{ id: name, body: `The file ${name} cannot be unpacked: ${error.message}` }];
  }
}

/** A file is not packed as it says. */
class UnpackError extends Error {}

async function* textOf(path: string): AsyncGenerator<string> {
  const file = createReadStream(path);
  const decoder = new TextDecoder();
  try {
    for await (const bytes of await isPacked(path) ? unpacked(file) : file) {
      yield decoder.decode(bytes as Uint8Array, { stream: true });
    }
    yield decoder.decode();
  } finally {
    file.destroy();
  }
}

async function* unpacked(file: ReadStream): AsyncGenerator<Uint8Array> {
  const unpacking = createGunzip();
  let failure: Error | undefined;
  file.on("error", (error) => {
    failure = error;
    unpacking.destroy(error);
  });
  try {
    yield* file.pipe(unpacking);
  } catch (error) {
    throw failure ?? new UnpackError((error as Error).message, { cause: error });
  }
}

async function isPacked(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(new Uint8Array(2), 0, 2, 0);
    return buffer[0] === 0x1F && buffer[1] === 0x8B;
  } finally {
    await file.close();
  }
}
