import type { Region } from "../../base/markets/markets.ts";
import type { TrafficLevels } from "./traffic_levels.ts";

/** The account behind a profile. */
export interface AccountInfo {
  /** The marketplace's own id. */
  readonly marketplaceStringId: string;
  /** Id of the account. */
  readonly id: string;
  /** seller, vendor or agency. */
  readonly type: string;
  /** The account's name. */
  readonly name: string;
  /** Set for self-publishing authors. */
  readonly subType?: string;
  /** True if the account can be charged. */
  readonly validPaymentMethod: boolean;
}

/** A profile: one account in one marketplace. */
export interface ProfileRecord {
  /** The profile's id; a bare number on the wire. */
  readonly profileId: string;
  /** Two letters; the United Kingdom is `UK`. */
  readonly countryCode: string;
  /** Currency of bids and budgets. */
  readonly currencyCode: string;
  /** Maximum daily spend. */
  readonly dailyBudget: number;
  /** Time zone of the profile's days. */
  readonly timezone: string;
  /** The account behind the profile. */
  readonly accountInfo: AccountInfo;
}

/** A profile and the region whose host serves it. */
export interface PlacedProfile {
  /** `NA`, `EU` or `FE`. */
  readonly region: Region;
  /** Stored state of the profile. */
  readonly record: ProfileRecord;
  /** Id of the first profile of the advertiser account, if several profiles share the account. @default its own */
  readonly account?: string;
  /** Traffic levels of the profile. @default made up from the seed */
  readonly levels?: TrafficLevels;
}
