import { decimalsOf } from "../../markets.ts";
import type { Change } from "../../plans/change.ts";
import { MONEY_FIELDS } from "../../plans/money_fields.ts";
import { changeRows } from "../../plans/view/change_rows.ts";

/**
 * What a plan's reader should know of amounts that are finer than the currency: a computed bid such as 1.155. The
 * platform's documentation does not say whether the third decimal is rounded or refused.
 *
 * @param countryCode Country of the profile, which decides the currency.
 */
export function finerAmounts(changes: readonly Change[], countryCode: string): string[] {
  const decimals = decimalsOf(countryCode);
  const finer = changeRows(changes).filter(({ field, after }) =>
    MONEY_FIELDS.has(field) && typeof after === "number" && after !== Number(after.toFixed(decimals))
  );
  const [first] = finer;
  if (first === undefined) return [];
  const whose = `${first.kind} ${first.id || first.label}`;
  return [
    `${
      finer.length === 1 ? "1 amount has" : `${finer.length} amounts have`
    } more than ${decimals} decimals, ` +
    `such as the ${first.field} ${first.after} of ${whose}: the platform may round or refuse what is finer`,
  ];
}
