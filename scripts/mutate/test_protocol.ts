import type { Lane } from "../run_tests/lanes.ts";

/** What the program and the process that runs the tests of a changed copy tell each other: a JSON value a line. */

/** A test, and what it was seen to do when nothing was changed. */
export interface KnownTest {
  /** Path of its file from the root. */
  readonly file: string;
  /** Its place in the file, from 0. */
  readonly index: number;
  readonly name: string;
  readonly milliseconds: number;
  /** How often it passed any change. */
  readonly passed: number;
  /** The changes that it reaches each time. */
  readonly reached: readonly number[];
}

/** A test to try a change with. */
export type TestToTry = Omit<KnownTest, "reached">;

/** To the process. */
export type TestOrder =
  /** Run the tests of a file twice, unchanged, or `isOnce`: those of a lane, or all. */
  | {
    readonly kind: "measure";
    readonly file: string;
    readonly lane?: Lane | undefined;
    readonly isOnce?: boolean;
  }
  /** Run tests with a change, until one fails. `isEarly` has it active while modules are loaded, in a new process. */
  | {
    readonly kind: "try";
    readonly id: number;
    readonly tests: readonly TestToTry[];
    readonly isEarly: boolean;
  };

/** From the process. */
export type TestAnswer =
  | {
    readonly kind: "measured";
    readonly tests: readonly KnownTest[];
    /** The changes that are reached only once in a process: while modules are loaded, or by the first call. */
    readonly reachedOnce: readonly number[];
    /** Tests that fail although nothing is changed, and how. */
    readonly failing: readonly string[];
  }
  /** A test begins. */
  | { readonly kind: "begins"; readonly test: string }
  | {
    readonly kind: "tried";
    /** The test that failed. */
    readonly noticedBy: string | undefined;
    /** True where that test fails without the change too, from now on: only a new process can tell. */
    readonly isSpoiled: boolean;
    /** True when a test did not end. */
    readonly isEndless: boolean;
  };

/** Begins a line of the process that is an answer, and nothing that a test printed. */
export const ANSWER_MARK = "\u0001answer ";
