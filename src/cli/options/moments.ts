import { milliseconds } from "../../history/moment.ts";
import { UsageError } from "../core/cli_error.ts";

const DAY = 86_400_000;
const UNITS: Readonly<Record<string, number>> = { "": DAY, d: DAY, h: 3_600_000, m: 60_000 };

/**
 * A moment as people type it: `-7` (days ago), `-3h`, `-45m`, `2026-11-20` (midnight UTC) or `2026-11-20T10:00:00Z`.
 *
 * @param now Milliseconds since the epoch.
 * @returns Milliseconds since the epoch.
 * @throws {UsageError} when it is none of these.
 */
export function parseMoment(text: string, { option, now }: { option: string; now: number }): number {
  const ago = /^-(\d{1,5})([dhm]?)$/.exec(text);
  if (ago !== null) return now - Number(ago[1]) * UNITS[ago[2]!]!;
  try {
    return milliseconds(text);
  } catch {
    throw new UsageError(
      `Cannot use ${option} "${text}": write days ago (-7), hours ago (-3h), a day (2026-11-20) or a moment (2026-11-20T10:00:00Z)`,
    );
  }
}
