import type { AmountChange, ChangedPart } from "../../plans/model/amount_changes.ts";
import type { ChangeHistory } from "./change_history.ts";
import { HISTORY_DAYS } from "./history_event.ts";

const PARTS: Readonly<Record<string, ChangedPart>> = {
  BID_AMOUNT: "bid",
  DEFAULT_BID_AMOUNT: "bid",
  BUDGET_AMOUNT: "budget",
  STATUS: "state",
};
const DAY = 86_400_000;

export async function historyChanges(
  history: Pick<ChangeHistory, "list">,
  { since, now, signal }: {
    readonly since: number;
    readonly now: number;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<AmountChange[]> {
  const oldest = now - HISTORY_DAYS * DAY + 60_000;
  const events = await history.list({
    since: new Date(Math.max(since, oldest)),
    changes: Object.keys(PARTS),
    signal,
  });
  return events.flatMap(({ entityId, changeType, previousValue, newValue, timestamp }) => {
    const part = PARTS[changeType];
    // The first state of what was created is no change; a bid that was inherited has no value before.
    if (part === undefined || part === "state" && previousValue === undefined) return [];
    return [{ id: entityId, part, at: timestamp, before: previousValue ?? null, after: newValue ?? null }];
  });
}
