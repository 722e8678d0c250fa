import { deepEqual, ok } from "../support/assert.ts";

interface Info {
  modules: { specifier: string; local?: string; dependencies?: { code?: { specifier: string } }[] }[];
}

Deno.test("the library's graph holds no npm package, no Node module and no Deno API", async () => {
  const command = new Deno.Command(Deno.execPath(), { args: ["info", "--json", "mod.ts"], stderr: "null" });
  const { stdout } = await command.output();
  const info = JSON.parse(new TextDecoder().decode(stdout)) as Info;
  const outside = info.modules.map((module) => module.specifier).filter((specifier) =>
    !specifier.startsWith("file:")
  );
  deepEqual(outside, []);

  const local = info.modules.flatMap((module) => module.local ?? []).filter((path) => path.endsWith(".ts"));
  ok(local.length > 50, "the graph was read");
  const wrong: string[] = [];
  for (const path of local) {
    const code = (await Deno.readTextFile(path)).replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
    if (/\bDeno\.|\bTemporal\.|from\s+["'](?:node|npm):/.test(code)) wrong.push(path);
  }
  deepEqual(wrong, []);
});
