import type { ItemInput } from "../../fields/item_input.ts";
import type { OpenEnum } from "../../fields/open_enum.ts";
import type { SbPredicate } from "./sb_predicate.ts";

/** A Sponsored Brands product target: a product, category or brand. States and predicates are in lower case. */
export interface SbTarget {
  /** Digits, exact past 2^53; the platform gives it. */
  readonly targetId: string;
  /** Campaign it belongs to. */
  readonly campaignId: string;
  /** Ad group it belongs to. */
  readonly adGroupId: string;
  /** Targeted products; all predicates hold; cannot be changed. */
  readonly expressions: readonly SbPredicate[];
  /** The expression with names in place of ids; read only. */
  readonly resolvedExpressions?: readonly SbPredicate[];
  /** State; not given on create, for the platform enables every new target. */
  readonly state: OpenEnum<"enabled" | "paused" | "archived" | "draft">;
  /** Bid in the marketplace's currency. */
  readonly bid?: number;
  /** Fields that the platform adds later. */
  readonly [field: string]: unknown;
}

/** A Sponsored Brands product target to create. */
export type NewSbTarget = ItemInput<SbTarget, "campaignId" | "adGroupId" | "expressions">;

/** Changes of a Sponsored Brands product target, which its id names. */
export type SbTargetUpdate = ItemInput<SbTarget, "targetId">;
