import { decimalsOf } from "../../../base/markets/markets.ts";
import type { Change } from "../../../plans/model/change.ts";
import { MONEY_FIELDS } from "../../../plans/state/amounts.ts";
import { changeRows } from "../../../plans/model/differences.ts";

/**
 * Reports amounts with more decimals than the currency, such as a computed bid of 1.155. The documentation does not
 * say whether these are rounded or rejected.
 */
export function finerAmounts(changes: readonly Change[], countryCode: string): string[] {
  const decimals = decimalsOf(countryCode);
  const isFiner = (value: unknown): value is number =>
    typeof value === "number" && value !== Number(value.toFixed(decimals));
  let count = 0;
  let first = "";
  for (const change of changes) {
    if (!hasNumber(change.after, isFiner)) continue;
    for (const { kind, id, label, field, after } of changeRows([change])) {
      if (!MONEY_FIELDS.has(field) || !isFiner(after)) continue;
      if (count === 0) first = `${field} ${after} of ${kind} ${id || label}`;
      count += 1;
    }
  }
  if (count === 0) return [];
  return [
    `${count === 1 ? "1 amount has" : `${count} amounts have`} more than ${decimals} decimals, ` +
    `such as the ${first}: the platform may round or refuse them`,
  ];
}

function hasNumber(value: unknown, isWanted: (value: unknown) => boolean): boolean {
  if (typeof value !== "object" || value === null) return isWanted(value);
  for (const part of Object.values(value)) if (hasNumber(part, isWanted)) return true;
  return false;
}
