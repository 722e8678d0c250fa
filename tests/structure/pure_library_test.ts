import { deepEqual, ok } from "../support/assert.ts";

interface Module {
  readonly specifier: string;
  readonly local?: string;
  readonly dependencies?: readonly {
    readonly isDynamic?: boolean;
    readonly code?: { readonly specifier: string };
  }[];
}

/** The graph of mod.ts, with what it loads later. */
let graph: Promise<readonly Module[]> | undefined;

function libraryGraph(): Promise<readonly Module[]> {
  return graph ??= (async () => {
    const command = new Deno.Command(Deno.execPath(), { args: ["info", "--json", "mod.ts"], stderr: "null" });
    const { stdout } = await command.output();
    return (JSON.parse(new TextDecoder().decode(stdout)) as { modules: Module[] }).modules;
  })();
}

/** Most modules that an import of the library loads, types apart. May only fall. */
const MAX_LOADED = 120;

/** Parts that load when they are first used. */
const LATER =
  /^src\/(?:plans\/(?:apply|policy|review|store\/plan_folder)|client\/(?:jobs|calls|clean_room)\/(?!wire_wording)|client\/write_guard|client\/entities\/(?:build_draft|preflight\/|resource\/(?:plan_writes|send_entities)|wire\/(?:json|flat)_wire|wire\/unified\/))/;

Deno.test("an import of the library loads few modules: no wires, no planning, no sending, no judging", async () => {
  const modules = new Map((await libraryGraph()).map((module) => [module.specifier, module]));
  const root = [...modules.keys()].find((specifier) => specifier.endsWith("/mod.ts"));
  ok(root !== undefined);
  const loaded = new Set([root]);
  for (const specifier of loaded) {
    for (const { isDynamic, code } of modules.get(specifier)?.dependencies ?? []) {
      if (code !== undefined && !isDynamic) loaded.add(code.specifier);
    }
  }
  const paths = [...loaded].map((specifier) => specifier.slice(root.lastIndexOf("/") + 1));
  deepEqual(paths.filter((path) => LATER.test(path)), []);
  ok(paths.length > 50, "the graph was read");
  ok(paths.length <= MAX_LOADED, `${paths.length} modules load; ${MAX_LOADED} did before`);
});

Deno.test("the library's graph holds no npm package, no Node module and no Deno API", async () => {
  const modules = await libraryGraph();
  const outside = modules.map((module) => module.specifier).filter((specifier) =>
    !specifier.startsWith("file:")
  );
  deepEqual(outside, []);

  const local = modules.flatMap((module) => module.local ?? []).filter((path) => path.endsWith(".ts"));
  ok(local.length > 50, "the graph was read");
  const wrong: string[] = [];
  for (const path of local) {
    const code = (await Deno.readTextFile(path)).replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
    if (/\bDeno\.|\bTemporal\.|from\s+["'](?:node|npm):/.test(code)) wrong.push(path);
  }
  deepEqual(wrong, []);
});
