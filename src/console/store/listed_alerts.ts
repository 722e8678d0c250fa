import { type KeptAlert, WatchState } from "../../watch/watch_state.ts";
import type { ConsoleContext } from "../console_context.ts";
import { hasStore, withState } from "./open_store.ts";

/** Alerts that are listed at most. */
const LIMIT = 1000;

/** Alerts of all profiles of the store, the newest first. */
export async function listedAlerts(context: ConsoleContext): Promise<KeptAlert[]> {
  if (!hasStore(context)) return [];
  return await withState(
    () => WatchState.open(context.storePlace),
    (state) => state.list({ limit: LIMIT, now: context.now() }),
  );
}

/** True for an alert that is neither snoozed nor closed. */
export function isOpenAlert({ mark }: Pick<KeptAlert, "mark">): boolean {
  return mark.state === "new" || mark.state === "seen";
}
