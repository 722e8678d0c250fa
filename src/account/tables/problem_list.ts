/** Problems that are kept; the others are counted. */
const MAX_KEPT = 10_000;

/** The first problems of a file, with the number of all: a file may have one in each of its rows. */
export class ProblemList<Problem> {
  readonly first: Problem[] = [];
  #count = 0;

  /** Number of all problems. */
  get count(): number {
    return this.#count;
  }

  add(problem: Problem): void {
    this.#count += 1;
    if (this.first.length < MAX_KEPT) this.first.push(problem);
  }

  /** Adds the problems of a part. */
  addAll({ first, count }: Pick<ProblemList<Problem>, "first" | "count">): void {
    for (const problem of first) this.add(problem);
    this.#count += count - first.length;
  }
}
