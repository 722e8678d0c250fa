/** FIFO concurrency limiter. */
export class Limiter {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  /** @param limit How many at the same time. */
  constructor(limit: number) {
    this.#free = limit;
  }

  /** Runs the work when it is its turn. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((go) => this.#waiting.push(go));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    }
  }
}
