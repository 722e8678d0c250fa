/** The tests of a run: those of `deno task test`, or the others, tagged by `tests/support/long.ts`. */
export type Lane = "everyday" | "long";

/** Begins the name of a test that `deno task test` leaves out. */
export const LONG_MARK = "[long] ";

/** The tag, and helpers that declare a test twice, once as a long one. */
const IMPORTS_TAG = /from "[./]+\/(?:support\/(?:long|judging|on_both_wires)|(?:sync_)?ground)\.ts"/;
const TAGS_FILE = /^longFile\(\);$/m;

/** Begins the name of a test that does not run under a policy; the reason follows. */
export const NO_POLICY_MARK = "[without a policy: ";

/** The lanes that a file has tests for, by its text. */
export function lanesOf(text: string): readonly Lane[] {
  if (!IMPORTS_TAG.test(text)) return ["everyday"];
  return TAGS_FILE.test(text) ? ["long"] : ["everyday", "long"];
}
