import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";

interface ModuleGraph {
  modules: {
    specifier: string;
    dependencies?: { specifier: string; isDynamic?: boolean; code?: { specifier: string } }[];
  }[];
}

const root = new URL("../../", import.meta.url);

async function graphOf(path: string): Promise<ModuleGraph> {
  const args = ["info", "--json", fileURLToPath(new URL(path, root))];
  const { stdout } = await new Deno.Command(Deno.execPath(), { args }).output();
  return JSON.parse(new TextDecoder().decode(stdout)) as ModuleGraph;
}

Deno.test("the catalog's data is reached by one dynamic import only, so that it is loaded at first use", async () => {
  const { modules } = await graphOf("src/platform/catalog/mod.ts");
  const importers = modules.flatMap(({ specifier, dependencies = [] }) =>
    dependencies.filter((dependency) => dependency.code?.specifier.endsWith("operations_data.js"))
      .map((dependency) => [specifier.slice(root.href.length), dependency.isDynamic])
  );
  assert.deepEqual(importers, [["src/platform/catalog/catalog.ts", true]]);
});

Deno.test("the catalog's modules use no package, no Node module and nothing above them", async () => {
  const { modules } = await graphOf("src/platform/catalog/mod.ts");
  for (const { specifier } of modules) {
    const path = specifier.slice(root.href.length);
    assert.match(
      path,
      /^(?:catalog\/|src\/(?:base|platform\/(?:catalog|schema|connection))\/|src\/errors\.ts)/,
      specifier,
    );
  }
});

Deno.test("schemas are reached by dynamic imports only, each API's by one of its own", async () => {
  const { modules } = await graphOf("src/platform/catalog/mod.ts");
  const imports = modules.flatMap(({ specifier, dependencies = [] }) =>
    dependencies.filter((to) =>
      /schema\/mod\.ts$/.test(to.specifier) || /schemas\/index\.js$/.test(specifier)
    )
  );
  assert.ok(imports.length > 160, `${imports.length}`);
  assert.ok(imports.every(({ isDynamic }) => isDynamic));
});

Deno.test("the folder catalog imports nothing", async () => {
  for (const file of ["corrections.ts", "operation_ids.ts"]) {
    assert.equal((await graphOf(`catalog/${file}`)).modules.length, 1, file);
  }
});
