/** One change of a value: when, and what it was before. */
interface TimelineChange<T> {
  /** When, milliseconds since the epoch. */
  readonly at: number;
  /** The value until then. */
  readonly before: T;
}

/** Value at any moment, derived from its present value and its recorded changes. */
export class Timeline<T> {
  readonly #now: T;
  readonly #changes: readonly TimelineChange<T>[];

  /** Takes the value as it is now and its changes, oldest first. */
  constructor(now: T, changes: readonly TimelineChange<T>[] = []) {
    this.#now = now;
    this.#changes = changes;
  }

  at(moment: number): T {
    const next = this.#changes[this.#firstAfter(moment)];
    return next === undefined ? this.#now : next.before;
  }

  /** True if it changed at least once after `from` and before `to`. */
  changesWithin(from: number, to: number): boolean {
    const next = this.#changes[this.#firstAfter(from)];
    return next !== undefined && next.at < to;
  }

  /** Position of the first change after a moment: a schedule that moves a bid by the hour makes thousands a year. */
  #firstAfter(moment: number): number {
    let [low, high] = [0, this.#changes.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#changes[middle]!.at > moment) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** The values it has ever had. */
  values(): T[] {
    return [...this.#changes.map(({ before }) => before), this.#now];
  }
}
