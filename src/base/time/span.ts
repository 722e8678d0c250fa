const SECONDS: Readonly<Record<string, number>> = { m: 60, h: 3600, d: 86_400 };

/**
 * Parses a length of time such as `15m`, `1h` or `3d`.
 *
 * @returns Seconds, above 0.
 * @throws {TypeError} for other text, and for more than `maxDays`; it contains `name`.
 */
export function readSpan(text: string, name: string, { maxDays = 9999 }: { maxDays?: number } = {}): number {
  const [, count, unit = ""] = /^(\d{1,4})([mhd])$/.exec(text.trim()) ?? [];
  const seconds = Number(count) * (SECONDS[unit] ?? NaN);
  if (!(seconds > 0)) {
    throw new TypeError(`Cannot use "${text}" as ${name}: it is not a time such as 15m, 1h or 1d`);
  }
  if (seconds <= maxDays * 86_400) return seconds;
  throw new TypeError(`Cannot use "${text}" as ${name}: it is more than ${maxDays} days`);
}
