import { deepEqual, ok } from "../support/assert.ts";
import { sourceFiles } from "../support/module_graph.ts";

/** Programs, which do their work when they are loaded. */
const PROGRAMS = ["src/automation/scripts/child_program.ts"];

Deno.test("every module of src can be loaded", async () => {
  const modules = (await sourceFiles(["src"])).filter((path) =>
    path.startsWith("src/") && !PROGRAMS.includes(path)
  );
  ok(modules.length > 700, `${modules.length} modules`);
  const problems: string[] = [];
  for (const path of modules) {
    await import(`../../${path}`).catch((error: Error) => problems.push(`${path}: ${error.message}`));
  }
  deepEqual(problems, []);
});
