import type { AcceptedMutant } from "../accepted_mutant.ts";

/** Mutants of src/platform/batch that no test needs to notice. */
export const BATCH: readonly AcceptedMutant[] = [
  {
    path: "src/platform/batch/batch_result.ts",
    before: "<",
    after: "<=",
    why: "An item has one verdict: no success and no error share an index",
  },
  {
    path: "src/platform/batch/batch_result.ts",
    before: "<=",
    after: "<",
    why: "Sorts verdicts that are in order already, which keeps their order",
  },
  {
    path: "src/platform/batch/batch_result.ts",
    before: "!(copy[at - 1]!.index <= copy[at]!.index)",
    after: "true",
    why: "Sorts verdicts that are in order already, which keeps their order",
  },
];
