import { groupedProblems } from "../tables/problem_list.ts";
import { ConfigurationError } from "../../errors.ts";
import type { RowProblem } from "./sheet_row.ts";

const MAX_NAMED = 100;

/**
 * A sheet has invalid cells. Lists all of them; nothing was sent.
 *
 * @example
 * ```ts
 * import type { ProfileClient } from "@platform/ads";
 * import { planSheet, type SheetFile, SheetProblemsError } from "@platform/ads/account";
 *
 * async function planned(ca: ProfileClient, file: SheetFile): Promise<void> {
 *   try {
 *     await planSheet(ca, file);
 *   } catch (error) {
 *     if (!(error instanceof SheetProblemsError)) throw error;
 *     for (const { tab, row, header, message } of error.problems) console.log(tab, row, header, message);
 *   }
 * }
 * ```
 */
export class SheetProblemsError extends ConfigurationError {
  /** Every cell that cannot be used, in file order. */
  readonly problems: readonly RowProblem[];

  /**
   * Creates a message that names the first 100 problems and counts the rest.
   *
   * @param name Name of the file.
   */
  constructor(name: string, problems: readonly RowProblem[]) {
    const groups = groupedProblems(problems, ({ tab, header }) => JSON.stringify([tab, header]));
    const shown = groups.slice(0, MAX_NAMED).map(({ problem, rows }) => `\n  ${problemText(problem, rows)}`)
      .join("");
    const more = groups.length > MAX_NAMED ? `\n  and ${groups.length - MAX_NAMED} more` : "";
    const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
    super(`Cannot use the sheet ${name}: ${count}, nothing was sent${shown}${more}`);
    this.problems = problems;
  }
}

export function problemText(
  { tab, row, header, message }: RowProblem,
  rows: string = `row ${row}`,
): string {
  return `${tab === "" ? rows : `${tab} ${rows}`}${header === "" ? "" : `, ${header}`}: ${message}`;
}
