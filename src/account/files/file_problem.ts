import { ConfigurationError } from "../../errors.ts";
import { visibleText } from "../../base/text/visible_text.ts";

/** A problem in an account file. */
export interface FileProblem {
  /** Path of the file below the account's folder, with slashes. */
  readonly file: string;
  /** Line, from 1; absent for a problem of the whole file. */
  readonly line?: number;
  /** Field, as a path: `ad_groups.0.keywords.3.bid`. */
  readonly field?: string;
  /** The problem, and how to solve it. */
  readonly message: string;
}

const MAX_SHOWN = 100;

/**
 * Account files are invalid. Lists every problem; nothing was sent.
 *
 * @example
 * ```ts
 * import { AccountFiles, AccountFilesError } from "@platform/ads/account";
 *
 * try {
 *   AccountFiles.fromTexts({ "sp/shoes.yaml": "name: Shoes\nstat: ENABLED\n" }).check();
 * } catch (error) {
 *   if (!(error instanceof AccountFilesError)) throw error;
 *   for (const { file, line, field, message } of error.problems) console.log(file, line, field, message);
 * }
 * ```
 */
export class AccountFilesError extends ConfigurationError {
  /** All problems, ordered by file and line. */
  readonly problems: readonly FileProblem[];

  /**
   * Reports problems in the order of files and lines.
   *
   * @param what Action that failed, for example `use the account files`.
   */
  constructor(
    what: string,
    found: readonly FileProblem[],
    { effect = "nothing was sent", hint }: { effect?: string; hint?: string } = {},
  ) {
    const problems = [...found].sort((a, b) =>
      a.file === b.file ? (a.line ?? 0) - (b.line ?? 0) : a.file < b.file ? -1 : 1
    );
    const shown = problems.slice(0, MAX_SHOWN).map((problem) => `\n  ${problemText(problem)}`).join("");
    const more = problems.length > MAX_SHOWN ? `\n  and ${problems.length - MAX_SHOWN} more` : "";
    super(`Cannot ${what}, so ${effect}:${shown}${more}${hint === undefined ? "" : `\n${hint}`}`);
    this.problems = problems;
  }
}

/** Formats a problem as one line, for example `sp/shoes.yaml:12: ad_groups.0.bid: is not a number`. */
export function problemText({ file, line, field, message }: FileProblem): string {
  const place = line === undefined ? file : `${file}:${line}`;
  return visibleText(`${place}: ${field === undefined || field === "" ? "" : `${field}: `}${message}`);
}
