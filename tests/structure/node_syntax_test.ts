import { deepEqual } from "../support/assert.ts";
import { sourceFiles } from "../support/module_graph.ts";

Deno.test("no source declares with using, which Node 22 cannot read", async () => {
  const wrong: string[] = [];
  for (const file of await sourceFiles(["src", "catalog"])) {
    if (/^\s*(?:await )?using \w+ =/m.test(await Deno.readTextFile(file))) wrong.push(file);
  }
  deepEqual(wrong, []);
});
