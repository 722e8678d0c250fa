import { isAdGroupKind, isCampaignKind } from "../model/prior_state.ts";
import type { ChangeView, FieldView } from "./view_types.ts";

type Valued = Pick<FieldView, "field" | "before" | "after">;

const GROWN = 2;

/**
 * Descending: archives, calls and portfolio caps, amounts that more than double, new entities from the top down, other
 * fields, other amounts by relative change.
 */
export function importance(
  { op, kind, fields }: Pick<ChangeView, "op" | "kind"> & { readonly fields: readonly Valued[] },
): number {
  if (op === "archive" || op === "call") return Infinity;
  if (kind === "portfolios" && fields.some(({ field }) => /^budget\b/.test(field))) return Infinity;
  if (op === "create") return 1e6 + (isCampaignKind(kind) ? 2 : isAdGroupKind(kind) ? 1 : 0);
  return fields.reduce((most, field) => Math.max(most, fieldImportance(field)), 0);
}

export function fieldImportance({ field, before, after }: Valued): number {
  if (field === "state" && /^archived$/i.test(String(after))) return Infinity;
  if (typeof after !== "number") return 1e3;
  if (typeof before !== "number" || before <= 0) return after > 0 ? 1e7 : 1;
  const factor = after / before;
  // Below 1000: a value that falls comes after everything that is not an amount.
  return factor > GROWN
    ? 1e7 * Math.min(factor, 1e9)
    : Math.min(999, Math.max(factor, 1 / Math.max(factor, 1e-9)));
}
