import type { AcceptedMutant } from "../../accepted_mutant.ts";

/** Mutants of src/store/sync that no test needs to notice. */
export const STORE_SYNC: readonly AcceptedMutant[] = [
  {
    path: "src/store/sync/compare_export.ts",
    before: "1024",
    after: "(1024 + 1)",
    why: "How many ids the first array has room for",
  },
  {
    path: "src/store/sync/compare_export.ts",
    before: "2",
    after: "(2 + 1)",
    within: "this.#size * 2",
    why: "How much larger the next array is",
  },
  {
    path: "src/store/sync/sync_entities.ts",
    before: "1",
    after: "(1 + 1)",
    within: "maxRows: 1",
    why: "An aggregate has one row",
  },
  {
    path: "src/store/sync/sync_entities.ts",
    before: "lacking <= most",
    after: "true",
    why: "Bounds memory alone: with more of them the kind is listed",
  },
  {
    path: "src/store/sync/pull_report.ts",
    before: "200",
    after: "(200 + 1)",
    why: "How many entries of the ledger are read to find one of the newest",
  },
];
