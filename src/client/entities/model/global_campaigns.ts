import type { Clearable, ItemInput } from "./item_input.ts";
import type { Entity, EntityState, OpenEnum } from "./entity_fields.ts";
import type { DynamicBidding } from "./sp_campaigns.ts";

/** A Sponsored Products campaign of a global account, which runs in several marketplaces. */
export interface GlobalCampaign extends Entity {
  /** Id of the global campaign, to which its copies refer as `globalCampaignId`. */
  readonly campaignId: string;
  /** Name in every marketplace that has no name of its own. */
  readonly name: string;
  /** Automatic or manual targeting. */
  readonly targetingType: OpenEnum<"AUTO" | "MANUAL">;
  /** First day, `YYYY-MM-DD`, in the time zone of the profile. */
  readonly startDate: string;
  /** Last day, `YYYY-MM-DD`; absent for an open end. */
  readonly endDate?: string;
  /** Bid adjustments; if omitted on create, bids are only lowered. */
  readonly dynamicBidding?: DynamicBidding;
  /** Id of the portfolio that contains the campaign. */
  readonly portfolioId?: string;
  /** The advertiser's own labels. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Sites to which the campaign is restricted. */
  readonly siteRestrictions?: readonly string[];
  /** Budget and overrides in each marketplace, by country: `{ US: { budget: 20 }, DE: { budget: 15, state: "PAUSED" } }`. */
  readonly marketplaces: Readonly<Record<string, MarketplaceCampaign>>;
}

/** A global campaign in one marketplace: its budget, and the fields that differ from the global campaign. */
export interface MarketplaceCampaign {
  /** Daily amount in the marketplace's currency. */
  readonly budget: number;
  /** Effective amount, including the effect of budget rules; read only. */
  readonly effectiveBudget?: number;
  /** Id of the copy in this marketplace, a campaign of the marketplace's profile; read only. */
  readonly campaignId?: string;
  /** State in this marketplace, if different. */
  readonly state?: EntityState;
  /** Name in this marketplace, if different. */
  readonly name?: string;
  /** First day in this marketplace, `YYYY-MM-DD` in its time zone, if different. */
  readonly startDate?: string;
  /** Last day in this marketplace, if different. */
  readonly endDate?: string;
  /** Bid adjustments in this marketplace, if different. */
  readonly dynamicBidding?: DynamicBidding;
  /** Labels in this marketplace, if different. */
  readonly tags?: Readonly<Record<string, string>>;
}

/** Input fields of a global campaign: the budget in a marketplace may be a bare number. */
export type GlobalCampaignFields = {
  readonly [Field in keyof GlobalCampaign]: Field extends "dynamicBidding" ? Partial<DynamicBidding>
    : Field extends "marketplaces" ? Readonly<Record<string, number | Partial<MarketplaceCampaign>>>
    : GlobalCampaign[Field];
};

/** A global campaign to create. */
export type NewGlobalCampaign = ItemInput<
  GlobalCampaignFields,
  "name" | "state" | "targetingType" | "marketplaces"
>;

/** Update of a global campaign: its id and the fields to change; omitted marketplaces stay unchanged. */
export type GlobalCampaignUpdate = ItemInput<
  Clearable<GlobalCampaignFields, "endDate" | "portfolioId">,
  "campaignId"
>;
