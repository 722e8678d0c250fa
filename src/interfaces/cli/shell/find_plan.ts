import { resolve } from "node:path";
import { ConfigurationError } from "../../../errors.ts";
import { PlanStateError } from "../../../plans/model/plan_errors.ts";
import { ChangePlan } from "../../../plans/change_plan/change_plan.ts";
import { PlanFileReader } from "../../../plans/change_plan/read_plan_file.ts";
import { fileSystem } from "../../../base/runtime/file_system.ts";
import { readNamedParts } from "../../../base/runtime/read_named_file.ts";
import { isPlanId } from "../../../plans/store/plan_places.ts";
import { PlanStore } from "../../../plans/store/plan_store.ts";
import { readInput } from "./input/read_input.ts";
import { RefusedError, UsageError } from "./io/cli_error.ts";
import type { CliContext } from "./context/context.ts";
import { knownStores, planStores, serverFolder, storeOptions } from "./connect/plan_folders.ts";

export interface FoundPlan {
  readonly path: string;
  readonly plan: ChangePlan;
  readonly store: PlanStore;
}

export async function findPlan(name: string, context: CliContext): Promise<FoundPlan> {
  const found = await findNamed(name, context);
  return context.globals.rehearse === undefined ? found : await rehearsed(found, context);
}

/** Keeps the results of a rehearsal away from the account's own plan. */
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
    const store = PlanStore.around(name, storeOptions(context));
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

/** @throws {RefusedError} when `step` throws a `ConfigurationError` or `PlanStateError`. */
export async function refusing<T>(step: () => T | Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    const isRefusal = error instanceof ConfigurationError || error instanceof PlanStateError;
    throw isRefusal ? new RefusedError(error.message, { cause: error }) : error;
  }
}
