import { type MomentOptions, readDay, readMoment } from "../../../../base/time/moment.ts";
import { refusingBadInput, UsageError } from "../errors/cli_error.ts";
import { InvalidArgumentError } from "@commander-js/extra-typings";
import { closingAfter } from "../context/closing.ts";
import type { CliContext } from "../context/context.ts";
import { EXIT } from "../errors/exit_codes.ts";

/**
 * Parses the day of an option: `2026-11-20`, or `-7` for seven days before today.
 *
 * @param today The day it is where the profile is.
 * @throws {UsageError} when it is neither.
 */
export function parseDay(
  text: string,
  { option, today }: { option: string; today: string },
): Promise<string> {
  return refusingBadInput(() => readDay(text, option, today));
}

/**
 * The moment that an option gives: a day of the account (`2026-11-20`, `-7`, `yesterday`), `-3h`, `-45m` or
 * `2026-11-20T10:00:00Z`.
 *
 * @returns Milliseconds since the epoch.
 * @throws {UsageError} when it is none of these.
 */
export function parseMoment(
  text: string,
  { option, ...options }: MomentOptions & { option: string },
): number {
  try {
    return readMoment(text, option, options);
  } catch (error) {
    throw error instanceof TypeError ? new UsageError(error.message, { cause: error }) : error;
  }
}

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
  context: CliContext,
  once: (context: CliContext) => Promise<number>,
): Promise<number> {
  const { io, interruption: { signal } } = context;
  for (;;) {
    const began = io.now();
    const code = await closingAfter(context, once);
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
