import type { Clearable, ItemInput } from "../../fields/item_input.ts";
import type { OpenEnum } from "../../fields/open_enum.ts";
import type { SdExtendedData } from "./sd_extended_data.ts";
import type { SdState } from "./sd_state.ts";

/** A Sponsored Display campaign. */
export interface SdCampaign extends SdExtendedData {
  /** Digits, exact past 2^53; the platform gives it. */
  readonly campaignId: string;
  /** Name, unique in the profile. */
  readonly name: string;
  /** `enabled`, `paused` or `archived`. */
  readonly state: SdState;
  /** Amount a day in the marketplace's currency, a plain number. */
  readonly budget: number;
  /** Period of the budget; always a day. */
  readonly budgetType: OpenEnum<"daily">;
  /** `T00020` for products and what they are shown beside, `T00030` for audiences; cannot be changed. */
  readonly tactic: OpenEnum<"T00020" | "T00030">;
  /** Billed event: a click or a thousand viewable impressions; cannot be changed. */
  readonly costType?: OpenEnum<"cpc" | "vcpm">;
  /** First day, `YYYYMMDD`; `YYYY-MM-DD` is accepted too. */
  readonly startDate?: string;
  /** Last day, `YYYYMMDD`; runs on without one. */
  readonly endDate?: string;
  /** Portfolio the campaign is in. */
  readonly portfolioId?: string;
  /** How the budget is spread over the day; read only. */
  readonly deliveryProfile?: OpenEnum<"as_soon_as_possible">;
  /** The budget that a rule sets; read only. */
  readonly ruleBasedBudget?: Readonly<Record<string, unknown>>;
  /** Fields that the platform adds later. */
  readonly [field: string]: unknown;
}

/** A Sponsored Display campaign to create. */
export type NewSdCampaign = ItemInput<SdCampaign, "name" | "budget" | "tactic">;

/** Changes of a Sponsored Display campaign, which its id names. */
export type SdCampaignUpdate = ItemInput<Clearable<SdCampaign, "endDate" | "portfolioId">, "campaignId">;
