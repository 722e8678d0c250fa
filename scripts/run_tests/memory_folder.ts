import { statfsSync } from "node:fs";
import { join } from "node:path";

const IN_MEMORY = "/dev/shm";
/** Short, as tests at a terminal of 80 or 100 columns show paths in it. */
const PREFIX = "ads_";
/** What a run needs at most, with room to spare. Containers often have 64 MB there. */
const NEEDED = 6_000_000_000;

/** A folder that its process holds until it is removed, or until the process ends. */
export interface MemoryFolder extends AsyncDisposable {
  readonly path: string;
}

/** Where the folder is made. */
export interface MemoryFolderOptions {
  /** A folder in memory. @default `/dev/shm` */
  readonly root?: string;
  /** Bytes that have to be free. @default 6 GB */
  readonly needed?: number;
}

/**
 * Makes a folder in memory for the temporary files of this run: most tests of stores wait for the disk otherwise.
 *
 * @returns `undefined` where the system has no such place or too little memory.
 */
export async function memoryFolder(
  { root = IN_MEMORY, needed = NEEDED }: MemoryFolderOptions = {},
): Promise<MemoryFolder | undefined> {
  if (free(root) < needed) return undefined;
  await removeLeftOvers(root);
  for (;;) {
    const path = join(root, `${PREFIX}${crypto.randomUUID().slice(0, 4)}`);
    const lock = await Deno.mkdir(path).then(() => held(path), () => undefined);
    // Its name may be taken, or another run took it for left behind before it was held.
    if (lock === undefined) continue;
    // A server of PostgreSQL runs as a user of its own.
    await Deno.chmod(path, 0o1777);
    return {
      path,
      [Symbol.asyncDispose]: async () => {
        await Deno.remove(path, { recursive: true });
        lock.close();
      },
    };
  }
}

/** Bytes that can be written to memory. */
function free(root: string): number {
  try {
    const { bavail, bsize } = statfsSync(root);
    return Math.min(bavail * bsize, Deno.systemMemoryInfo().available);
  } catch {
    return 0;
  }
}

/**
 * Removes the folders of runs that were killed. Their locks tell, not numbers of processes: containers that share the
 * memory do not see each other's processes.
 */
async function removeLeftOvers(root: string): Promise<void> {
  for await (const { name } of Deno.readDir(root)) {
    if (!name.startsWith(PREFIX)) continue;
    const path = join(root, name);
    const lock = await held(path);
    if (lock === undefined) continue;
    await Deno.remove(path, { recursive: true });
    lock.close();
  }
}

/** Locks a folder. `undefined` where another process has, or where it is gone. */
async function held(path: string): Promise<Deno.FsFile | undefined> {
  const folder = await Deno.open(path).catch(() => undefined);
  if (folder === undefined) return undefined;
  const isThere = await folder.tryLock(true) && await Deno.stat(path).then(() => true, () => false);
  if (isThere) return folder;
  folder.close();
  return undefined;
}
