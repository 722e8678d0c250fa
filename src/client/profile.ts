import { idKey } from "../base/json/id_of.ts";
import { normalizeCountry, type Region } from "../base/markets/markets.ts";

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
