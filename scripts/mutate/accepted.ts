import type { Mutant } from "./mutants.ts";

/** A mutant that no test needs to notice. */
export interface AcceptedMutant extends Pick<Mutant, "path" | "before" | "after"> {
  /** Part of the line that it is on, where the same change elsewhere in the file is to be noticed. */
  readonly within?: string;
  /** Why not. */
  readonly why: string;
}

/** The mutants that no test needs to notice; those of an expression that is written twice in a file are accepted twice. */
export const ACCEPTED: readonly AcceptedMutant[] = [
  {
    path: "src/batch/batch_result.ts",
    before: "<",
    after: "<=",
    why: "An item has one verdict: no success and no error share an index",
  },
  {
    path: "src/batch/batch_result.ts",
    before: "<=",
    after: "<",
    why: "Sorts verdicts that are in order already, which keeps their order",
  },
  {
    path: "src/batch/batch_result.ts",
    before: "!(copy[at - 1]!.index <= copy[at]!.index)",
    after: "true",
    why: "Sorts verdicts that are in order already, which keeps their order",
  },
];
