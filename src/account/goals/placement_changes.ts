import { PlatformAdsError } from "../../errors.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import type { AmountChange } from "../../plans/model/amount_changes.ts";

/** Names of each placement in reports, in campaigns and in the history; clicks off the platform are left out. */
export const PLACEMENTS = [
  {
    report: "Top of Search on-Platform",
    campaign: "PLACEMENT_TOP",
    history: "TOP_OF_SEARCH",
    text: "top of search",
  },
  {
    report: "Detail Page on-Platform",
    campaign: "PLACEMENT_PRODUCT_PAGE",
    history: "DETAIL_PAGE",
    text: "product pages",
  },
  {
    report: "Other on-Platform",
    campaign: "PLACEMENT_REST_OF_SEARCH",
    text: "rest of search",
  },
] as const;

/** Stands for a placement that the history does not name, such as the rest of search. */
export const UNNAMED = "unnamed";

/** Changes of each placement adjustment, oldest first, by `campaign placement`. */
export type PlacementChanges = ReadonlyMap<string, readonly Pick<AmountChange, "at" | "before" | "after">[]>;

/**
 * Reads changes of placement adjustments from the platform's history. If the request is refused, `unread` gives the
 * reason.
 */
export async function placementChanges(
  profile: ProfileClient,
  { since, signal }: {
    /** First day to read. */
    readonly since: string;
    readonly signal: AbortSignal | undefined;
  },
): Promise<{ readonly changes: PlacementChanges; readonly unread: string | undefined }> {
  const found = new Map<string, { at: number; before: string; after: string }[]>();
  const names = new Map<string, string>(
    PLACEMENTS.flatMap((one) => "history" in one ? [[one.history, one.campaign]] : []),
  );
  try {
    const events = profile.history.events({
      since,
      entityTypes: ["CAMPAIGN"],
      changes: ["PLACEMENT_GROUP"],
      newestFirst: false,
      signal,
    });
    for await (const { entityId, timestamp, previousValue, newValue, metadata } of events) {
      const placement = names.get(String(metadata["placementGroupPosition"])) ?? UNNAMED;
      const key = `${entityId} ${placement}`;
      const own = found.get(key) ?? [];
      found.set(key, own);
      own.push({ at: timestamp, before: previousValue ?? "0", after: newValue ?? "0" });
    }
  } catch (error) {
    if (!(error instanceof PlatformAdsError) || signal?.aborted) throw error;
    return { changes: found, unread: error.message.split("\n", 1)[0] ?? "" };
  }
  return { changes: found, unread: undefined };
}
