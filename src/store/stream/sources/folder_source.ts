import { readdir, readFile, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { gunzipSync } from "node:zlib";
import { ConfigurationError } from "../../../errors.ts";
import type { StreamMessage } from "../read_message.ts";
import type { StreamSource } from "../stream_source.ts";
import { splitMessages } from "./split_messages.ts";
import { deliveriesOf } from "./text_source.ts";

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
    deliveries: ({ signal }) => deliveriesOf(() => isFolder ? inFolder(path) : inFile(path, path), signal),
  };
}

async function* inFolder(folder: string): AsyncGenerator<StreamMessage> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) =>
    relative(folder, join(parentPath, name))
  );
  for (const file of files.filter((name) => !/(^|[\\/])\./.test(name)).sort()) {
    yield* inFile(join(folder, file), file);
  }
}

async function* inFile(path: string, name: string): AsyncGenerator<StreamMessage> {
  const bytes = await readFile(path);
  let text: string;
  try {
    text = new TextDecoder().decode(bytes[0] === 0x1F && bytes[1] === 0x8B ? gunzipSync(bytes) : bytes);
  } catch (error) {
    // Set aside like every message that cannot be read, so that the other files are not held up.
    yield { id: name, body: `The file ${name} cannot be unpacked: ${(error as Error).message}` };
    return;
  }
  for (const { line, body } of splitMessages(text)) yield { id: `${name}:${line}`, body };
}
