const EIGHTHS = " ▁▂▃▄▅▆▇█";

/** Characters that a sparkline has at most. */
const WIDTH = 14;

/** A share of a line's height as one character: nothing, some eighths, or all of it. */
export function eighths(share: number): string {
  return EIGHTHS[Math.round(8 * Math.min(1, Math.max(0, share)))] ?? "";
}

/**
 * Values by day as a line of columns, 0 as the lowest. A day without a value is a space, never a column. Where there are
 * more days than characters, several share one, which shows the mean of those that have a value.
 */
export function sparkline(values: readonly (number | undefined)[], width: number = WIDTH): string {
  const share = Math.max(1, Math.ceil(values.length / width));
  const means = Array.from({ length: Math.ceil(values.length / share) }, (_, at) => {
    const known = values.slice(at * share, (at + 1) * share).filter((value) => value !== undefined);
    return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0) / known.length;
  });
  const most = Math.max(0, ...means.map((mean) => mean ?? 0));
  return means.map((mean) =>
    mean === undefined ? " " : eighths(Math.max(1 / 8, most === 0 ? 0 : mean / most))
  )
    .join("");
}
