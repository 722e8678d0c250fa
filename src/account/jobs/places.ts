import { idKey } from "../../base/json/id_of.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import type { EntityFields } from "../../plans/model/change.ts";

/** Campaigns and ad groups that are not archived, by id. */
export interface Places {
  readonly campaigns: ReadonlyMap<string, EntityFields>;
  readonly adGroups: ReadonlyMap<string, EntityFields>;
}

/**
 * Reads campaigns and ad groups once, whatever the number of entities in them.
 *
 * @param families `sp`, `sb`.
 */
export async function readPlaces(
  profile: ProfileClient,
  families: Iterable<string>,
  { campaignIds, signal }: {
    readonly campaignIds?: readonly string[] | undefined;
    readonly signal?: AbortSignal | undefined;
  } = {},
): Promise<Places> {
  const campaigns = new Map<string, EntityFields>();
  const adGroups = new Map<string, EntityFields>();
  for (const family of new Set(families)) {
    for await (const one of profile.resource(`${family}.campaigns`).iter({ ids: campaignIds, signal })) {
      campaigns.set(idKey(one, "campaignId"), one);
    }
    for await (const one of profile.resource(`${family}.ad_groups`).iter({ campaignIds, signal })) {
      adGroups.set(idKey(one, "adGroupId"), one);
    }
  }
  return { campaigns, adGroups };
}

/** Why nothing in an ad group runs, such as "Its campaign is paused"; `undefined` when it does run. */
export function stoppedPlace(
  { campaigns, adGroups }: Places,
  place: { readonly adGroupId: unknown; readonly campaignId: unknown },
): string | undefined {
  const states = [
    ["Its ad group", adGroups.get(idKey(place, "adGroupId"))],
    ["Its campaign", campaigns.get(idKey(place, "campaignId"))],
  ] as const;
  for (const [what, one] of states) {
    const state = one === undefined ? "archived" : String(one["state"] ?? "enabled").toLowerCase();
    if (state !== "enabled") return `${what} is ${state}`;
  }
  return undefined;
}
