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

  /** The value at a moment. */
  at(moment: number): T {
    for (const change of this.#changes) if (moment < change.at) return change.before;
    return this.#now;
  }

  /** True if it changed at least once after `from` and before `to`. */
  changesWithin(from: number, to: number): boolean {
    return this.#changes.some(({ at }) => at > from && at < to);
  }

  /** The values it has ever had. */
  values(): T[] {
    return [...this.#changes.map(({ before }) => before), this.#now];
  }
}
