import { readMoment } from "../../internal/moment.ts";
import { UsageError } from "../core/cli_error.ts";

/**
 * The moment that an option gives: `-7` (days ago), `-3h`, `-45m`, `2026-11-20` (midnight UTC) or
 * `2026-11-20T10:00:00Z`.
 *
 * @param now Milliseconds since the epoch.
 * @returns Milliseconds since the epoch.
 * @throws {UsageError} when it is none of these.
 */
export function parseMoment(text: string, { option, now }: { option: string; now: number }): number {
  try {
    return readMoment(text, option, now);
  } catch (error) {
    throw error instanceof TypeError ? new UsageError(error.message, { cause: error }) : error;
  }
}
