import { join } from "node:path";

/**
 * Gives `step` the path of a copy of deno.json with which Deno follows every `import()` before the program begins: what
 * is imported later has to be in an executable too.
 */
export async function withEagerConfig<Result>(step: (path: string) => Promise<Result>): Promise<Result> {
  const folder = await Deno.makeTempDir({ prefix: "compile-" });
  try {
    const text = await Deno.readTextFile(new URL("../../deno.json", import.meta.url));
    const { imports, compilerOptions, nodeModulesDir } = JSON.parse(text);
    const path = join(folder, "deno.json");
    await Deno.writeTextFile(path, JSON.stringify({ imports, compilerOptions, nodeModulesDir }));
    return await step(path);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
