import type { Clearable, ItemInput } from "../../model/item_input.ts";
import type { Entity, EntityState, OpenEnum } from "../../model/entity_fields.ts";
import type { DynamicBidding } from "./campaigns.ts";

/** A Sponsored Products campaign of a global account, which runs in several marketplaces. */
export interface GlobalCampaign extends Entity {
  /** Id of the campaign as a whole; its copies name it as `globalCampaignId`. */
  readonly campaignId: string;
  /** Name in every marketplace that has none of its own. */
  readonly name: string;
  /** Targeting by the platform or by hand. */
  readonly targetingType: OpenEnum<"AUTO" | "MANUAL">;
  /** First day, `YYYY-MM-DD`, in the time zone of the profile. */
  readonly startDate: string;
  /** Last day, `YYYY-MM-DD`; runs on without one. */
  readonly endDate?: string;
  /** How bids are adjusted; down only when it is left out on create. */
  readonly dynamicBidding?: DynamicBidding;
  /** Portfolio the campaign is in. */
  readonly portfolioId?: string;
  /** The advertiser's own labels. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Sites the campaign is restricted to. */
  readonly siteRestrictions?: readonly string[];
  /** Budget and overrides in each marketplace, by country: `{ US: { budget: 20 }, DE: { budget: 15, state: "PAUSED" } }`. */
  readonly marketplaces: Readonly<Record<string, MarketplaceCampaign>>;
}

/** A global campaign in one marketplace: its budget there, and what differs from the campaign as a whole. */
export interface MarketplaceCampaign {
  /** Amount a day in the currency of the marketplace. */
  readonly budget: number;
  /** Amount that the platform actually spends by, budget rules included; read only. */
  readonly effectiveBudget?: number;
  /** Id of its copy there, which is a campaign of that marketplace's profile; read only. */
  readonly campaignId?: string;
  /** State there, where it differs. */
  readonly state?: EntityState;
  /** Name there, where it differs. */
  readonly name?: string;
  /** First day there, `YYYY-MM-DD` in the time zone of the marketplace, where it differs. */
  readonly startDate?: string;
  /** Last day there, where it differs. */
  readonly endDate?: string;
  /** How bids are adjusted there, where it differs. */
  readonly dynamicBidding?: DynamicBidding;
  /** Labels there, where they differ. */
  readonly tags?: Readonly<Record<string, string>>;
}

/** The fields of a global campaign as items give them: a bare number will do for the budget in a marketplace. */
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

/** Changes of a global campaign, which its id names; marketplaces that are left out keep what they have. */
export type GlobalCampaignUpdate = ItemInput<
  Clearable<GlobalCampaignFields, "endDate" | "portfolioId">,
  "campaignId"
>;
