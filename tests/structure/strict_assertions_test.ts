import { deepEqual, throws } from "../support/assert.ts";
import { sourceFiles } from "../support/module_graph.ts";

const LOOSE =
  /import [^;]*\{[^}]*\b(?:equal|deepEqual|notEqual|notDeepEqual)\b[^}]*\} from "(?:node:)?assert(?:\/strict)?"/;

Deno.test("no test takes an assertion by a name under which Deno has the loose one", async () => {
  const found: string[] = [];
  for (const path of await sourceFiles(["tests", "scripts"])) {
    if (LOOSE.test(await Deno.readTextFile(path))) found.push(path);
  }
  deepEqual(found, []);
});

Deno.test("the assertions of tests tell a number from its text", () => {
  throws(() => deepEqual([1], ["1"]));
});
