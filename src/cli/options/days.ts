import { readDay } from "../../internal/moment.ts";
import { refusingBadInput } from "../core/errors/cli_error.ts";

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
