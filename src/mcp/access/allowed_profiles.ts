import type { PlatformAds } from "../../client/platform_ads.ts";
import type { Profile } from "../../client/profile.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import { chooseProfile } from "../../client/choose_profile.ts";
import { normalizeCountry } from "../../markets.ts";

/** The profiles of a login that a tenant may see, by profile id or country code. */
export class AllowedProfiles {
  readonly #allowed: ReadonlySet<string>;

  /** @param allowed Profile ids and country codes. */
  constructor(allowed: readonly string[]) {
    this.#allowed = new Set(allowed.map((one) => normalizeCountry(one.trim())));
  }

  /** Filters the profiles that the tenant may see. */
  of(profiles: readonly Profile[]): Profile[] {
    return profiles.filter(({ profileId, countryCode }) =>
      this.#allowed.has(profileId) || this.#allowed.has(countryCode)
    );
  }

  /**
   * The client of one of them.
   *
   * @throws {ConfigurationError} that lists the candidates among them, when none or several match.
   */
  async client(ads: PlatformAds, market: string, options: { signal?: AbortSignal }): Promise<ProfileClient> {
    const { profileId } = chooseProfile(this.of(await ads.profiles(options)), market);
    return await ads.profile(profileId, options);
  }
}
