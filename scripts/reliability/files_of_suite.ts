import { join } from "node:path";
import { filesBelow } from "../mutate/project_copy.ts";

/** Files of the suite, by whether they draw anything from the seed. */
export interface SuiteFiles {
  /** What a seed makes another run of. */
  readonly seeded: readonly string[];
  /** What is the same with every seed. */
  readonly fixed: readonly string[];
}

/** Files that take minutes by themselves, the longest first: where they began last, the others would be done long before. */
export const LONGEST: readonly string[] = [
  "virtual_year_of_schedules",
  "service_over_a_quarter",
  "fault_schedules_unified",
  "fault_schedules",
  "report_schedules",
  "day_of_calls",
  "levelling_off",
  "policy_kinds",
];

/** Looks for the tests in a folder below a root: those whose text names the seed, and the others. */
export async function filesOfSuite(root: string, folder: string): Promise<SuiteFiles> {
  const [seeded, fixed]: [string[], string[]] = [[], []];
  for (const path of await filesBelow(root, folder)) {
    if (!path.endsWith("_test.ts")) continue;
    (/\bSEED\b/.test(await Deno.readTextFile(join(root, path))) ? seeded : fixed).push(path);
  }
  return { seeded, fixed };
}

/** Files in the order in which they are to begin: Deno keeps the order in which it is given them. */
export function longestFirst(files: readonly string[]): string[] {
  const rank = (path: string): number => {
    const place = LONGEST.findIndex((name) => path.endsWith(`/${name}_test.ts`));
    return place < 0 ? LONGEST.length : place;
  };
  return files.toSorted((a, b) => rank(a) - rank(b));
}
