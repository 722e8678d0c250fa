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
 * The modules of adsctl that are imported by `lazyImport`, which no tool can follow: a compiled program must be told of
 * them.
 */
export async function lazyModules(): Promise<LazyModule[]> {
  const cli = new URL("../../src/cli/", import.meta.url);
  const found: LazyModule[] = [];
  for await (const from of sources(cli)) {
    if (from.pathname.endsWith("/lazy_import.ts")) continue;
    const text = await Deno.readTextFile(from);
    for (const [, typed, imported] of text.matchAll(CALL)) {
      found.push({ from, typed: new URL(typed!, from), imported: new URL(`${imported}.ts`, cli) });
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
