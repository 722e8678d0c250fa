/** A small change of a source that some test should notice. */
export interface Mutant {
  /** Its number in the sources, from 1: the change that is active in a run. */
  readonly id: number;
  /** Path of the source, from the root of the repository. */
  readonly path: string;
  /** Line of the change, from 1. */
  readonly line: number;
  /** Where it begins on that line, from 1. */
  readonly column: number;
  /** The line that it is on. */
  readonly context: string;
  /** Text that stands there now. */
  readonly before: string;
  /** Text that takes its place; `;` where it is removed. */
  readonly after: string;
}
