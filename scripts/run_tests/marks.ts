/** The tags of tests that the file being loaded declares: `tests/support/long.ts` sets them. */
export interface Marks {
  /** True once all tests to come are long. */
  isFileLong: boolean;
  /** True until the next test is declared, which is long. */
  isNextLong: boolean;
}

/** Shared by the tag and by the harness of `run_tests.ts`. */
export const marks: Marks = { isFileLong: false, isNextLong: false };
