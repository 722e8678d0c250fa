import type { AcceptedMutant } from "../../accepted_mutant.ts";

/** Mutants of the hourly stream in the store that no test needs to notice. */
export const STORE_STREAM: readonly AcceptedMutant[] = [
  {
    path: "src/store/stream/read_message.ts",
    before: '!path.includes(".")',
    after: "false",
    why: "Saves time alone: a path without dots is not there",
  },
  {
    path: "src/store/stream/reconcile_stream.ts",
    before: "<",
    after: "<=",
    within: "a < b ? -1 : 1",
    why: "No two groups have one key",
  },
  {
    path: "src/store/stream/reconcile_stream.ts",
    before: "1",
    after: "(1 + 1)",
    within: "a < b ? -1 : 1",
    why: "Any number above 0 sorts alike, and any below",
  },
  {
    path: "src/store/stream/reconcile_stream.ts",
    before: "<",
    after: "<=",
    within: "reports.indexOf(before.report)",
    why: "A day has one line for each report",
  },
];
