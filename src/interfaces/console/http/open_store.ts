import { isAddress } from "../../../base/text/is_address.ts";
import { statSync } from "node:fs";
import type { Warehouse } from "../../../store/warehouse/warehouse.ts";
import type { ConsoleContext } from "./console_context.ts";
import { ApiProblem } from "./responses.ts";

export function hasStore({ storePlace }: Pick<ConsoleContext, "storePlace">): boolean {
  return isAddress(storePlace) ||
    statSync(storePlace, { throwIfNoEntry: false }) !== undefined;
}

/** @throws {ApiProblem} when there is no store yet. */
export function ensureStore(context: Pick<ConsoleContext, "storePlace">): void {
  if (hasStore(context)) return;
  throw new ApiProblem(
    404,
    "NO_STORE",
    `There is no store at "${context.storePlace}" yet: "adsctl sync" makes it`,
  );
}

export async function withStore<T>(
  context: Pick<ConsoleContext, "storePlace" | "store">,
  step: (store: Warehouse) => Promise<T>,
): Promise<T> {
  ensureStore(context);
  return await context.store.use(step);
}

export async function withOwnStore<T>(
  context: Pick<ConsoleContext, "storePlace" | "store">,
  step: (store: Warehouse) => Promise<T>,
): Promise<T> {
  ensureStore(context);
  return await context.store.useOwn(step);
}

export async function withState<State extends { close(): Promise<void> }, T>(
  open: () => Promise<State>,
  work: (state: State) => Promise<T>,
): Promise<T> {
  const state = await open();
  try {
    return await work(state);
  } finally {
    await state.close();
  }
}
