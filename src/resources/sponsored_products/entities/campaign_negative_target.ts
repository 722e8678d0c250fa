import type { ItemInput } from "../../fields/item_input.ts";
import type { EntityState, ExtendedData } from "../../fields/open_enum.ts";
import type { TargetingPredicate } from "./targeting_predicate.ts";

/** A Sponsored Products negative targeting clause of a whole campaign. */
export interface CampaignNegativeTarget {
  /** Digits, exact past 2^53; the platform gives it. */
  readonly targetId: string;
  /** Campaign it belongs to. */
  readonly campaignId: string;
  /** Products or brands that are kept away. */
  readonly expression: readonly TargetingPredicate[];
  /** The expression with names in place of ids; read only. */
  readonly resolvedExpression?: readonly TargetingPredicate[];
  /** `ENABLED`, `PAUSED` or `ARCHIVED`; newer words pass through. */
  readonly state: EntityState;
  /** Creation and update times, when asked for. */
  readonly extendedData?: ExtendedData;
  /** Fields that the platform adds later. */
  readonly [field: string]: unknown;
}

/** A negative targeting clause of a campaign to create. */
export type NewCampaignNegativeTarget = ItemInput<
  CampaignNegativeTarget,
  "campaignId" | "expression" | "state"
>;

/** Changes of a negative targeting clause of a campaign, which its id names. */
export type CampaignNegativeTargetUpdate = ItemInput<CampaignNegativeTarget, "targetId">;
