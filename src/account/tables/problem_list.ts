const MAX_KEPT = 10_000;

export class ProblemList<Problem> {
  readonly first: Problem[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(problem: Problem): void {
    this.#count += 1;
    if (this.first.length < MAX_KEPT) this.first.push(problem);
  }

  addAll({ first, count }: Pick<ProblemList<Problem>, "first" | "count">): void {
    for (const problem of first) this.add(problem);
    this.#count += count - first.length;
  }
}
