import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { withFileLock } from "../../base/runtime/file_lock.ts";
import { fileSystem } from "../../base/runtime/file_system.ts";
import { sha256 } from "../../base/text/sha256.ts";
import { StoreError } from "../model/store_error.ts";
import type { LakePlace, LakeText } from "./lake_place.ts";

/** Milliseconds until a lock counts as abandoned, and maximum milliseconds to wait for a lock. */
const LOCK = { lease: 10_000, maxWait: 30_000 };

const WORK = "_work";

/** Files get their final name once they are complete and on disk. */
export function folderPlace(folder: string): LakePlace {
  const root = resolve(folder);
  const files = fileSystem();
  const at = (path: string): string => join(root, ...path.split("/"));
  const readText = async (path: string): Promise<LakeText | undefined> => {
    try {
      const text = await files.readText(at(path));
      return { text, version: sha256(text) };
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw failed("read", path, error);
    }
  };
  return {
    address: root,
    readText,
    workFolder: async () => {
      const path = join(root, WORK);
      await mkdir(path, { recursive: true }).catch((error) => {
        throw failed("write to", folder, error);
      });
      return path;
    },
    writeText: (path, text) => files.writeText(at(path), text),
    replaceText: async (path, text, version) => {
      const done = await withFileLock(`${at(path)}.lock`, LOCK, async () => {
        if ((await readText(path))?.version !== version) return false;
        await files.writeText(at(path), text);
        return true;
      });
      if (done === undefined) {
        throw new StoreError(`Cannot publish to "${folder}": another process holds ${path}.lock`);
      }
      return done.result;
    },
    put: async (path, file) => {
      const place = at(path);
      try {
        await mkdir(dirname(place), { recursive: true });
        await onDisk(file.path);
        await rename(file.path, place);
        await onDisk(dirname(place));
      } catch (error) {
        throw failed("write", path, error);
      }
    },
    measure: async (path) => {
      try {
        const { size } = await stat(at(path));
        return { bytes: size, sha256: await fileHash(at(path)) };
      } catch (error) {
        if (isAbsent(error)) return undefined;
        throw failed("read", path, error);
      }
    },
    remove: async (paths) => {
      for (const path of paths) await rm(at(path), { force: true });
    },
    list: async function* () {
      const found = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
      for (const entry of found) {
        if (entry.isFile()) yield relative(root, join(entry.parentPath, entry.name)).split(sep).join("/");
      }
    },
  };
}

export async function fileHash(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const part of createReadStream(path)) hash.update(part as Uint8Array);
  return hash.digest("hex");
}

async function onDisk(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    // Some systems sync no folders; the next publication finds what is missing.
    await handle.sync().catch((error) => {
      if ((error as { code?: string }).code !== "EINVAL" && (error as { code?: string }).code !== "EPERM") {
        throw error;
      }
    });
  } finally {
    await handle.close();
  }
}

function isAbsent(error: unknown): boolean {
  return (error as { code?: string }).code === "ENOENT";
}

function failed(what: string, path: string, cause: unknown): StoreError {
  return new StoreError(`Cannot ${what} "${path}" of the lake: ${(cause as Error).message}`, { cause });
}
