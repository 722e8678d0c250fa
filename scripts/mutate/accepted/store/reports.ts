import type { AcceptedMutant } from "../../accepted_mutant.ts";

/** Mutants of what the store keeps of reports, and of its views, figures and history, that no test needs to notice. */
export const STORE_REPORTS: readonly AcceptedMutant[] = [
  {
    path: "src/store/model/coverage.ts",
    before: "ranges.at(-1)?.end ?? firstDay",
    after: "ranges.at(-1)?.end",
    why: "A line is made of one range at least",
  },
  {
    path: "src/store/model/coverage.ts",
    before: ">",
    after: ">=",
    within: "newest > range.lastPull",
    why: "Of two equal times either may be taken",
  },
  {
    path: "src/store/model/encode_rows.ts",
    before: "+",
    after: "-",
    within: "new Array<Cell>(columns.length + 1)",
    why: "The list grows when it is too short, which costs time alone",
  },
  {
    path: "src/store/model/row_comparison.ts",
    before: "this.#hashes[middle] ?? 0",
    after: "this.#hashes[middle]",
    why: "The middle of a part of the list is in the list",
  },
  {
    path: "src/store/model/row_comparison.ts",
    before: "0",
    after: "(0 + 1)",
    within: "this.#hashes[middle] ?? 0",
    why: "The middle of a part of the list is in the list",
  },
  {
    path: "src/store/figures/plan_outcome.ts",
    before: ">",
    after: ">=",
    within: "high + ROUNDING",
    why: "Half a cent to the bit is on neither side",
  },
  {
    path: "src/store/figures/plan_outcome.ts",
    before: "<",
    after: "<=",
    within: "low - ROUNDING",
    why: "Half a cent to the bit is on neither side",
  },
  {
    path: "src/store/views/maturity.ts",
    before: "1",
    after: "(1 + 1)",
    within: "maxRows: 1",
    why: "An aggregate has one row",
  },
  {
    path: "src/store/views/check_rates.ts",
    before: "1",
    after: "(1 + 1)",
    within: "maxRows: 1",
    why: "An aggregate has one row",
  },
];
