import type { ItemInput } from "../../fields/item_input.ts";
import type { EntityState, ExtendedData } from "../../fields/open_enum.ts";
import type { TargetingPredicate } from "./targeting_predicate.ts";

/** A Sponsored Products negative targeting clause of an ad group. */
export interface NegativeTarget {
  /** Digits, exact past 2^53; the platform gives it. */
  readonly targetId: string;
  /** Campaign it belongs to. */
  readonly campaignId: string;
  /** Ad group it belongs to. */
  readonly adGroupId: string;
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

/** A negative targeting clause to create. */
export type NewNegativeTarget = ItemInput<
  NegativeTarget,
  "campaignId" | "adGroupId" | "expression" | "state"
>;

/** Changes of a negative targeting clause, which its id names. */
export type NegativeTargetUpdate = ItemInput<NegativeTarget, "targetId">;
