const EIGHTHS = " ▁▂▃▄▅▆▇█";

const WIDTH = 14;

export function eighths(share: number): string {
  return EIGHTHS[Math.round(8 * Math.min(1, Math.max(0, share)))] ?? "";
}

/**
 * Zero is the lowest column and a missing day is a space. If days exceed the width, a character shows the mean of
 * several days.
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
