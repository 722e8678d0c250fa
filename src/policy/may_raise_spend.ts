import { fieldsOf } from "../internal/fields_of.ts";
import { bidField } from "../plans/bid_field.ts";
import type { JudgedChange } from "./judged_change.ts";

/**
 * False for a change that can only lower what is spent, by however much: an archive, a pause, a lower bid or budget. It
 * needs no figures to pass a limit of more spend.
 */
export function mayRaiseSpend({ change, before, after, fields }: JudgedChange): boolean {
  if (after.state !== undefined && after.state !== "ENABLED") return false;
  if (before.state !== after.state) return true;
  const isLowered = (from: number | undefined, to: number | undefined): boolean =>
    from !== undefined && to !== undefined && to <= from;
  return !fields.every((field) => {
    if (field === "state") return true;
    if (field === bidField(change.kind)) return isLowered(before.bid, after.bid);
    if (field !== "budget") return false;
    const [now, next] = [before, after].map((facts) => fieldsOf(facts.fields["budget"])["budgetType"]);
    return now === next && isLowered(before.budget, after.budget);
  });
}
