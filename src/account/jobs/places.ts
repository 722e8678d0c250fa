import { idKey } from "../../base/json/id_of.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import type { EntityFields } from "../../plans/model/change.ts";

export interface Places {
  readonly campaigns: ReadonlyMap<string, EntityFields>;
  readonly adGroups: ReadonlyMap<string, EntityFields>;
}

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

/** Maximum number of names that are requested individually; for more, reading all ad groups is cheaper. */
const MAX_NAMES = 10;

/**
 * Reads only the given ad groups of Sponsored Products, and their campaigns.
 *
 * @param wanted Their ids or exact names.
 * @returns `undefined` if one is not found, or if too many are given by name; read all ad groups then.
 */
export async function readSomePlaces(
  { sp }: Pick<ProfileClient, "sp">,
  wanted: Iterable<string>,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<Places | undefined> {
  const texts = [...new Set([...wanted].map((text) => text.trim()))];
  const ids = texts.filter((text) => /^\d+$/.test(text));
  const names = texts.filter((text) => !ids.includes(text));
  if (names.length > MAX_NAMES) return undefined;
  const adGroups = new Map<string, EntityFields>();
  const parts = [...ids.length === 0 ? [] : [{ ids }], ...names.map((name) => ({ name }))];
  for (const part of parts) {
    let count = 0;
    for await (const one of sp.adGroups.iter({ ...part, signal })) {
      adGroups.set(one.adGroupId, { ...one });
      count += 1;
    }
    if (count < ("ids" in part ? part.ids.length : 1)) return undefined;
  }
  const campaigns = new Map<string, EntityFields>();
  const campaignIds = [...new Set([...adGroups.values()].map((one) => idKey(one, "campaignId")))];
  if (campaignIds.length === 0) return { campaigns, adGroups };
  for await (const one of sp.campaigns.iter({ ids: campaignIds, signal })) {
    campaigns.set(one.campaignId, { ...one });
  }
  return { campaigns, adGroups };
}

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
