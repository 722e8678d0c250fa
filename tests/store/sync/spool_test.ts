import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { readdir } from "node:fs/promises";
import { test } from "node:test";
import { type OpenFile, openFiles } from "../../support/open_files.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";
import { spool } from "../../../src/store/sync/spool.ts";

const MIB = 1024 * 1024;

/** Bytes that differ from place to place. */
const CONTENT = new Uint8Array(5 * MIB).map((_, index) => (index * 31 >> 3) % 251);

/** So many of them, in pieces of so many. */
async function* source(total: number, piece: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < total; at += piece) yield CONTENT.subarray(at, Math.min(at + piece, total));
}

/** A test with a folder of its own for temporary files. */
function spoolTest(
  what: string,
  run: (folder: string, files: () => Promise<string[]>) => Promise<void>,
): void {
  test(`spool() ${what}`, async () => {
    await using folder = await temporaryFolder();
    await run(folder.path, () => readdir(folder.path));
  });
}

/** Files of the folder that are open, with a name or without; `none` where the system does not say. */
async function openIn(folder: string, none: Partial<OpenFile>[] = []): Promise<Partial<OpenFile>[]> {
  return (await openFiles())?.filter(({ path }) => path.startsWith(folder)) ?? none;
}

async function read(parts: AsyncIterable<Uint8Array>): Promise<{ whole: Uint8Array; pieces: number }> {
  const pieces = await Array.fromAsync(parts);
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return { whole, pieces: pieces.length };
}

for (
  const [what, total, piece, isOnDisk] of [
    ["a small file", 1000, 300, false],
    ["4 MiB", 4 * MIB, MIB, false],
    ["a byte more than 4 MiB", 4 * MIB + 1, MIB, true],
  ] as const
) {
  spoolTest(`gives back ${what} as it came, as often as it is read`, async (folder, files) => {
    const spooled = await spool(source(total, piece), folder);
    try {
      for (let round = 0; round < 2; round++) {
        const { whole, pieces } = await read(spooled.bytes());
        assert.equal(Buffer.compare(whole, CONTENT.subarray(0, total)), 0);
        // What is in memory comes in the pieces of the source, what is on the disk in pieces of 64 KiB.
        assert.equal(pieces, isOnDisk ? 65 : Math.ceil(total / piece));
      }
      assert.deepEqual(await files(), [], "a file on the disk has no name any more");
      if (isOnDisk) {
        const [file] = await openIn(folder, [{ mode: 0o600, size: total }]);
        assert.deepEqual([file?.mode, file?.size], [0o600, total], "nobody else may read it");
      }
    } finally {
      await spooled.discard();
    }
    if (isOnDisk) await assert.rejects(read(spooled.bytes()), "nothing is left to be read");
    assert.deepEqual(await openIn(folder), []);
  });
}

spoolTest(
  "fails as its source fails, also when a part is on the disk, and leaves nothing behind",
  async (folder, files) => {
    async function* breaking(total: number): AsyncGenerator<Uint8Array> {
      yield* source(total, MIB);
      throw new Error("cut off");
    }
    await assert.rejects(spool(breaking(MIB), folder), /cut off/);
    await assert.rejects(spool(breaking(5 * MIB), folder), /cut off/);
    assert.deepEqual(await files(), []);
    assert.deepEqual(await openIn(folder), []);
  },
);
