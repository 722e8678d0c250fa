import { marketOf } from "../../base/markets/markets.ts";
import type { PlatformAds } from "../../client/platform_ads.ts";
import { SeveralProfilesError } from "../../client/profile.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import { ConfigurationError } from "../../errors.ts";
import type { ServiceFile } from "./model/service.ts";

/**
 * Profiles that a service works for, in the order of the file, or of the login for all of them.
 *
 * @throws {ConfigurationError} for a market that has several profiles, or none although every region of it responds,
 * and, without `onUnreachable`, for one that does not respond.
 */
export async function serviceProfiles(
  { source, profiles: markets }: Pick<ServiceFile, "source" | "profiles">,
  { ads, signal, onUnreachable }: {
    readonly ads: Pick<PlatformAds, "profile" | "profiles" | "profileFrom" | "regionFailures">;
    readonly signal?: AbortSignal | undefined;
    /** Called with each region or market that does not respond; its profiles are left out. */
    readonly onUnreachable?: (error: ConfigurationError) => void;
  },
): Promise<ProfileClient[]> {
  const given = signal === undefined ? {} : { signal };
  const unreachable = (name: string, error: Error): ConfigurationError =>
    new ConfigurationError(`Cannot reach ${name} of ${source}: ${error.message}`, { cause: error });
  const missed = (error: ConfigurationError): void => {
    if (onUnreachable === undefined) throw error;
    onUnreachable(error);
  };
  if (markets === "all") {
    const all = await ads.profiles(given);
    for (const { region, error } of ads.regionFailures) missed(unreachable(`region ${region}`, error));
    return all.map(({ profileId, countryCode }) => ads.profileFrom(profileId, countryCode));
  }
  const found = new Map<string, ProfileClient>();
  for (const market of markets) {
    try {
      const profile = await ads.profile(market, given);
      found.set(profile.profileId, profile);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof SeveralProfilesError) {
        throw new ConfigurationError(
          `${error.message}\nWrite an id in place of ${market} in the profiles of ${source}`,
          { cause: error },
        );
      }
      if (!(error instanceof Error)) throw error;
      if (!(error instanceof ConfigurationError)) {
        missed(unreachable(market, error));
        continue;
      }
      // Its profile may be in a region that does not respond: a country is in one, an id in any of them.
      const region = marketOf(market)?.region;
      const silent = ads.regionFailures.find((failure) => [failure.region, undefined].includes(region));
      if (silent === undefined || onUnreachable === undefined) throw error;
      missed(unreachable(market, silent.error));
    }
  }
  return [...found.values()];
}
