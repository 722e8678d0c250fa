import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import process from "node:process";

/** Milliseconds between two looks. */
const LOOK = 200;
/** Megabytes of a runtime that runs an empty script, and some more. */
const RUNTIME = 160;

/**
 * Watches the memory of a script's process: buffers are outside of the heap, whose limit the runtime holds.
 *
 * @param pid Id of the process.
 * @param options.megabytes Most memory besides that of the runtime itself.
 * @param options.onExceeded Called when it has more.
 * @returns Ends the watch.
 */
export function watchMemory(
  pid: number | undefined,
  { megabytes, onExceeded }: { readonly megabytes: number; readonly onExceeded: () => void },
): () => void {
  if (pid === undefined) return () => {};
  let isLooking = false;
  const timer = setInterval(async () => {
    if (isLooking) return;
    isLooking = true;
    const kilobytes = await residentKilobytes(pid).catch(() => 0);
    isLooking = false;
    if (kilobytes > 1024 * (megabytes + RUNTIME)) onExceeded();
  }, LOOK);
  return () => clearInterval(timer);
}

/** Memory of a process; 0 where the system does not tell, as on Windows. */
async function residentKilobytes(pid: number): Promise<number> {
  if (process.platform === "win32") return 0;
  if (process.platform === "linux") {
    const status = await readFile(`/proc/${pid}/status`, "utf8");
    return Number(/^VmRSS:\s*(\d+)/m.exec(status)?.[1] ?? 0);
  }
  return await new Promise((done) =>
    execFile("ps", ["-o", "rss=", "-p", String(pid)], (_error, stdout) => done(Number(stdout) || 0))
  );
}
