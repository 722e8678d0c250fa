import type { BrokenSeed } from "./report.ts";

/** Seeds that once broke a promise, and how. They are played at every run of the tests. */
export const KEPT_SEEDS: readonly (BrokenSeed & { readonly found: string })[] = [
  {
    scenario: "pace",
    seed: 38,
    found: "A full disk kept a program from giving its place back, and it waited for that place for ever",
  },
  { scenario: "pace", seed: 21, found: "The same, with a lock file that could not be written" },
];
