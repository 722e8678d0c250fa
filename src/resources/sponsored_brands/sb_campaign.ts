import type { Clearable, ItemInput } from "../fields/item_input.ts";
import type { EntityState, OpenEnum } from "../fields/open_enum.ts";
import type { SbBidding } from "./sb_bidding.ts";
import type { SbExtendedData } from "./sb_extended_data.ts";

/** A Sponsored Brands campaign. */
export interface SbCampaign {
  /** Digits, exact past 2^53; the platform gives it. */
  readonly campaignId: string;
  /** Name, at most 128 characters, unique in the profile. */
  readonly name: string;
  /** `ENABLED`, `PAUSED` or `ARCHIVED`; newer words pass through. */
  readonly state: EntityState;
  /** Amount in the marketplace's currency, a plain number; `budgetType` says what it is for. */
  readonly budget: number;
  /** Period of the budget; cannot be changed. */
  readonly budgetType: OpenEnum<"DAILY" | "LIFETIME">;
  /** First day, `YYYY-MM-DD`. */
  readonly startDate?: string;
  /** Last day, `YYYY-MM-DD`; runs on without one. */
  readonly endDate?: string;
  /** How bids are adjusted, the premium for the top of search among them. */
  readonly bidding?: SbBidding;
  /** Goal of the campaign. Author accounts leave it out: they may not create goal campaigns. */
  readonly goal?: OpenEnum<"PAGE_VISIT" | "BRAND_IMPRESSION_SHARE">;
  /** Billed event. Author accounts leave it out. */
  readonly costType?: OpenEnum<"CPC" | "VCPM" | "FIXED_PRICE">;
  /** Measure of success; the platform fills it in. */
  readonly kpi?: OpenEnum<"CLICKS">;
  /** Brand the campaign is for. */
  readonly brandEntityId?: string;
  /** Portfolio the campaign is in. */
  readonly portfolioId?: string;
  /** Place of sale of the advertised products. */
  readonly productLocation?: OpenEnum<"SOLD_ON_PLATFORM" | "NOT_SOLD_ON_PLATFORM" | "SOLD_ON_DTC">;
  /** True when the campaign may hold several ad groups; read only. */
  readonly isMultiAdGroupsEnabled?: boolean;
  /** The budget that a rule sets; read only. */
  readonly ruleBasedBudget?: Readonly<Record<string, unknown>>;
  /** Sites the campaign is restricted to. */
  readonly siteRestrictions?: readonly string[];
  /** Settings that the platform may choose by itself. */
  readonly smartDefault?: readonly unknown[];
  /** The advertiser's own labels. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Creation and update times, when asked for. */
  readonly extendedData?: SbExtendedData;
  /** Fields that the platform adds later. */
  readonly [field: string]: unknown;
}

/** A Sponsored Brands campaign to create. */
export type NewSbCampaign = ItemInput<SbCampaign, "name" | "state" | "budget" | "budgetType">;

/** Changes of a Sponsored Brands campaign, which its id names. */
export type SbCampaignUpdate = ItemInput<Clearable<SbCampaign, "endDate" | "portfolioId">, "campaignId">;
