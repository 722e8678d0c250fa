import type { ProfileClient } from "../../client/profile_client.ts";
import type { Change } from "../../plans/change.ts";

/**
 * Reads the names of the campaigns that changes belong to, for showing them. A campaign that cannot be read stays
 * without a name: a plan must not fail for the want of a heading.
 */
export async function campaignNames(
  changes: readonly Change[],
  client: ProfileClient,
  options: { signal: AbortSignal },
): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  const inCampaigns = changes.filter(({ campaignId }) => campaignId !== undefined);
  for (const [family, group] of Map.groupBy(inCampaigns, ({ kind }) => kind.split(".")[0]!)) {
    try {
      const campaigns = client.resource(`${family}.campaigns`);
      const found = await campaigns.getMany(
        [...new Set(group.map(({ campaignId }) => campaignId!))],
        options,
      );
      for (const [id, campaign] of found) names.set(id, String(campaign["name"] ?? ""));
    } catch {
      options.signal.throwIfAborted();
    }
  }
  return names;
}
