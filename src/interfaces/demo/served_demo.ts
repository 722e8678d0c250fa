import { readFileSync, rmSync, writeFileSync } from "node:fs";
import type { Credentials } from "../../platform/connection/credentials.ts";
import type { Platform } from "../../platform/connection/platform.ts";
import type { DemoFiles } from "./demo_files.ts";

/** A demo account that another process serves. */
interface ServedDemo {
  /** Address of its emulator. */
  readonly url: string;
  readonly platform: Platform;
  /** Identity of the caller. */
  readonly credentials: Credentials;
}

/** The demo account that another process serves; `undefined` when none does. */
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

/** Lets other processes find the demo account that this one serves. */
export function announceDemo({ serving }: DemoFiles, url: string): void {
  writeFileSync(serving, JSON.stringify({ url }) + "\n");
}

/** Takes the announcement back. */
export function withdrawDemo({ serving }: DemoFiles): void {
  rmSync(serving, { force: true });
}
