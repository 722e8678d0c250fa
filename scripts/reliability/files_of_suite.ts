import { join } from "node:path";
import { filesBelow } from "../mutate/project_copy.ts";

/** Files of the suite, by whether they draw anything from the seed. */
export interface SuiteFiles {
  /** What a seed makes another run of. */
  readonly seeded: readonly string[];
  /** What is the same with every seed. */
  readonly fixed: readonly string[];
}

/** Looks for the tests in a folder below a root: those whose text names the seed, and the others. */
export async function filesOfSuite(root: string, folder: string): Promise<SuiteFiles> {
  const [seeded, fixed]: [string[], string[]] = [[], []];
  for (const path of await filesBelow(root, folder)) {
    if (!path.endsWith("_test.ts")) continue;
    (/\bSEED\b/.test(await Deno.readTextFile(join(root, path))) ? seeded : fixed).push(path);
  }
  return { seeded, fixed };
}
