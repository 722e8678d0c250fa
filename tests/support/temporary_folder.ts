import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { marks } from "../../scripts/run_tests/marks.ts";

/** A new folder that is removed by `remove`, or at the end of the block by `await using`. */
export interface TemporaryFolder extends AsyncDisposable {
  /** Path of the folder. */
  readonly path: string;
  /** Path of a file in it. */
  file(name: string): string;
  /** Removes it and what is in it. */
  remove(): Promise<void>;
}

/** Makes a folder for one test; in memory where a run of a lane keeps its files there, unless it is to be on disk. */
export async function temporaryFolder({ onDisk = false } = {}): Promise<TemporaryFolder> {
  const system = tmpdir();
  const place = onDisk ? (system.startsWith("/dev/") ? "/tmp" : system) : marks.temporary?.() ?? system;
  const path = await mkdtemp(join(place, "ads-"));
  const remove = (): Promise<void> => rm(path, { recursive: true, force: true });
  return { path, file: (name) => join(path, name), remove, [Symbol.asyncDispose]: remove };
}
