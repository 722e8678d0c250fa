import { stateFolder } from "../../base/runtime/user_folders.ts";
import { ConfigurationError } from "../../errors.ts";
import type { Credentials } from "../../platform/connection/credentials.ts";
import type { Platform } from "../../platform/connection/platform.ts";
import { readFileSync, rmSync, writeFileSync } from "node:fs";

interface ServedDemo {
  readonly url: string;
  readonly platform: Platform;
  readonly credentials: Credentials;
}

export async function servedDemo(
  { serving }: DemoFiles,
  fetch: typeof globalThis.fetch = globalThis.fetch,
): Promise<ServedDemo | undefined> {
  try {
    const { url } = JSON.parse(readFileSync(serving, "utf8"));
    const response = await fetch(`${url}/_emulator/settings`);
    return { url, ...await response.json() };
  } catch {
    // No file, or one that a killed process left behind.
    return undefined;
  }
}

export function announceDemo({ serving }: DemoFiles, url: string): void {
  writeFileSync(serving, JSON.stringify({ url }) + "\n");
}

export function withdrawDemo({ serving }: DemoFiles): void {
  rmSync(serving, { force: true });
}

export interface DemoFiles {
  readonly state: string;
  readonly lock: string;
  /** Address of the emulator that serves the account; exists only while one does. */
  readonly serving: string;
}

export function demoFiles(env: Readonly<Record<string, string | undefined>>): DemoFiles {
  const folder = stateFolder(env, { of: "the demo account" });
  return {
    state: `${folder}/demo.json`,
    lock: `${folder}/demo.lock`,
    serving: `${folder}/demo.serving.json`,
  };
}

export class UnwritableDemoError extends ConfigurationError {
  constructor(path: string, options: ErrorOptions) {
    super(`Cannot keep the demo account: "${path}" cannot be written`, options);
  }
}

/** Also checks causes. The system reports an error code, SQLite only a message. */
export function isUnwritable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? String(error.code) : "";
  return ["EROFS", "EACCES", "EPERM", "ENOENT", "ENOTDIR"].includes(code) ||
    /unable to open|readonly database/i.test(error.message) || isUnwritable(error.cause);
}
