import { resolve } from "node:path";
import { ConfigurationError } from "../../../../errors.ts";
import { PlanStateError } from "../../../../plans/model/plan_errors.ts";
import { ChangePlan } from "../../../../plans/change_plan/change_plan.ts";
import { PlanFileReader } from "../../../../plans/change_plan/read_plan_file.ts";
import { fileSystem } from "../../../../base/runtime/file_system.ts";
import { readNamedParts } from "../../../../base/runtime/read_named_file.ts";
import { isPlanId } from "../../../../plans/store/plan_places.ts";
import { PlanStore } from "../../../../plans/store/plan_store.ts";
import { readInput } from "../input/read_input.ts";
import { RefusedError, UsageError } from "../errors/cli_error.ts";
import type { CliContext } from "../context/context.ts";
import { knownStores, planStores, serverFolder } from "./plan_folders.ts";

/** A plan that a person named, and where it is. */
export interface FoundPlan {
  /** Path of its file. */
  readonly path: string;
  readonly plan: ChangePlan;
  /** The store that its file is in. */
  readonly store: PlanStore;
}

/**
 * Finds a plan by the path of its file or by its id.
 *
 * @throws {ConfigurationError} when there is no such file or plan.
 * @throws {RefusedError} when it is not a plan, or was edited after it was made.
 */
export async function findPlan(name: string, context: CliContext): Promise<FoundPlan> {
  const found = await findNamed(name, context);
  return context.globals.rehearse === undefined ? found : await rehearsed(found, context);
}

/** The plan as the rehearsal keeps it: the result of applying it there must not lie beside the plan of the account. */
async function rehearsed({ plan, ...found }: FoundPlan, context: CliContext): Promise<FoundPlan> {
  const own = PlanStore.open(serverFolder(context), { now: context.io.now });
  if (resolve(found.store.path) === resolve(own.path)) return { plan, ...found };
  const known = await refusing(() => own.find(plan.id));
  if (known?.plan.fingerprint === plan.fingerprint) return { ...known, store: own };
  return { path: await own.save(plan), plan, store: own };
}

async function findNamed(name: string, context: CliContext): Promise<FoundPlan> {
  if (name === "-") throw new UsageError("Cannot read this plan from standard input: name a file or an id");
  if (!isPlanId(name) || await fileSystem().exists(name)) {
    const store = PlanStore.around(name, { now: context.io.now });
    return { path: name, plan: await readPlan(name, context), store };
  }
  for (const store of await knownStores(context)) {
    const found = await refusing(() => store.find(name));
    if (found !== undefined) return { ...found, store };
  }
  const folders = planStores(context).map(({ path }) => `"${path}"`).join(" and ");
  throw new UsageError(
    `Cannot find plan "${name}": there is no such file, and no plan of that id in ${folders}. ` +
      '"adsctl plan list" shows the plans',
  );
}

/**
 * Reads a plan by the path of its file, by its id, or from standard input for `-`.
 *
 * @throws as {@linkcode findPlan} does.
 */
export async function readPlan(name: string, context: CliContext): Promise<ChangePlan> {
  if (name !== "-" && isPlanId(name) && !await fileSystem().exists(name)) {
    return (await findPlan(name, context)).plan;
  }
  if (name === "-") {
    const { text } = await readInput(name, context.io);
    return await refusing(() => ChangePlan.fromJson(text));
  }
  const reader = new PlanFileReader({ path: name });
  for await (const part of readNamedParts(name, "the plan file")) await refusing(() => reader.add(part));
  return await refusing(() => new ChangePlan(reader.end()));
}

/**
 * Runs a step that may refuse a plan for what it is or what was done with it.
 *
 * @throws {RefusedError} where `step` throws a `ConfigurationError` or `PlanStateError`.
 */
export async function refusing<T>(step: () => T | Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    const isRefusal = error instanceof ConfigurationError || error instanceof PlanStateError;
    throw isRefusal ? new RefusedError(error.message, { cause: error }) : error;
  }
}
