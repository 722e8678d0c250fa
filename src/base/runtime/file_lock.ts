import { type FileSystem, fileSystem } from "./file_system.ts";

interface FileLockOptions {
  /** Milliseconds after which an unchanged lock is attributed to a dead process. */
  readonly lease: number;
  /** Maximum wait in milliseconds; must exceed the lease. */
  readonly maxWait: number;
  /** Maximum milliseconds between tries. @default 20 */
  readonly pause?: number;
}

/**
 * Runs a short step under an exclusive lock file. A process that sees the same holder for longer than the lease takes
 * over, regardless of clocks. A step that may have been suspended for longer than the lease must check `isHeld` before
 * writing.
 *
 * @returns The step's result, or `undefined` if the lock was not free in time.
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
