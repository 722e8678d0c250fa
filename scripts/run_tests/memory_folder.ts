import { statfsSync } from "node:fs";
import { join } from "node:path";

const IN_MEMORY = "/dev/shm";
/** Short, as tests at a terminal of 80 or 100 columns show paths in it. */
const PREFIX = "ads";
/** What a run needs at most, with room to spare. Containers often have 64 MB there. */
const NEEDED = 6_000_000_000;

/**
 * Makes a folder in memory for the temporary files of this run: most tests of stores wait for the disk otherwise.
 *
 * @returns `undefined` where the system has no such place or too little memory, or where `TMPDIR` names a folder.
 */
export async function memoryFolder(): Promise<string | undefined> {
  if (Deno.env.has("TMPDIR") || free() < NEEDED) return undefined;
  await removeLeftOvers();
  const path = join(IN_MEMORY, `${PREFIX}${Deno.pid}`);
  await Deno.mkdir(path);
  // A server of PostgreSQL runs as a user of its own.
  await Deno.chmod(path, 0o1777);
  return path;
}

/** Bytes that can be written to memory. */
function free(): number {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return Math.min(bavail * bsize, Deno.systemMemoryInfo().available);
  } catch {
    return 0;
  }
}

/** Removes the folders of runs that were killed. */
async function removeLeftOvers(): Promise<void> {
  for await (const { name } of Deno.readDir(IN_MEMORY)) {
    const pid = name.startsWith(PREFIX) ? name.slice(PREFIX.length) : "";
    if (!/^\d+$/.test(pid) || await exists(`/proc/${pid}`)) continue;
    await Deno.remove(join(IN_MEMORY, name), { recursive: true });
  }
}

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}
