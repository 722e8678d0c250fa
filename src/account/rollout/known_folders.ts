import { isAbsolute, resolve } from "node:path";
import { jsonLinesOf } from "../../base/text/lines.ts";
import { fileSystem } from "../../base/runtime/file_system.ts";
import { stateFolder } from "../../base/runtime/user_folders.ts";
import { isRollout } from "./rollout_file.ts";

export interface FolderWorld {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly demo: boolean;
}

/**
 * Returns the folders that stand beside a store of plans, for its option `beside`: all that are known, found anew for
 * each plan. None in a rehearsal, where one folder may be of the account and one of its copy.
 */
export function foldersBeside(
  own: readonly string[],
  world: FolderWorld & { readonly isRehearsal: boolean },
): () => Promise<string[]> {
  return async () => world.isRehearsal ? [] : await knownFolders(own, world);
}

/**
 * Returns the known folders of plans: given folders, their rollouts, and folders remembered by adsctl and the tool
 * server.
 */
export async function knownFolders(own: readonly string[], world: FolderWorld): Promise<string[]> {
  const paths = new Map(own.map((path) => [resolve(path), path]));
  for (const path of [...await rolloutsIn(own), ...await rememberedFolders(world)]) {
    if (!paths.has(resolve(path))) paths.set(resolve(path), resolve(path));
  }
  return [...paths.values()];
}

/** Never throws. */
export async function rememberFolder(folder: string, world: FolderWorld): Promise<void> {
  try {
    const path = resolve(folder);
    if ((await rememberedFolders(world)).includes(path)) return;
    const file = listFile(world);
    await fileSystem().createText(file, "", { mode: 0o600 });
    await fileSystem().appendLine(file, JSON.stringify(path));
  } catch {
    // Without a home, or with a full disk, nothing is remembered.
  }
}

export async function rolloutsIn(folders: readonly string[]): Promise<string[]> {
  const files = fileSystem();
  const found = await Promise.all(folders.map(async (path) => {
    const below = (await files.list(path)).filter((name) => !name.startsWith("."));
    const inside = below.map((name) => path === "." ? name : files.join(path, name));
    const are = await Promise.all(inside.map((one) => isRollout(one).catch(() => false)));
    return inside.filter((_, at) => are[at]).sort();
  }));
  return found.flat();
}

async function rememberedFolders(world: FolderWorld): Promise<string[]> {
  const files = fileSystem();
  let text: string;
  try {
    text = await files.readText(listFile(world));
  } catch {
    return [];
  }
  const paths = jsonLinesOf(text).flatMap(({ value }) =>
    typeof value === "string" && isAbsolute(value) ? [value] : []
  );
  const there = await Promise.all(paths.map((path) => files.isDirectory(path)));
  return paths.filter((_, at) => there[at]);
}

function listFile({ env, demo }: FolderWorld): string {
  return fileSystem().join(
    stateFolder(env, { of: "the list of rollouts" }),
    demo ? "demo-rollouts.jsonl" : "rollouts.jsonl",
  );
}
