/** Something to do around the tests of a file. */
export type Hook = () => void | Promise<void>;

/** What a file does around its tests. */
export interface FileHooks {
  readonly before: Hook[];
  readonly after: Hook[];
}

/** What the file being loaded says of itself: `tests/support/long.ts` and `tests/support/hooks.ts` write it. */
export interface Marks {
  /** True once all tests to come are long. */
  isFileLong: boolean;
  /** True until the next test is declared, which is long. */
  isNextLong: boolean;
  /** Takes its hooks. Absent where a file has an isolate of its own, whose hooks do. */
  hooks: FileHooks | undefined;
}

/** Shared by the tags and by the harness of `run_tests.ts`. */
export const marks: Marks = { isFileLong: false, isNextLong: false, hooks: undefined };
