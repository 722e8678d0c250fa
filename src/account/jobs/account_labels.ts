import { byIdOf, idOf } from "../../base/json/id_of.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import { requireOneOf } from "../../base/text/nearest.ts";
import { ACCOUNT_HEADER, advertiserAccounts } from "../../platform/transport/advertiser_accounts.ts";

/** A label assigned to campaigns or ad groups in the platform's console. */
export interface AccountLabel {
  /** Platform id of the label, unique even among labels of the same name. */
  readonly labelId: string;
  /** Name of the label; two labels may have the same. */
  readonly name: string;
  /** Ids of the campaigns that carry the label, in all profiles of the account. */
  readonly campaignIds: readonly string[];
  /** Ids of the ad groups that carry the label, in all profiles of the account. */
  readonly adGroupIds: readonly string[];
}

export interface LabelledPlaces {
  /** Ids of labeled campaigns, except those whose ad groups have labels of their own. */
  readonly campaignIds: ReadonlySet<string>;
  /** Ids of labeled ad groups, whatever the labels of their campaigns. */
  readonly adGroupIds: ReadonlySet<string>;
}

const LISTS = { CAMPAIGN: "campaignIds", AD_GROUP: "adGroupIds" } as const;

/**
 * Reads the labels of a profile's account, each with its campaigns and ad groups. Labels can be changed only in the
 * platform's console. The platform publishes them for the unified family (`QueryLabel`,
 * `QueryLabelObjectAssociation`); ids of campaigns and ad groups are assumed to be the same in both APIs.
 *
 * @example
 * ```ts
 * import type { ProfileClient } from "@platform/ads";
 * import { readLabels } from "@platform/ads/account";
 *
 * async function show(us: ProfileClient): Promise<void> {
 *   for (const { name, campaignIds } of await readLabels(us)) console.log(name, campaignIds.length);
 * }
 * ```
 * @throws {ConfigurationError} where the login reaches no account with the profile.
 */
export async function readLabels(
  profile: ProfileClient,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<AccountLabel[]> {
  const [account] = await advertiserAccounts(profile, [profile.profileId], signal);
  const call = { headers: { [ACCOUNT_HEADER]: account?.id ?? "" }, ...(signal && { signal }) };
  const names = new Map<string, string>();
  const found = new Map<string, { campaignIds: string[]; adGroupIds: string[] }>();
  const placesOf = (labelId: string) => {
    const places = found.get(labelId) ?? { campaignIds: [], adGroupIds: [] };
    found.set(labelId, places);
    return places;
  };
  for (const [type, list] of Object.entries(LISTS)) {
    const labelObjectTypeFilter = { include: [type] };
    const labels = profile.pages(
      "v1-all-labels:QueryLabel",
      { labelObjectTypeFilter, maxResults: 1000 },
      call,
    );
    for await (const page of labels) {
      for (const [labelId, { labelName }] of byIdOf(itemsOf(page, "labels"), "labelId")) {
        names.set(labelId, String(labelName));
        placesOf(labelId);
      }
    }
    const associations = profile.pages(
      "v1-all-label-object-associations:QueryLabelObjectAssociation",
      { labelObjectTypeFilter, maxResults: 5000 },
      call,
    );
    for await (const page of associations) {
      for (const one of itemsOf(page, "labelObjectAssociations")) {
        const [labelId, objectId] = [idOf(one, "labelId"), idOf(one, "labelObjectId")];
        if (labelId !== undefined && objectId !== undefined) placesOf(labelId)[list].push(objectId);
      }
    }
  }
  // A label that was deleted while the pages were read has no name any more.
  return [...found].map(([labelId, places]) => ({ labelId, name: names.get(labelId) ?? labelId, ...places }));
}

/** @throws {TypeError} when a label does not exist; the message lists the existing ones. */
export async function labelledPlaces(
  profile: ProfileClient,
  names: readonly string[],
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<LabelledPlaces> {
  const labels = await readLabels(profile, options);
  const known = [...new Set(labels.map(({ name }) => name))];
  if (known.length === 0) throw new TypeError("Cannot select by label: the account has none");
  for (const name of names) requireOneOf("label", name, known);
  const wanted = labels.filter(({ name }) => names.includes(name));
  return {
    campaignIds: new Set(wanted.flatMap(({ campaignIds }) => campaignIds)),
    adGroupIds: new Set(wanted.flatMap(({ adGroupIds }) => adGroupIds)),
  };
}

function itemsOf(page: unknown, field: string): readonly Readonly<Record<string, unknown>>[] {
  const items = typeof page === "object" && page !== null ? Reflect.get(page, field) : undefined;
  return Array.isArray(items) ? items : [];
}
