import { type MomentOptions, readMoment } from "../../internal/moment.ts";
import { UsageError } from "../core/errors/cli_error.ts";

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
