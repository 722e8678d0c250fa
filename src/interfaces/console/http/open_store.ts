import { statSync } from "node:fs";
import { Warehouse } from "../../../store/warehouse/warehouse.ts";
import type { ConsoleContext } from "./console_context.ts";
import { ApiProblem } from "./responses.ts";

export function hasStore({ storePlace }: Pick<ConsoleContext, "storePlace">): boolean {
  return /^[a-z][a-z+]+:\/\//i.test(storePlace) ||
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

/** Gives a store of its own to work that may write: reads of the shared one would wait for its transactions. */
export async function withOwnStore<T>(
  context: Pick<ConsoleContext, "storePlace" | "now">,
  step: (store: Warehouse) => Promise<T>,
): Promise<T> {
  ensureStore(context);
  const store = await openOwn(context);
  try {
    return await step(store);
  } finally {
    // Nothing is lost where it cannot be closed: all writes have ended.
    await store.close().catch(() => {});
  }
}

export function openOwn({ storePlace, now }: Pick<ConsoleContext, "storePlace" | "now">): Promise<Warehouse> {
  return inTurn(() => Warehouse.open(storePlace, { now }));
}

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
 * Serializes work on the store: opening an SQLite file blocks this process during its own transaction, which then
 * could not end.
 */
export async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const turn = last.then(work);
  last = turn.catch(() => {});
  return await turn;
}
