import { read, write } from "node:fs";
import { tmpdir } from "node:os";
import { promisify } from "node:util";
import { type TemporaryFile, temporaryFile } from "../../base/runtime/temporary_file.ts";

const readInto = promisify(read);
const written = promisify(write);

const IN_MEMORY = 4 * 1024 * 1024;
const PIECE = 64 * 1024;

export interface Spool {
  bytes(): AsyncIterable<Uint8Array>;
  discard(): Promise<void>;
}

/**
 * Buffers the whole file, so that no lock is held during downloads. Large files use an unlinked temporary file, which
 * disappears even if the process is killed.
 *
 * @throws whatever the source throws.
 */
export async function spool(source: AsyncIterable<Uint8Array>, folder: string = tmpdir()): Promise<Spool> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let file: SpooledFile | undefined;
  try {
    for await (const chunk of source) {
      size += chunk.length;
      if (file === undefined && size > IN_MEMORY) {
        file = new SpooledFile(temporaryFile(folder));
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

class SpooledFile implements Spool {
  readonly #file: TemporaryFile;

  constructor(file: TemporaryFile) {
    this.#file = file;
  }

  async write(chunk: Uint8Array): Promise<void> {
    for (let done = 0; done < chunk.length;) {
      const { bytesWritten } = await written(this.#file.handle, chunk, done, chunk.length - done, null);
      done += bytesWritten;
    }
  }

  async *bytes(): AsyncGenerator<Uint8Array> {
    for (let at = 0;;) {
      const piece = new Uint8Array(PIECE);
      const { bytesRead } = await readInto(this.#file.handle, piece, 0, PIECE, at);
      if (bytesRead === 0) return;
      at += bytesRead;
      yield piece.subarray(0, bytesRead);
    }
  }

  discard(): Promise<void> {
    this.#file.close();
    return Promise.resolve();
  }
}
