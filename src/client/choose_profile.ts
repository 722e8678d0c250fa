import { isCountryCode, normalizeCountry } from "../base/markets/markets.ts";
import { ConfigurationError } from "../errors.ts";
import type { AccountType, Profile } from "./profile.ts";

/** Filter to choose among several profiles of a marketplace. */
export interface ProfileFilter {
  /** Kind of account. */
  readonly accountType?: AccountType | undefined;
  /** Account name, case-insensitive. */
  readonly accountName?: string | undefined;
}

/** @throws {ConfigurationError} listing the candidates when none or several match. */
export function chooseProfile(
  profiles: readonly Profile[],
  marketOrId: string,
  filter: ProfileFilter = {},
): Profile {
  const wanted = marketOrId.trim();
  const byCountry = isCountryCode(wanted);
  const country = normalizeCountry(wanted);
  const inMarket = profiles.filter((profile) =>
    byCountry ? profile.countryCode === country : profile.profileId === wanted
  );
  const found = inMarket.filter((profile) => matches(profile, filter));
  if (found.length === 1) return found[0]!;

  const asked = byCountry ? `market "${country}"` : `id "${wanted}"`;
  const narrowed = [
    filter.accountType === undefined ? "" : ` of type "${filter.accountType}"`,
    filter.accountName === undefined ? "" : ` named "${filter.accountName}"`,
  ].join("");
  if (found.length > 1) {
    throw new SeveralProfilesError(
      `Cannot choose a profile for ${asked}${narrowed}: ${found.length} match. ` +
        `Give the profile id, or narrow by account type or name:\n${describe(found)}`,
      found,
    );
  }
  const candidates = inMarket.length > 0 ? inMarket : profiles;
  const list = candidates.length === 0
    ? "This login reaches no profile at all"
    : `There is:\n${describe(candidates)}`;
  throw new ConfigurationError(`Cannot find a profile for ${asked}${narrowed}. ${list}`);
}

function matches(profile: Profile, filter: ProfileFilter): boolean {
  const { type, name } = profile.accountInfo;
  if (filter.accountType !== undefined && type?.toLowerCase() !== filter.accountType.toLowerCase()) {
    return false;
  }
  return filter.accountName === undefined || name?.toLowerCase() === filter.accountName.toLowerCase();
}

function describe(profiles: readonly Profile[]): string {
  const shown = profiles.slice(0, 20).map(({ profileId, countryCode, accountInfo }) =>
    `  ${countryCode}  ${profileId}  ${accountInfo.type ?? "?"}  ${
      (accountInfo.name ?? "").replace(/\p{Cc}/gu, " ")
    }`
  );
  if (profiles.length > 20) shown.push(`  and ${profiles.length - 20} more`);
  return shown.join("\n");
}

export class SeveralProfilesError extends ConfigurationError {
  readonly candidates: readonly Profile[];

  constructor(message: string, candidates: readonly Profile[]) {
    super(message);
    this.candidates = candidates;
  }
}
