import type { Clearable, ItemInput } from "../../fields/item_input.ts";
import type { OpenEnum } from "../../fields/open_enum.ts";
import type { SdExtendedData } from "./sd_extended_data.ts";
import type { SdPredicate } from "./sd_predicate.ts";
import type { SdState } from "./sd_state.ts";

/** A Sponsored Display targeting clause: products, content or an audience. */
export interface SdTarget extends SdExtendedData {
  /** Digits, exact past 2^53; the platform gives it. */
  readonly targetId: string;
  /** Campaign it belongs to; the platform takes it from the ad group. */
  readonly campaignId?: string;
  /** Ad group it belongs to. */
  readonly adGroupId: string;
  /** Targeted products or audiences; cannot be changed. */
  readonly expression: readonly SdPredicate[];
  /** Origin of the expression. */
  readonly expressionType: OpenEnum<"manual" | "auto">;
  /** The expression with names in place of ids; read only. */
  readonly resolvedExpression?: readonly SdPredicate[];
  /** `enabled`, `paused` or `archived`. */
  readonly state: SdState;
  /** Bid in the marketplace's currency, from 0.02; the ad group's default applies without one. */
  readonly bid?: number;
  /** Fields that the platform adds later. */
  readonly [field: string]: unknown;
}

/** A Sponsored Display targeting clause to create. */
export type NewSdTarget = ItemInput<SdTarget, "adGroupId" | "expression" | "expressionType">;

/** Changes of a Sponsored Display targeting clause, which its id names. */
export type SdTargetUpdate = ItemInput<Clearable<SdTarget, "bid">, "targetId">;
