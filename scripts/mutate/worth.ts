/** A test file that kills nothing of its own and costs more than this is to be merged or removed, in milliseconds. */
export const DEAR = 2000;
/** What is said of such a file. */
export const MERGE = "merge or remove it";

interface FileWorth {
  killed: number;
  readonly alone: string[];
}

/** Which changes each test file notices, and which of them no other does. */
export class Worth {
  readonly #files: ReadonlyMap<string, number>;
  readonly #worth = new Map<string, FileWorth>();

  /** @param costs Milliseconds of each test file. */
  constructor(costs: ReadonlyMap<string, number>) {
    this.#files = costs;
    for (const file of costs.keys()) this.#worth.set(file, { killed: 0, alone: [] });
  }

  /** Takes a change, as it is printed, and the files that notice it. */
  add(change: string, files: readonly string[]): void {
    for (const file of files) {
      const worth = this.#worth.get(file);
      if (worth === undefined) continue;
      worth.killed++;
      if (files.length === 1) worth.alone.push(change);
    }
  }

  /** A line for each file, those first that cost most for what they alone notice, and below it what that is. */
  lines(): string[] {
    const ranked = [...this.#worth].map(([file, worth]) => ({
      file,
      ...worth,
      cost: this.#files.get(file) ?? 0,
    }))
      .sort((a, b) => Number(a.alone.length > 0) - Number(b.alone.length > 0) || b.cost - a.cost);
    return ranked.flatMap(({ file, killed, alone, cost }) => [
      `${(cost / 1000).toFixed(1)} s, ${killed} noticed, ${alone.length} by it alone: ${file}${
        alone.length === 0 && cost > DEAR ? ` (${MERGE})` : ""
      }`,
      ...alone.map((change) => `    ${change}`),
    ]);
  }
}
