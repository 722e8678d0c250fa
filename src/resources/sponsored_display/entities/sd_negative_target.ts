import type { ItemInput } from "../../fields/item_input.ts";
import type { OpenEnum } from "../../fields/open_enum.ts";
import type { SdExtendedData } from "./sd_extended_data.ts";
import type { SdPredicate } from "./sd_predicate.ts";
import type { SdState } from "./sd_state.ts";

/** A Sponsored Display negative targeting clause. The platform does not say which campaign it is in. */
export interface SdNegativeTarget extends SdExtendedData {
  /** Digits, exact past 2^53; the platform gives it. */
  readonly targetId: string;
  /** Ad group it belongs to. */
  readonly adGroupId: string;
  /** Products (`asinSameAs`) or brands (`asinBrandSameAs`) that are kept away; cannot be changed. */
  readonly expression: readonly SdPredicate[];
  /** Origin of the expression. */
  readonly expressionType: OpenEnum<"manual" | "auto">;
  /** `enabled`, `paused` or `archived`. */
  readonly state: SdState;
  /** Fields that the platform adds later. */
  readonly [field: string]: unknown;
}

/** A Sponsored Display negative targeting clause to create. */
export type NewSdNegativeTarget = ItemInput<
  SdNegativeTarget,
  "adGroupId" | "expression" | "expressionType" | "state"
>;

/** Changes of a Sponsored Display negative targeting clause, which its id names. */
export type SdNegativeTargetUpdate = ItemInput<SdNegativeTarget, "targetId">;
