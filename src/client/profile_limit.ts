import { normalizeCountry } from "../base/markets/markets.ts";
import { ConfigurationError } from "../errors.ts";
import { WITHIN_LIMIT } from "../platform/transport/api_request.ts";
import type { ProfileScope, ReachedRequest, ReachLimit } from "../platform/transport/profile_scope.ts";
import type { Profile } from "./profile.ts";

/** Limits a client to certain profiles of its login: no other profile is listed, read or written. */
export class ProfileLimit implements ReachLimit {
  readonly #allowed: ReadonlySet<string>;
  readonly #clientOf: (profileId: string) => Promise<ProfileScope>;

  constructor(allowed: readonly string[], clientOf: (profileId: string) => Promise<ProfileScope>) {
    this.#allowed = new Set(allowed.map((one) => normalizeCountry(one.trim())));
    this.#clientOf = clientOf;
    if (this.#allowed.size > 0) return;
    throw new ConfigurationError("Cannot limit a client to no profiles: name at least one");
  }

  has(profileId: string, countryCode: string | undefined): boolean {
    return this.#allowed.has(profileId) ||
      countryCode !== undefined && this.#allowed.has(normalizeCountry(countryCode));
  }

  of(profiles: readonly Profile[]): Profile[] {
    return profiles.filter(({ profileId, countryCode }) => this.has(profileId, countryCode));
  }

  /**
   * Throws unless the id itself is allowed; a country given by a caller is not enough, because it is not verified.
   *
   * @throws {ConfigurationError} when the id is not in the limit.
   */
  ensureNamed(profileId: string): void {
    if (this.#allowed.has(profileId)) return;
    throw new ConfigurationError(
      `Cannot use profile ${profileId}: it is not one of the profiles that this client is limited to`,
    );
  }

  async check(request: ReachedRequest): Promise<void> {
    const { scope, sender = scope, withinLimit } = request;
    if (withinLimit === WITHIN_LIMIT) return;
    const profile = sender === undefined ? undefined : await this.#clientOf(sender);
    const { checkReach } = await import("./request_reach.ts");
    await checkReach(request, profile);
  }
}
