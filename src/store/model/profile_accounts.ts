import type { Profile } from "../../client/profile.ts";
import { marketOf } from "../../base/markets/markets.ts";
import type { StreamAccount } from "./stream_tables.ts";

/**
 * Returns the ids of profiles in records of the stream. A profile without the ids of its account and marketplace is
 * left out.
 *
 * @example
 * ```ts
 * import type { PlatformAds } from "@platform/ads";
 * import { profileAccounts, type Warehouse } from "@platform/ads/store";
 *
 * async function remember(ads: PlatformAds, store: Warehouse): Promise<void> {
 *   await store.stream.putAccounts(profileAccounts(await ads.profiles()));
 * }
 * ```
 */
export function profileAccounts(
  profiles: readonly Pick<Profile, "profileId" | "countryCode" | "timezone" | "accountInfo">[],
): StreamAccount[] {
  return profiles.flatMap(({ profileId, countryCode, timezone, accountInfo }) => {
    const { id, marketplaceStringId } = accountInfo;
    const timeZone = timezone ?? marketOf(countryCode)?.timeZone;
    if (id === undefined || typeof marketplaceStringId !== "string" || timeZone === undefined) return [];
    return [{ advertiserId: id, marketplaceId: marketplaceStringId, profileId, countryCode, timeZone }];
  });
}
