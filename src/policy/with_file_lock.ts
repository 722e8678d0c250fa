import { ConfigurationError } from "../errors.ts";
import { fileSystem } from "../runtime/file_system.ts";

/** A lock whose holder died is taken over after so long, in milliseconds. */
const STALE_MS = 15_000;
const WAIT_MS = 20;

/**
 * Runs a short step while no other process runs one under the same lock file. For steps of milliseconds: whoever holds
 * the lock for longer than 15 seconds counts as dead.
 *
 * @throws {ConfigurationError} when the lock is not free within 30 seconds.
 */
export async function withFileLock<Result>(path: string, step: () => Promise<Result>): Promise<Result> {
  const files = fileSystem();
  const mine = `${Date.now()} ${crypto.randomUUID()}`;
  const until = Date.now() + 2 * STALE_MS;
  while (!await files.createText(path, mine, { mode: 0o600 })) {
    const holder = await files.readText(path).catch(() => "");
    const since = Number(holder.split(" ")[0]);
    // An empty file was made by a process that died before it wrote its name; give it the same time from now on.
    if (holder !== "" && !(Date.now() - since < STALE_MS)) await files.remove(path);
    if (Date.now() > until) {
      throw new ConfigurationError(
        `Cannot lock "${path}": another process holds it. Remove the file if none does`,
      );
    }
    await new Promise((wake) => setTimeout(wake, WAIT_MS));
  }
  try {
    return await step();
  } finally {
    if (await files.readText(path).catch(() => "") === mine) await files.remove(path);
  }
}
