/** One change of a value. */
interface TimelineChange<T> {
  /** Time, epoch milliseconds. */
  readonly at: number;
  /** Value before. */
  readonly before: T;
}

/** Value at any moment, derived from its present value and its recorded changes. */
export class Timeline<T> {
  readonly #now: T;
  readonly #changes: readonly TimelineChange<T>[];

  /** Takes the current value and its changes, oldest first. */
  constructor(now: T, changes: readonly TimelineChange<T>[] = []) {
    this.#now = now;
    this.#changes = changes;
  }

  at(moment: number): T {
    const next = this.#changes[this.#firstAfter(moment)];
    return next === undefined ? this.#now : next.before;
  }

  /** True if it changed between two moments. */
  changesWithin(from: number, to: number): boolean {
    const next = this.#changes[this.#firstAfter(from)];
    return next !== undefined && next.at < to;
  }

  /** Binary search: a schedule that moves a bid hourly makes thousands of changes a year. */
  #firstAfter(moment: number): number {
    let [low, high] = [0, this.#changes.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#changes[middle]!.at > moment) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** All values so far. */
  values(): T[] {
    return [...this.#changes.map(({ before }) => before), this.#now];
  }
}
