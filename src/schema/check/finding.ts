/** Kinds of difference between a value and its published shape. */
export type FindingCode =
  | "unknown-field"
  | "missing-field"
  | "wrong-type"
  | "not-allowed"
  | "out-of-range"
  | "wrong-format"
  | "unknown-parameter"
  | "missing-parameter";

/** A difference between a request or response and what is published of it. */
export interface SchemaFinding {
  /** Path of the value: `campaigns[0].budget.amount`; `query count`; empty for the whole body. */
  readonly path: string;
  /** Kind of difference. */
  readonly code: FindingCode;
  /** The difference, in one line without its path. */
  readonly problem: string;
  /** Name of the field that is missing. */
  readonly field?: string;
}

/** A finding as one line: `campaigns[0].budjet: unknown field. Did you mean "budget"?`. */
export function findingText({ path, problem }: SchemaFinding): string {
  return `${path === "" ? "body" : path}: ${problem}`;
}
