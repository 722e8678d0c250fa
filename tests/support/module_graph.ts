/** One import between two files of this repository. */
export interface ImportEdge {
  /** Path of the importing file, from the root of the repository. */
  readonly from: string;
  /** Path of the imported file, or the specifier of something outside the repository. */
  readonly to: string;
  /** True when only types are imported, so that nothing of it is left when the program runs. */
  readonly typeOnly: boolean;
  /** True when it is loaded only once the program comes to it. */
  readonly isLazy: boolean;
}

const IMPORT =
  /^\s*(?:import|export)\b(?<clause>[^;"']*?)\bfrom\s*["'](?<from>[^"']+)["']|\bimport\(\s*["'](?<lazy>[^"']+)["']\s*\)|^\s*import\s*["'](?<bare>[^"']+)["']/gm;

let edges: Promise<ImportEdge[]> | undefined;

/** Every import of the sources: entry points, `src` and `catalog`. Read from the text, lazy imports included. */
export function moduleGraph(): Promise<ImportEdge[]> {
  return edges ??= readGraph();
}

/** Paths of the source files below the folders, and of the entry points. */
export async function sourceFiles(folders: readonly string[] = ["src", "catalog"]): Promise<string[]> {
  const files = ["mod.ts", "cli.ts", "mcp.ts"].filter(exists);
  for (const folder of folders) files.push(...await filesBelow(folder));
  return files;
}

async function readGraph(): Promise<ImportEdge[]> {
  const found: ImportEdge[] = [];
  for (const from of await sourceFiles()) {
    const text = (await Deno.readTextFile(from)).replace(/\/\*[\s\S]*?\*\//g, "");
    for (const { groups } of text.matchAll(IMPORT)) {
      const specifier = groups!["from"] ?? groups!["lazy"] ?? groups!["bare"]!;
      const clause = groups!["clause"] ?? "";
      const named = /^\s*\{([^}]*)\}\s*$/.exec(clause)?.[1];
      const typeOnly = /^\s*type\b/.test(clause) ||
        (named !== undefined && named.split(",").every((name) => /^\s*(type\b|$)/.test(name)));
      found.push({ from, to: resolve(from, specifier), typeOnly, isLazy: groups!["lazy"] !== undefined });
    }
  }
  return found;
}

async function filesBelow(folder: string): Promise<string[]> {
  const files: string[] = [];
  for await (const entry of Deno.readDir(folder)) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory) files.push(...await filesBelow(path));
    else if (entry.name.endsWith(".ts")) files.push(path);
  }
  return files;
}

function resolve(from: string, specifier: string): string {
  if (!specifier.startsWith(".")) return specifier;
  return new URL(specifier, `file:///${from}`).pathname.slice(1);
}

function exists(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
