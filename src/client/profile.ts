import type { Region } from "../markets.ts";

/** Kind of the account behind a profile; self-publishing authors are vendors with a `subType`. */
export type AccountType = "seller" | "vendor" | "agency" | (string & Record<never, never>);

/** One advertising account in one marketplace. */
export interface Profile {
  /** Digits, exact past 2^53. */
  readonly profileId: string;
  /** Country of the marketplace as the platform spells it (`UK`). */
  readonly countryCode: string;
  /** Region whose host serves it. */
  readonly region: Region;
  /** ISO 4217 code of all money in it. */
  readonly currencyCode?: string;
  /** Name of the time zone that its days follow, for example `America/Los_Angeles`. */
  readonly timezone?: string;
  /** Upper bound of a day's spend over all campaigns, in `currencyCode`. */
  readonly dailyBudget?: number;
  /** The account behind it. */
  readonly accountInfo: {
    /** Kind of account. */
    readonly type?: AccountType;
    /** The advertiser's name. */
    readonly name?: string;
    /** Id of the account; profiles of one account share it. */
    readonly id?: string;
    /** Kind of vendor, for self-publishing authors. */
    readonly subType?: string;
    /** Further fields as the platform gives them. */
    readonly [field: string]: unknown;
  };
  /** Further fields as the platform gives them. */
  readonly [field: string]: unknown;
}
