import { statSync } from "node:fs";
import { Warehouse } from "../../../store/warehouse/warehouse.ts";
import type { ConsoleContext } from "../http/console_context.ts";
import { ApiProblem } from "../http/responses.ts";

/** True when there is a store at the place; one at an address is taken to be there. */
export function hasStore({ storePlace }: Pick<ConsoleContext, "storePlace">): boolean {
  return /^[a-z][a-z+]+:\/\//i.test(storePlace) ||
    statSync(storePlace, { throwIfNoEntry: false }) !== undefined;
}

/**
 * Opens the store for one step.
 *
 * @throws {ApiProblem} when there is none yet.
 */
export async function withStore<T>(
  context: Pick<ConsoleContext, "storePlace" | "now">,
  step: (store: Warehouse) => Promise<T>,
): Promise<T> {
  if (!hasStore(context)) {
    throw new ApiProblem(
      404,
      "NO_STORE",
      `There is no store at "${context.storePlace}" yet: "adsctl sync" makes it`,
    );
  }
  const store = await inTurn(() => Warehouse.open(context.storePlace, { now: context.now }));
  try {
    return await step(store);
  } finally {
    await store.close();
  }
}

/** Works with a state that is kept in the store, and closes it. */
export async function withState<State extends { close(): Promise<void> }, T>(
  open: () => Promise<State>,
  work: (state: State) => Promise<T>,
): Promise<T> {
  return await inTurn(async () => {
    const state = await open();
    try {
      return await work(state);
    } finally {
      await state.close();
    }
  });
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs what opens the store, and what changes a state in it, one after the other: opening an SQLite file blocks this
 * process while a transaction of its own is under way, so that the transaction could not end.
 */
export async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const turn = last.then(work);
  last = turn.catch(() => {});
  return await turn;
}
