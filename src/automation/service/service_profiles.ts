import type { PlatformAds } from "../../client/platform_ads.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import { ConfigurationError } from "../../errors.ts";
import type { ServiceFile } from "./service_file.ts";

/**
 * Profiles that a service works for, in the order of the file, or of the login for all of them.
 *
 * @throws {ConfigurationError} for a market that has no profile, several, or, without `onUnreachable`, none that responds.
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
      if (error instanceof ConfigurationError || !(error instanceof Error)) throw error;
      missed(unreachable(market, error));
    }
  }
  return [...found.values()];
}
