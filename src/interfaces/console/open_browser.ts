import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

/** How each system opens a file in the browser. */
const OPENERS: Readonly<Record<string, readonly string[]>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

/** True where a browser can appear: a display on Linux, always on macOS and Windows. */
export function canOpenBrowser(env: Readonly<Record<string, string | undefined>>): boolean {
  return process.platform in OPENERS || Boolean(env["DISPLAY"] || env["WAYLAND_DISPLAY"]);
}

/**
 * Opens an address in the user's browser, by way of a file that only the user can read: arguments of programs are seen by
 * everybody on the machine, and the address signs in.
 *
 * @returns What removes the file; `undefined` when no browser could be started.
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
