const CALL = /lazyImport<\s*typeof import\("([^"]+)"\),?\s*>\(\s*"([^"]+)",?\s*\)/g;

/** One use of `lazyImport` in the sources. */
export interface LazyModule {
  /** Address of the file that imports. */
  readonly from: URL;
  /** Address of the module by the path of the type. */
  readonly typed: URL;
  /** Address of the module by the path that is imported. */
  readonly imported: URL;
}

/**
 * The modules of a program that are imported by `lazyImport`, which no tool can follow: a compiled program must be told
 * of them.
 *
 * @param program Folder of its sources, `cli` or `mcp`.
 */
export async function lazyModules(program: "cli" | "mcp"): Promise<LazyModule[]> {
  const folder = new URL(`../../src/${program}/`, import.meta.url);
  const found: LazyModule[] = [];
  for await (const from of sources(folder)) {
    if (from.pathname.endsWith("/lazy_import.ts")) continue;
    const text = await Deno.readTextFile(from);
    for (const [, typed, imported] of text.matchAll(CALL)) {
      found.push({ from, typed: new URL(typed!, from), imported: new URL(`${imported}.ts`, folder) });
    }
  }
  return found;
}

/** Every TypeScript file below a folder. */
export async function* sources(folder: URL): AsyncGenerator<URL, void, undefined> {
  for await (const entry of Deno.readDir(folder)) {
    if (entry.isDirectory) yield* sources(new URL(`${entry.name}/`, folder));
    else if (entry.name.endsWith(".ts")) yield new URL(entry.name, folder);
  }
}
