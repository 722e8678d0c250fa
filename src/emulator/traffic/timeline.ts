interface TimelineChange<T> {
  readonly at: number;
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

  changesWithin(from: number, to: number): boolean {
    const next = this.#changes[this.#firstAfter(from)];
    return next !== undefined && next.at < to;
  }

  /** Binary search, because an hourly schedule makes thousands of changes per year. */
  #firstAfter(moment: number): number {
    let [low, high] = [0, this.#changes.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#changes[middle]!.at > moment) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  values(): T[] {
    return [...this.#changes.map(({ before }) => before), this.#now];
  }
}
