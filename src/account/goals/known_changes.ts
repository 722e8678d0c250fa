import { counted } from "../../base/text/money_text.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import { type AmountChange, LastChanges } from "../../plans/model/amount_changes.ts";
import { readLastChanges } from "../../plans/review/read_last_changes.ts";
import { bidMovesIn } from "../../plans/store/bid_moves.ts";
import type { PlanStore } from "../../plans/store/plan_store.ts";

export interface KnownChanges {
  readonly changes: LastChanges;
  readonly warning: string | undefined;
}

/**
 * Returns the known changes of bids. If the platform's history is unavailable, uses the bids that applied plans
 * changed.
 */
export async function knownChanges(
  profile: ProfileClient,
  { since, plans, signal }: {
    readonly since: string;
    readonly plans: (() => Promise<readonly PlanStore[]>) | undefined;
    readonly signal: AbortSignal | undefined;
  },
): Promise<KnownChanges> {
  const changes = await readLastChanges(profile, { since, signal });
  const { unread } = changes;
  if (unread === undefined) return { changes, warning: undefined };
  const moves: AmountChange[] = [];
  for (const folder of new Set((await plans?.() ?? []).map(({ path }) => path))) {
    for (const { id, appliedAt, from, to } of await bidMovesIn(folder, profile)) {
      moves.push({ id, part: "bid", at: Date.parse(appliedAt), before: String(from), after: String(to) });
    }
  }
  const known = moves.length === 0
    ? "no applied plan shows one either, so no bid cools down (limits.cooling) and all days count at the current bids"
    : `${counted(moves.length, "bid")} of applied plans are known, so changes by others neither cool down ` +
      "(limits.cooling) nor change the bid of past days";
  return {
    changes: new LastChanges(moves, profile.timeZone, { unread }),
    warning: `The change history could not be read (${unread}); ${known}`,
  };
}
