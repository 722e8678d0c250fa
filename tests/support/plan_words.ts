/**
 * Reads what plans and their results say, so that a test of something else holds a fact and no sentence. The sentences are
 * held by the tests of `tests/plans/view`.
 */

/** How many entities a plan creates, changes and archives, as its last line or its counts say. */
export function plannedIn(text: string): readonly [create: number, change: number, archive: number] {
  const [, create, change, archive] = /(\d+) to create, (\d+) to change, (\d+) to archive/.exec(text) ?? [];
  if (archive === undefined) throw new Error(`Cannot find what is planned in: ${text}`);
  return [Number(create), Number(change), Number(archive)];
}

/** How many changes were made and how many refused, over all lines of a result. */
export function sentIn(text: string): readonly [succeeded: number, failed: number] {
  const lines = [...text.matchAll(/(\d+) succeeded, (\d+) failed/g)];
  if (lines.length === 0) throw new Error(`Cannot find what was sent in: ${text}`);
  const sum = (at: 1 | 2): number => lines.reduce((all, line) => all + Number(line[at]), 0);
  return [sum(1), sum(2)];
}

/** What the console says of a plan that still fits the account, once it has read it. */
export const FITS = "The account has not changed since the plan was made";
