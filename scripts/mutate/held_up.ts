/**
 * Milliseconds for which a thread could have run, but other work had the processors; 0 where the system doesn't tell.
 *
 * Time limits leave them out, so that a busy machine doesn't look like a test that never ends.
 *
 * @param thread A process, for its main thread, or `thread-self`.
 */
export function heldUp(thread: number | "thread-self"): number {
  try {
    return Number(Deno.readTextFileSync(`/proc/${thread}/schedstat`).split(" ")[1]) / 1e6;
  } catch {
    return 0;
  }
}
