import process from "node:process";

/**
 * One measurement, printed as one JSON line. A benchmark is a file `tests/bench/<name>.ts` that exports
 * `bench(): Promise<BenchLine[]>` and does nothing when it is imported; helpers live in `tests/bench/support/`.
 */
export interface BenchLine {
  /** What was measured, for example `list 100,000 keywords`. */
  readonly name: string;
  /** The figure of our code, in `unit`. */
  readonly value: number;
  /** Unit of `value` and `baseline`: `ms`, `MB`, `rows/s`. */
  readonly unit: string;
  /** The figure of the plainest code that does the same, measured in the same run; `null` where there is none. */
  readonly baseline: number | null;
  /** `value / baseline`; `null` without a baseline. */
  readonly ratio: number | null;
}

/** Makes a line: figures rounded to four digits, the ratio computed. */
export function benchLine(
  name: string,
  value: number,
  options: { unit: string; baseline?: number },
): BenchLine {
  const { unit, baseline } = options;
  return {
    name,
    value: rounded(value),
    unit,
    baseline: baseline === undefined ? null : rounded(baseline),
    ratio: baseline === undefined ? null : rounded(value / baseline),
  };
}

/** The middle one of the figures, the mean of the two middle ones where their count is even. */
export function median(figures: readonly number[]): number {
  const sorted = [...figures].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Milliseconds that a piece of work takes. */
export async function milliseconds(work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Milliseconds of the processor that a piece of work takes in this process, which a busy machine changes little. */
export async function processorTime(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function rounded(figure: number): number {
  return Number(figure.toPrecision(4));
}
