import { bidField } from "../bid_field.ts";
import type { EntityFields } from "../change.ts";

/**
 * The budget of a campaign or the bid of another entity, in the account's currency; `undefined` without one. A field that
 * means nothing for the kind is no amount.
 */
export function amountOf(kind: string, fields: EntityFields): number | undefined {
  const { budget } = fields;
  const inner = typeof budget === "object" && budget !== null && "budget" in budget ? budget.budget : budget;
  const amount = kind.endsWith(".campaigns") ? inner : fields[bidField(kind)];
  return typeof amount === "number" ? amount : undefined;
}
