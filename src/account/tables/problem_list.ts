/** A problem with a table that cannot be used. */
export interface CellProblem {
  /** Row number; 0 for the whole table. */
  readonly row: number;
  /** Header of the column; empty for the whole row. */
  readonly header: string;
  readonly message: string;
}

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

interface RowOfProblem {
  readonly row: number;
  readonly message: string;
}

const MAX_ROWS = 8;

export function groupedProblems<Problem extends RowOfProblem>(
  problems: readonly Problem[],
  keyOf: (problem: Problem) => string,
): { readonly problem: Problem; readonly rows: string }[] {
  const groups = Map.groupBy(problems, (problem) => `${keyOf(problem)}\u0000${problem.message}`);
  return [...groups.values()].flatMap((group) => {
    const [problem] = group;
    if (problem === undefined) return [];
    const rows = group.slice(0, MAX_ROWS).map(({ row }) => row).join(", ");
    const more = group.length > MAX_ROWS ? ` and ${group.length - MAX_ROWS} more` : "";
    return [{ problem, rows: group.length === 1 ? `row ${rows}` : `rows ${rows}${more}` }];
  });
}
