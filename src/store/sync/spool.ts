import { open, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Maximum bytes in memory; larger files go to the disk. */
const IN_MEMORY = 4 * 1024 * 1024;
const PIECE = 64 * 1024;

/** A downloaded file, waiting to be stored. */
export interface Spool {
  bytes(): AsyncIterable<Uint8Array>;
  discard(): Promise<void>;
}

/**
 * Takes a file in whole, so that no lock is held while the network is waited for. Large files wait in a temporary
 * file that has no name any more, so that it is gone even when the process is killed.
 *
 * @param folder Where that file is made.
 * @throws what the source throws.
 */
export async function spool(source: AsyncIterable<Uint8Array>, folder: string = tmpdir()): Promise<Spool> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let file: TemporaryFile | undefined;
  try {
    for await (const chunk of source) {
      size += chunk.length;
      if (file === undefined && size > IN_MEMORY) {
        file = await TemporaryFile.create(folder);
        for (const early of chunks.splice(0)) await file.write(early);
      }
      if (file === undefined) chunks.push(chunk);
      else await file.write(chunk);
    }
  } catch (error) {
    await file?.discard();
    throw error;
  }
  return file ?? { bytes: () => inOrder(chunks), discard: () => Promise.resolve() };
}

async function* inOrder(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

class TemporaryFile implements Spool {
  readonly #handle: Awaited<ReturnType<typeof open>>;
  readonly #path: string;

  private constructor(handle: Awaited<ReturnType<typeof open>>, path: string) {
    this.#handle = handle;
    this.#path = path;
  }

  static async create(folder: string): Promise<TemporaryFile> {
    const path = join(folder, `platform-ads-${crypto.randomUUID()}.tmp`);
    const handle = await open(path, "wx+", 0o600);
    // Windows keeps the name of an open file; there it is removed at the end.
    await unlink(path).catch(() => {});
    return new TemporaryFile(handle, path);
  }

  async write(chunk: Uint8Array): Promise<void> {
    await this.#handle.appendFile(chunk);
  }

  async *bytes(): AsyncGenerator<Uint8Array> {
    for (let at = 0;;) {
      const piece = new Uint8Array(PIECE);
      const { bytesRead } = await this.#handle.read(piece, 0, PIECE, at);
      if (bytesRead === 0) return;
      at += bytesRead;
      yield piece.subarray(0, bytesRead);
    }
  }

  async discard(): Promise<void> {
    await this.#handle.close();
    await unlink(this.#path).catch(() => {});
  }
}
