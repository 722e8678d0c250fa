import { isAbsolute, relative, resolve } from "node:path";
import { ConfigurationError } from "../../../../errors.ts";
import {
  foldersBeside,
  knownFolders,
  rememberFolder,
  rolloutsIn,
} from "../../../../account/rollout/known_folders.ts";
import { isRollout } from "../../../../account/rollout/rollout_file.ts";
import { PlanStore, type PlanStoreOptions } from "../../../../plans/store/plan_store.ts";
import type { CliContext } from "../context/context.ts";

type World = Pick<CliContext, "io" | "globals">;

export function planStores(context: World): PlanStore[] {
  return planFolders(context).map((path) => PlanStore.open(path, storeOptions(context)));
}

function planFolders(context: World): string[] {
  return [".", serverFolder(context)];
}

/** @param folders More folders of plans that the command knows. */
export function storeOptions(context: World, folders: readonly string[] = []): Required<PlanStoreOptions> {
  const { io: { now }, globals: { rehearse } } = context;
  const world = { ...worldOf(context), isRehearsal: rehearse !== undefined };
  return { now, beside: foldersBeside([...alwaysKnown(context), ...folders], world) };
}

/** Without a home, as in a container, the tool server has no folder. */
function alwaysKnown(context: World): string[] {
  try {
    return planFolders(context);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return ["."];
  }
}

export function serverFolder({ io, globals }: World): string {
  const demo = globals.demo === true;
  return io.env["PLATFORM_ADS_MCP_PLAN_DIR"] ?? PlanStore.defaultPath(io.env, { demo });
}

/** Lets later commands recognize these plans as our own. Never throws. */
export async function rememberPlans(folder: string, context: World): Promise<void> {
  await rememberFolder(folder, worldOf(context));
}

export async function knownStores(context: World): Promise<PlanStore[]> {
  const folders = await knownFolders(planFolders(context), worldOf(context));
  return folders.map((path) => PlanStore.open(path, storeOptions(context)));
}

export async function knownRollouts(folder: string | undefined, context: World): Promise<string[]> {
  const stores = folder === undefined ? await knownStores(context) : [PlanStore.open(folder)];
  const own = await Promise.all(stores.map(async ({ path }) => await isRollout(path) ? [path] : []));
  const below = await rolloutsIn(folder === undefined ? [] : [folder]);
  const paths = new Set([...own.flat(), ...below].map((path) => resolve(path)));
  return [...paths].map((path) => {
    const short = relative(".", path);
    return short === "" ? "." : short.startsWith("..") || isAbsolute(short) ? path : short;
  });
}

function worldOf({ io, globals }: World): Parameters<typeof rememberFolder>[1] {
  return { env: io.env, demo: globals.demo === true };
}
