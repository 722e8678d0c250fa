import { stateFolder } from "../../base/runtime/user_folders.ts";
import { ConfigurationError } from "../../errors.ts";

/** Paths of the demo account. */
export interface DemoFiles {
  readonly state: string;
  /** The lock that the one process holds that serves it. */
  readonly lock: string;
  /** Address of an emulator that serves it for others; there only while one does. */
  readonly serving: string;
}

/** Paths of the demo account: below the user's folder for state. */
export function demoFiles(env: Readonly<Record<string, string | undefined>>): DemoFiles {
  const folder = stateFolder(env, { of: "the demo account" });
  return {
    state: `${folder}/demo.json`,
    lock: `${folder}/demo.lock`,
    serving: `${folder}/demo.serving.json`,
  };
}

/** The folder of the demo account cannot be written, for example on a read-only file system. */
export class UnwritableDemoError extends ConfigurationError {
  /** @param path The file that cannot be written. */
  constructor(path: string, options: ErrorOptions) {
    super(`Cannot keep the demo account: "${path}" cannot be written`, options);
  }
}

/**
 * Checks for an error, or a cause, about a file that cannot be written: the system reports it by a code, SQLite in
 * words.
 */
export function isUnwritable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? String(error.code) : "";
  return ["EROFS", "EACCES", "EPERM", "ENOENT", "ENOTDIR"].includes(code) ||
    /unable to open|readonly database/i.test(error.message) || isUnwritable(error.cause);
}
