import { fileURLToPath } from "node:url";
import { withEagerConfig } from "./eager_config.ts";
import type { Program } from "./programs.ts";

/** What is inside of an executable beside the runtime. */
export interface Embedded {
  /** Paths of modules that the program needs and the executable lacks. */
  readonly missing: readonly string[];
  /** How many modules of ours were looked for. */
  readonly modules: number;
  /** What the program may do, as Deno wrote it down. */
  readonly permissions: Readonly<Record<string, unknown>>;
}

/** Bytes behind the runtime that a program takes at the most. */
const LARGEST_PROGRAM = 80_000_000;

interface ModuleGraph {
  modules: { specifier: string; dependencies?: { code?: { specifier?: string } }[] }[];
}

/**
 * Looks into an executable: whether every module of ours that the program can reach is in it, word for word, and which
 * permissions it was given.
 *
 * @throws when nothing is embedded in the executable.
 */
export async function embedded(executable: Uint8Array, program: Program): Promise<Embedded> {
  const content = appended(executable);
  if (content === undefined) throw new Error(`Cannot find ${program.name} in its executable`);
  const missing: string[] = [];
  const modules = await reachable(program);
  let end = 0;
  for (const module of modules) {
    const text = binaryText(await Deno.readFile(module));
    // Deno sorts the modules too, so that each is found soon after the one before.
    const near = content.indexOf(text, end);
    const at = near === -1 ? content.indexOf(text) : near;
    if (at === -1) missing.push(module);
    else end = at + text.length;
  }
  const found = /"permissions":(\{[^}]*\})/.exec(content)![1]!;
  return { missing, modules: modules.length, permissions: JSON.parse(found) };
}

/** What stands behind the runtime, a character a byte. */
function appended(bytes: Uint8Array): string | undefined {
  const end = binaryText(bytes.subarray(-LARGEST_PROGRAM));
  const start = end.lastIndexOf('{"argv":');
  return start === -1 ? undefined : end.slice(start);
}

function binaryText(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes);
}

/** The files that run, types left out: a module of types alone leaves nothing to embed. */
async function reachable(program: Program): Promise<string[]> {
  const graph = await moduleGraph(program.entry);
  const byAddress = new Map(graph.modules.map((module) => [module.specifier, module]));
  const found = new Set<string>();
  const open = [program.entry.href];
  for (let address = open.pop(); address !== undefined; address = open.pop()) {
    if (!address.startsWith("file:") || found.has(address)) continue;
    found.add(address);
    for (const { code } of byAddress.get(address)?.dependencies ?? []) {
      if (code?.specifier !== undefined) open.push(code.specifier);
    }
  }
  return [...found].map((address) => fileURLToPath(address)).sort();
}

function moduleGraph(entry: URL): Promise<ModuleGraph> {
  return withEagerConfig(async (config) => {
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["info", "--json", "--quiet", "--config", config, entry.href],
    }).output();
    return JSON.parse(new TextDecoder().decode(stdout)) as ModuleGraph;
  });
}
