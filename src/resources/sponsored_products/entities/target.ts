import type { Clearable, ItemInput } from "../../fields/item_input.ts";
import type { EntityState, ExtendedData, OpenEnum } from "../../fields/open_enum.ts";
import type { TargetingPredicate } from "./targeting_predicate.ts";

/** A Sponsored Products targeting clause: products, categories or automatic matches. */
export interface Target {
  /** Digits, exact past 2^53; the platform gives it. */
  readonly targetId: string;
  /** Campaign it belongs to. */
  readonly campaignId: string;
  /** Ad group it belongs to. */
  readonly adGroupId: string;
  /** Targeted products. */
  readonly expression: readonly TargetingPredicate[];
  /** Origin of the expression. */
  readonly expressionType: OpenEnum<"AUTO" | "MANUAL">;
  /** The expression with names in place of ids; read only. */
  readonly resolvedExpression?: readonly TargetingPredicate[];
  /** `ENABLED`, `PAUSED` or `ARCHIVED`; newer words pass through. */
  readonly state: EntityState;
  /** Bid in the marketplace's currency; the ad group's default applies without one. */
  readonly bid?: number;
  /** Creation and update times, when asked for. */
  readonly extendedData?: ExtendedData;
  /** Fields that the platform adds later. */
  readonly [field: string]: unknown;
}

/** A targeting clause to create. */
export type NewTarget = ItemInput<
  Target,
  "campaignId" | "adGroupId" | "expression" | "expressionType" | "state"
>;

/** Changes of a targeting clause, which its id names. */
export type TargetUpdate = ItemInput<Clearable<Target, "bid">, "targetId">;
