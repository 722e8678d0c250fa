import { idKey } from "../base/json/id_of.ts";
import { isCountryCode, normalizeCountry, type Region } from "../base/markets/markets.ts";
import { ConfigurationError } from "../errors.ts";

/** Kind of the account behind a profile; self-publishing authors are vendors with a `subType`. */
export type AccountType = "seller" | "vendor" | "agency" | (string & Record<never, never>);

/** One advertising account in one marketplace. */
export interface Profile {
  /** Id of the profile: digits, exact past 2^53. */
  readonly profileId: string;
  /** Country of the marketplace as the platform spells it (`UK`). */
  readonly countryCode: string;
  /** Region whose host serves the profile. */
  readonly region: Region;
  /** ISO 4217 code of all amounts in the profile. */
  readonly currencyCode?: string;
  /** Time zone of the profile's days, for example `America/Los_Angeles`. */
  readonly timezone?: string;
  /** Maximum daily spend across all campaigns, in `currencyCode`. */
  readonly dailyBudget?: number;
  /** Account that the profile belongs to. */
  readonly accountInfo: {
    readonly type?: AccountType;
    /** The advertiser's name. */
    readonly name?: string;
    /** Id of the account; profiles of one account share it. */
    readonly id?: string;
    /** Subtype of a vendor account; marks self-publishing authors (`KDP_AUTHOR`). */
    readonly subType?: string;
    /** Additional fields, as returned by the platform. */
    readonly [field: string]: unknown;
  };
  /** Additional fields, as returned by the platform. */
  readonly [field: string]: unknown;
}

export function profileFromWire(record: Readonly<Record<string, unknown>>, region: Region): Profile {
  const accountInfo = record["accountInfo"] as Profile["accountInfo"] | undefined;
  return {
    ...record,
    profileId: idKey(record, "profileId"),
    countryCode: normalizeCountry(String(record["countryCode"] ?? "")),
    region,
    accountInfo: accountInfo ?? {},
  };
}

/**
 * Throws if a value is not a profile id, to prevent requests with a wrong variable.
 *
 * @throws {TypeError} when the value is not a string of digits.
 */
export function checkProfileId(profileId: unknown): void {
  if (typeof profileId === "string" && /^\d{1,20}$/.test(profileId)) return;
  throw new TypeError(
    `Cannot use ${JSON.stringify(profileId) ?? typeof profileId} as a profile id: it is not a row of digits`,
  );
}

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
