import { InvalidArgumentError } from "@commander-js/extra-typings";
import type { CliContext } from "../core/context.ts";
import { EXIT } from "../core/errors/exit_codes.ts";

/** Seconds of a time such as `15m`, `1h` or `1d`. */
export function parseEvery(text: string): number {
  const [, count, unit = ""] = /^(\d{1,4})([mhd])$/.exec(text.trim()) ?? [];
  const seconds = Number(count) * ({ m: 60, h: 3600, d: 86_400 }[unit] ?? NaN);
  if (!(seconds > 0)) throw new InvalidArgumentError("It is not a time such as 15m, 1h or 1d.");
  return seconds;
}

/** Does something once, or at an interval in seconds until Ctrl-C; bad input ends it, a failure does not. */
export async function again(
  every: number | undefined,
  { io, interruption: { signal } }: CliContext,
  once: () => Promise<number>,
): Promise<number> {
  for (;;) {
    const began = io.now();
    const code = await once();
    if (every === undefined || code === EXIT.usage || signal.aborted) return code;
    const seconds = Math.max(1, every - (io.now() - began) / 1000);
    const sleep = io.sleep ?? ((time: number) => new Promise<void>((done) => setTimeout(done, 1000 * time)));
    const aborted = new Promise<void>((done) =>
      signal.addEventListener("abort", () => done(), { once: true })
    );
    await Promise.race([sleep(seconds), aborted]);
    if (signal.aborted) return EXIT.done;
  }
}
