import { type FileSystem, fileSystem } from "./file_system.ts";

interface FileLockOptions {
  /** Milliseconds after which an unchanged lock counts as left by a dead process. */
  readonly lease: number;
  /** Milliseconds to try for the lock; longer than the lease. */
  readonly maxWait: number;
  /** Maximum milliseconds between tries. @default 20 */
  readonly pause?: number;
}

/**
 * Runs a short step while no other process runs one under the same lock file. The file names its holder: a process that
 * has seen one holder for longer than the lease takes the lock over, regardless of the machine's clock. A step that may
 * have been suspended for so long asks `isHeld` right before it writes.
 *
 * @returns what the step returned; `undefined` when the lock was not free in time, and the step did not run.
 */
export async function withFileLock<Result>(
  path: string,
  options: FileLockOptions,
  step: (files: FileSystem, isHeld: () => Promise<boolean>) => Promise<Result>,
): Promise<{ readonly result: Result } | undefined> {
  const { lease, maxWait, pause = 20 } = options;
  const files = fileSystem();
  const mine = crypto.randomUUID();
  const began = performance.now();
  let seen = { holder: "", since: began };
  while (!await files.createText(path, mine, { mode: 0o600, durable: false })) {
    const holder = await files.readText(path).catch(() => undefined);
    const now = performance.now();
    if (holder !== undefined && holder !== seen.holder) seen = { holder, since: now };
    else if (holder !== undefined && now - seen.since > lease) await files.remove(path);
    if (now - began > maxWait) return undefined;
    await new Promise((wake) => setTimeout(wake, 1 + Math.random() * pause));
  }
  const isHeld = async (): Promise<boolean> => await files.readText(path).catch(() => "") === mine;
  try {
    return { result: await step(files, isHeld) };
  } finally {
    if (await isHeld()) await files.remove(path);
  }
}
