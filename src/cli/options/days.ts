import { addDays, checkDay } from "../../internal/calendar.ts";
import { refusingBadInput } from "../core/cli_error.ts";

/**
 * A day as people type it: `2026-11-20`, or `-7` for so many days before today.
 *
 * @param option Name of the option, for the message.
 * @param today The day it is where the profile is.
 * @throws {UsageError} when it is neither.
 */
export async function parseDay(
  text: string,
  { option, today }: { option: string; today: string },
): Promise<string> {
  const ago = /^-(\d{1,5})$/.exec(text.trim());
  if (ago !== null) return addDays(today, -Number(ago[1]));
  return await refusingBadInput(() => checkDay(text.trim(), option));
}
