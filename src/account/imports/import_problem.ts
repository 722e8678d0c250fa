import { groupedProblems } from "../tables/problem_list.ts";
import { ConfigurationError } from "../../errors.ts";

/** A problem with a part of a file that cannot be used. */
export interface ImportProblem {
  /** Name of the file. */
  readonly file: string;
  /** Name of the tab; empty for CSV. */
  readonly tab: string;
  /** Row number, with the header as 1; 0 for the whole file. */
  readonly row: number;
  /** Header of the column; empty for the whole row. */
  readonly header: string;
  /** The problem, and what to do. */
  readonly message: string;
}

const MAX_NAMED = 100;

/**
 * Imported files are invalid. Lists every problem; nothing was stored.
 *
 * @example
 * ```ts
 * import { importFiles, ImportProblemsError, type SheetFile } from "@platform/ads/account";
 * import type { Warehouse } from "@platform/ads/store";
 *
 * async function read(store: Warehouse, files: SheetFile[]): Promise<void> {
 *   try {
 *     await importFiles(store, files, { countryCode: "US" });
 *   } catch (error) {
 *     if (!(error instanceof ImportProblemsError)) throw error;
 *     for (const { file, row, header, message } of error.problems) console.log(file, row, header, message);
 *   }
 * }
 * ```
 */
export class ImportProblemsError extends ConfigurationError {
  /** Problems in file order, at most the first 10,000 of each file. */
  readonly problems: readonly ImportProblem[];
  /** Number of all problems. */
  readonly count: number;

  /**
   * Creates a message that names the first 100 problems and counts the rest.
   *
   * @param count Number of all problems. @default the number of those that are given
   */
  constructor(problems: readonly ImportProblem[], count: number = problems.length) {
    const groups = groupedProblems(problems, ({ file, tab, header }) => JSON.stringify([file, tab, header]));
    const lines = groups.slice(0, MAX_NAMED).map(({ problem, rows }) =>
      `\n  ${placeOf(problem, rows)}: ${problem.message}`
    );
    const more = groups.length > MAX_NAMED ? `\n  and ${groups.length - MAX_NAMED} more` : "";
    const unlisted = count - problems.length;
    const last = unlisted === 0 ? "" : `\n  and ${unlisted} more after the first ${problems.length}`;
    const all = count === 1 ? "1 problem" : `${count} problems`;
    super(`Cannot import: ${all}, nothing was stored${lines.join("")}${more}${last}`);
    this.problems = problems;
    this.count = count;
  }
}

function placeOf({ file, tab, row, header }: ImportProblem, rows: string): string {
  const where = [
    tab === "" ? file : `${file}, tab ${tab}`,
    ...(row === 0 ? [] : [rows]),
    ...(header === "" ? [] : [`"${header.trim()}"`]),
  ];
  return where.join(", ");
}
