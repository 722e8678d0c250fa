import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

const OPENERS: Readonly<Record<string, readonly string[]>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

/** Requires a display on Linux; always true on macOS and Windows. */
export function canOpenBrowser(env: Readonly<Record<string, string | undefined>>): boolean {
  return process.platform in OPENERS || Boolean(env["DISPLAY"] || env["WAYLAND_DISPLAY"]);
}

/**
 * Opens the address through a file readable only by the user, because process arguments are visible to everyone on the
 * machine and the address contains a sign-in token.
 *
 * @returns Removes the file; `undefined` if no browser could be started.
 */
export async function openBrowser(url: string): Promise<(() => Promise<void>) | undefined> {
  const folder = await mkdtemp(join(tmpdir(), "adsctl-console-"));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  const file = join(folder, "open.html");
  const page =
    `<!doctype html><meta http-equiv="refresh" content="0;url=${url}"><a href="${url}">Open the console</a>\n`;
  await writeFile(file, page, { mode: 0o600 });
  const [program = "", ...args] = OPENERS[process.platform] ?? ["xdg-open"];
  try {
    const child = spawn(program, [...args, file], { stdio: "ignore", detached: true });
    await new Promise<void>((done, fail) => child.once("spawn", done).once("error", fail));
    child.unref();
    return remove;
  } catch {
    await remove();
    return undefined;
  }
}
