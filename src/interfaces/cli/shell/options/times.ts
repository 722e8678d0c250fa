import { pause } from "../../../../base/time/clock.ts";
import { type MomentOptions, readDay, readMoment } from "../../../../base/time/moment.ts";
import { readSpan } from "../../../../base/time/span.ts";
import { EXIT, refusingBadInput, UsageError } from "../io/cli_error.ts";
import { InvalidArgumentError } from "@commander-js/extra-typings";
import { closingAfter } from "../context/closing.ts";
import type { CliContext } from "../context/context.ts";

export function parseDay(
  text: string,
  { option, today }: { option: string; today: string },
): Promise<string> {
  return refusingBadInput(() => readDay(text, option, today));
}

/**
 * Accepts a day of the account (`2026-11-20`, `-7`, `yesterday`), `-3h`, `-45m` or `2026-11-20T10:00:00Z`.
 *
 * @returns Epoch milliseconds.
 * @throws {UsageError} for other text.
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

export function parseEvery(text: string): number {
  try {
    return readSpan(text, "time");
  } catch {
    throw new InvalidArgumentError("It is not a time such as 15m, 1h or 1d.");
  }
}

/** Runs once, or every `every` seconds until Ctrl-C. Bad input ends the loop, other failures do not. */
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
    await pause(seconds, { signal, sleep: io.sleep });
    if (signal.aborted) return EXIT.done;
  }
}
