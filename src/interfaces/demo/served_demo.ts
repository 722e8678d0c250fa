import { readFileSync, rmSync, writeFileSync } from "node:fs";
import type { Credentials } from "../../platform/connection/credentials.ts";
import type { Platform } from "../../platform/connection/platform.ts";
import type { DemoFiles } from "./demo_files.ts";

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
