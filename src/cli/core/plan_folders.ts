import { isAbsolute, relative, resolve } from "node:path";
import { isRollout } from "../../account/rollout/rollout_file.ts";
import { PlanStore } from "../../plans/store/plan_store.ts";
import { fileSystem } from "../../runtime/file_system.ts";
import { stateFolder } from "../../runtime/user_folders.ts";
import type { CliContext } from "./context.ts";

type World = Pick<CliContext, "io" | "globals">;

/** The stores that are always known: the current folder, and the folder of the tool server. */
export function planStores({ io, globals }: World): PlanStore[] {
  const options = { now: io.now };
  return [PlanStore.open(".", options), PlanStore.open(serverFolder({ io, globals }), options)];
}

/** The folder in which the tool server keeps plans. */
export function serverFolder({ io, globals }: World): string {
  const demo = globals.demo === true;
  return io.env["PLATFORM_ADS_MCP_PLAN_DIR"] ?? PlanStore.defaultPath(io.env, { demo });
}

/** Remembers the folder of a rollout, so that later commands know its plans as ours. Never fails. */
export async function rememberRollout(folder: string, context: World): Promise<void> {
  try {
    const path = resolve(folder);
    const usual = planStores(context).map((store) => resolve(store.path));
    if (usual.includes(path) || (await rememberedFolders(context)).includes(path)) return;
    const file = listFile(context);
    await fileSystem().createText(file, "", { mode: 0o600 });
    await fileSystem().appendLine(file, JSON.stringify(path));
  } catch {
    // Without a home, or with a full disk, nothing is remembered.
  }
}

/** Every store of plans that is known: the current folder, that of the tool server, and those of rollouts. */
export async function knownStores(context: World): Promise<PlanStore[]> {
  const stores = planStores(context);
  const paths = new Set(stores.map((store) => resolve(store.path)));
  const others = [...await rolloutsIn(stores), ...await rememberedFolders(context)].map((one) =>
    resolve(one)
  );
  const more = [...new Set(others)].filter((path) => !paths.has(path));
  return [...stores, ...more.map((path) => PlanStore.open(path, { now: context.io.now }))];
}

/** Folders of the rollouts that are known, or of those in one folder. */
export async function knownRollouts(folder: string | undefined, context: World): Promise<string[]> {
  const stores = folder === undefined ? await knownStores(context) : [PlanStore.open(folder)];
  const own = await Promise.all(stores.map(async ({ path }) => await isRollout(path) ? [path] : []));
  const below = await rolloutsIn(folder === undefined ? [] : stores);
  const paths = new Set([...own.flat(), ...below].map((path) => resolve(path)));
  return [...paths].map((path) => {
    const short = relative(".", path);
    return short === "" ? "." : short.startsWith("..") || isAbsolute(short) ? path : short;
  });
}

/** Rollouts that lie in the folder of a store. */
async function rolloutsIn(stores: readonly PlanStore[]): Promise<string[]> {
  const files = fileSystem();
  const found = await Promise.all(stores.map(async ({ path }) => {
    const below = (await files.list(path)).filter((name) => !name.startsWith("."));
    const folders = below.map((name) => path === "." ? name : files.join(path, name));
    const are = await Promise.all(folders.map((one) => isRollout(one).catch(() => false)));
    return folders.filter((_, at) => are[at]).sort();
  }));
  return found.flat();
}

async function rememberedFolders(context: World): Promise<string[]> {
  const files = fileSystem();
  let text: string;
  try {
    text = await files.readText(listFile(context));
  } catch {
    return [];
  }
  const paths = text.split("\n").flatMap((line) => {
    try {
      const path: unknown = JSON.parse(line);
      return typeof path === "string" ? [path] : [];
    } catch {
      return [];
    }
  });
  const there = await Promise.all(paths.map((path) => files.isDirectory(path)));
  return paths.filter((_, at) => there[at]);
}

/** The list has a line for each folder; the demo account has its own. */
function listFile({ io, globals }: World): string {
  const name = globals.demo === true ? "demo-rollouts.jsonl" : "rollouts.jsonl";
  return fileSystem().join(stateFolder(io.env), name);
}
