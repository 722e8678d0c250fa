import assert from "node:assert/strict";
import { lazyModules, sources } from "../../scripts/compile/lazy_modules.ts";

Deno.test("what is imported lazily is there, and is the module whose types are taken", async () => {
  const modules = [...await lazyModules("cli"), ...await lazyModules("mcp")];
  assert.ok(modules.length > 20);
  for (const { from, typed, imported } of modules) {
    assert.equal(imported.href, typed.href, from.pathname);
    assert.ok((await Deno.stat(imported)).isFile);
  }
});

Deno.test("nothing in adsctl is imported in a way that Deno follows before the program begins", async () => {
  const uses = new Map<string, number>();
  for await (const file of sources(new URL("../../src/cli/", import.meta.url))) {
    const text = await Deno.readTextFile(file);
    if (file.pathname.endsWith("/lazy_import.ts")) continue;
    assert.doesNotMatch(text, /(?<!typeof )\bimport\("/, file.pathname);
    uses.set(file.href, text.split("lazyImport<").length - 1);
  }
  const found = (await lazyModules("cli")).length;
  assert.equal([...uses.values()].reduce((sum, count) => sum + count, 0), found, "every use is understood");
});
