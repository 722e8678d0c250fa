import { PlatformAdsError } from "../../errors.ts";
import { marketOf } from "../../base/markets/markets.ts";
import { LastChanges } from "../model/amount_changes.ts";
import type { PlanTarget } from "../model/plan_target.ts";

/** Finds ids of scheduled entities in a profile; their hourly moves do not count as changes. */
export type ScheduledSource = (profileId: string) => Promise<ReadonlySet<string>>;

/** If the platform refuses, the result is empty and `unread` gives the reason. */
export async function readLastChanges(
  client: Pick<PlanTarget, "profileId" | "countryCode" | "timeZone" | "amountChanges">,
  { since, scheduled, signal }: {
    readonly since: string;
    readonly scheduled?: ScheduledSource | undefined;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<LastChanges> {
  const zone = client.timeZone ?? marketOf(client.countryCode)?.timeZone ?? "UTC";
  try {
    const moved = await scheduled?.(client.profileId);
    // Days begin up to half a day before those of UTC.
    const from = Date.parse(`${since}T00:00:00Z`) - 86_400_000;
    return await client.amountChanges?.(from, { moved, signal }) ?? new LastChanges([], zone);
  } catch (error) {
    if (!(error instanceof PlatformAdsError) || signal?.aborted) throw error;
    return new LastChanges([], zone, { unread: error.message.split("\n", 1)[0] ?? "" });
  }
}
