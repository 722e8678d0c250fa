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

/** Messages of these floors that name a command, because no function of the library does it. */
const COMMANDS_ALONE = new Set(["src/platform/connection/access_tokens.ts"]);

Deno.test("messages of the client name functions, for which adsctl puts its commands", async () => {
  const wrong: string[] = [];
  for (const file of await sourceFiles(["src/base", "src/platform", "src/client"])) {
    const code = (await Deno.readTextFile(file)).replace(/^\s*(?:\/?\*|\/\/).*$/gm, "");
    const name = file.slice(file.indexOf("src/"));
    if (/["'`. (]adsctl /.test(code) && !COMMANDS_ALONE.has(name)) wrong.push(name);
  }
  deepEqual(wrong, []);
});
