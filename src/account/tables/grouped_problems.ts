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
