import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import { ConfigurationError } from "../../errors.ts";
import {
  type DeliveredObject,
  type ObjectPage,
  objectSource,
  type ObjectSourceOptions,
} from "./object_source.ts";
import type { StreamSource } from "./stream_source.ts";

const LAST = "\u{10FFFF}";

/**
 * Messages of the hourly stream from a file, or from all files of a folder and the folders in it, in the order of their
 * names. Files may be packed with gzip; hidden ones are left out. {@linkcode consumeStream} reads a file once, and again
 * when it changes. A file that ends inside a record is read again the next time, until it is 15 minutes old.
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
export async function folderSource(path: string, options: ObjectSourceOptions = {}): Promise<StreamSource> {
  const found = await stat(path).catch((cause) => {
    throw absent(path, cause);
  });
  const pages = found.isDirectory() ? () => inFolder(path) : () => single(path);
  return objectSource({ name: path, pages, open }, options);
}

async function* single(path: string): AsyncGenerator<ObjectPage> {
  const object = await fileAt(resolve(path), path);
  if (object === undefined) throw absent(path);
  yield { objects: [object], range: undefined };
}

async function* inFolder(folder: string): AsyncGenerator<ObjectPage> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) =>
    relative(folder, join(parentPath, name))
  );
  const objects: DeliveredObject[] = [];
  for (const name of files.filter((file) => !/(^|[\\/])\./.test(file)).sort()) {
    const object = await fileAt(resolve(folder, name), name);
    if (object !== undefined) objects.push(object);
  }
  const root = resolve(folder);
  const after = root.endsWith(sep) ? root : `${root}${sep}`;
  yield { objects, range: { after, upTo: `${after}${LAST}` } };
}

async function fileAt(address: string, name: string): Promise<DeliveredObject | undefined> {
  const found = await stat(address, { bigint: true }).catch((error) => {
    if (isAbsent(error)) return undefined;
    throw error;
  });
  if (found === undefined) return undefined;
  const version = found.isFile() ? `${found.size} ${found.mtimeNs}` : undefined;
  return { address, name, version, modified: Number(found.mtimeMs) };
}

async function open({ address }: DeliveredObject): Promise<AsyncIterable<Uint8Array> | "gone"> {
  const file = createReadStream(address);
  try {
    await new Promise<void>((done, failed) => {
      file.once("open", () => done());
      file.once("error", failed);
    });
  } catch (error) {
    if (isAbsent(error)) return "gone";
    throw error;
  }
  return file;
}

function absent(path: string, cause?: unknown): ConfigurationError {
  return new ConfigurationError(`Cannot read messages from "${path}": it does not exist`, { cause });
}

function isAbsent(error: unknown): boolean {
  return (error as { code?: string }).code === "ENOENT";
}
