import { isAbsolute, resolve } from "node:path";
import { fileSystem } from "../../base/runtime/file_system.ts";
import { stateFolder } from "../../base/runtime/user_folders.ts";
import { isRollout } from "./rollout_file.ts";

/** Account and environment to which remembered folders of plans belong. */
export interface FolderWorld {
  /** Environment that names the folder for what is remembered. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** True for the demo account, which has a list of its own. */
  readonly demo: boolean;
}

/**
 * Every folder of plans that is known: those that are given, the rollouts in them, and those that adsctl and the tool server
 * remembered. All programs find running experiments here.
 */
export async function knownFolders(own: readonly string[], world: FolderWorld): Promise<string[]> {
  const paths = new Map(own.map((path) => [resolve(path), path]));
  for (const path of [...await rolloutsIn(own), ...await rememberedFolders(world)]) {
    if (!paths.has(resolve(path))) paths.set(resolve(path), resolve(path));
  }
  return [...paths.values()];
}

/** Remembers a folder of plans, so that later commands of all programs know its plans and experiments. Never fails. */
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

/** Rollouts that lie in folders. */
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
  const paths = text.split("\n").flatMap((line) => {
    try {
      const path: unknown = JSON.parse(line);
      return typeof path === "string" && isAbsolute(path) ? [path] : [];
    } catch {
      return [];
    }
  });
  const there = await Promise.all(paths.map((path) => files.isDirectory(path)));
  return paths.filter((_, at) => there[at]);
}

/** The list has a line for each folder; the demo account has its own. */
function listFile({ env, demo }: FolderWorld): string {
  return fileSystem().join(
    stateFolder(env, { of: "the list of rollouts" }),
    demo ? "demo-rollouts.jsonl" : "rollouts.jsonl",
  );
}
