/** Something to do around the tests of a file. */
export type Hook = () => void | Promise<void>;

/** What a file does around its tests. */
export interface FileHooks {
  readonly before: Hook[];
  readonly after: Hook[];
}

/** What the file being loaded says of itself: tags and hooks of `tests/support` write it. */
export interface Marks {
  /** True once all tests to come are long. */
  isFileLong: boolean;
  /** True until the next test is declared, which is long. */
  isNextLong: boolean;
  /** True where every client has a policy: see `tests/support/judged_clients.ts`. */
  isUnderPolicy: boolean;
  /** How often such policies were asked. */
  judged: number;
  /** Set until the next test is declared: why that one does not run under a policy. */
  whyWithoutPolicy: string | undefined;
  /** Takes its hooks. Absent where a file has an isolate of its own, whose hooks do. */
  hooks: FileHooks | undefined;
  /** Where the file that runs keeps temporary files; `undefined` for the place of the system. */
  temporary: (() => string | undefined) | undefined;
}

/** Shared by the tags and by the harness of `run_tests.ts`. */
export const marks: Marks = {
  isFileLong: false,
  isNextLong: false,
  isUnderPolicy: false,
  judged: 0,
  whyWithoutPolicy: undefined,
  hooks: undefined,
  temporary: undefined,
};
