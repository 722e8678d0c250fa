import type { ItemInput } from "../../fields/item_input.ts";
import type { OpenEnum } from "../../fields/open_enum.ts";
import type { SbPredicate } from "./sb_predicate.ts";

/** A Sponsored Brands negative product target: a product or brand to keep away. It is enabled or archived, never paused. */
export interface SbNegativeTarget {
  /** Digits, exact past 2^53; the platform gives it. */
  readonly targetId: string;
  /** Campaign it belongs to. */
  readonly campaignId: string;
  /** Ad group it belongs to. */
  readonly adGroupId: string;
  /** Excluded product or brand, by `asinSameAs` or `asinBrandSameAs`; cannot be changed. */
  readonly expressions: readonly SbPredicate[];
  /** The expression with names in place of ids; read only. */
  readonly resolvedExpressions?: readonly SbPredicate[];
  /** State; not given on create, for the platform enables every new negative target. */
  readonly state: OpenEnum<"enabled" | "archived" | "draft">;
  /** Fields that the platform adds later. */
  readonly [field: string]: unknown;
}

/** A Sponsored Brands negative product target to create. */
export type NewSbNegativeTarget = ItemInput<SbNegativeTarget, "campaignId" | "adGroupId" | "expressions">;

/** Changes of a Sponsored Brands negative product target, which its id names. */
export type SbNegativeTargetUpdate = ItemInput<SbNegativeTarget, "targetId">;
