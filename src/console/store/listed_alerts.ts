import type { AlertMark, KeptAlert } from "../../watch/watch_state.ts";
import { WatchState } from "../../watch/watch_state.ts";
import type { ConsoleContext } from "../console_context.ts";
import { hasStore, withState, withStore } from "./open_store.ts";

/** Alerts of a profile that are listed at most. */
const LIMIT = 500;

/** An alert of any profile with the mark that holds now. */
export interface ListedAlert extends KeptAlert {
  readonly mark: AlertMark;
}

/** Alerts of all stored profiles, the newest first; a snooze that is over makes an alert open again. */
export async function listedAlerts(context: ConsoleContext): Promise<ListedAlert[]> {
  if (!hasStore(context)) return [];
  const profiles = await withStore(
    context,
    async (store) => [...new Set((await store.coverage()).map(({ profileId }) => profileId))],
  );
  const { marks, lists } = await withState(WatchState.open(context.storePlace), async (state) => {
    const all: KeptAlert[] = [];
    for (const profileId of profiles) all.push(...await state.list({ profileId, limit: LIMIT }));
    return { marks: await state.marks(), lists: all };
  });
  const now = new Date(context.now()).toISOString();
  const open: AlertMark = { state: "open", until: null, note: null, at: null };
  return lists.map((alert) => {
    const mark = marks.get(alert.id) ?? open;
    const isOver = mark.state === "snoozed" && (mark.until ?? "") <= now;
    return { ...alert, mark: isOver ? open : mark };
  }).sort((a, b) => a.at < b.at ? 1 : a.at > b.at ? -1 : 0);
}
