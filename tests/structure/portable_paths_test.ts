import { deepEqual, match } from "../support/assert.ts";
import { sourceFiles } from "../support/module_graph.ts";

Deno.test("no file takes the pathname of its URL for a path: blanks are %20 there, and Windows has a drive", async () => {
  const wrong: string[] = [];
  for (const file of await sourceFiles(["src", "catalog", "scripts", "tests"])) {
    const text = await Deno.readTextFile(file);
    if (/new URL\(\s*["'`][^"'`]*["'`],\s*[\w.]+\s*\)\s*\.pathname/.test(text)) wrong.push(file);
  }
  deepEqual(wrong, []);
});

Deno.test("git leaves line ends as they are on every system", async () => {
  match(await Deno.readTextFile(".gitattributes"), /^\* -text$/m);
});
