import { deepEqual } from "../support/assert.ts";
import { sourceFiles } from "../support/module_graph.ts";

Deno.test("no message of the library advises --demo, which only commands have", async () => {
  const wrong: string[] = [];
  for (const file of await sourceFiles(["src"])) {
    if (file.includes("/interfaces/")) continue;
    const code = (await Deno.readTextFile(file)).replace(/^\s*(?:\/?\*|\/\/).*$/gm, "");
    if (/--demo\b/.test(code)) wrong.push(file);
  }
  deepEqual(wrong, []);
});
