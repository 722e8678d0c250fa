import { counted, moneyText } from "../../base/text/money_text.ts";
import { visibleText } from "../../base/text/visible_text.ts";
import type { Evidence } from "../model/change.ts";

/** Days of some figures, inclusive, `YYYY-MM-DD`. */
export interface EvidenceDays {
  readonly from: string;
  readonly to: string;
}

/**
 * The figures that a change rests on, in one line: `ACOS 23.4 %, 41 clicks, 12.30 spent, 3 orders`, with the
 * estimate where there is one: `ACOS 23.4 %, estimated 26 % (17 to 43), 41 clicks`. Empty for none.
 *
 * @param options `decimals` of the currency; `days` those that stand elsewhere on the page, which are not repeated.
 */
export function evidenceText(
  evidence: Evidence | undefined,
  { decimals, days }: { readonly decimals: number; readonly days?: EvidenceDays | undefined },
): string {
  if (evidence === undefined) return "";
  const { from, to, clicks, cost, orders, acos, estimate, reason } = evidence;
  const parts: string[] = [];
  if (acos !== undefined) parts.push(`ACOS ${percent(acos)} %`);
  if (estimate !== undefined) {
    const [likely, low, high] = [estimate.acos, estimate.low, estimate.high].map((one) =>
      Number((one * 100).toFixed(one < 0.1 ? 1 : 0))
    );
    parts.push(`estimated ${likely} % (${low} to ${high})`);
  }
  if (clicks !== undefined) parts.push(counted(clicks, "click"));
  if (cost !== undefined) parts.push(`${moneyText(cost, decimals)} spent`);
  if (orders !== undefined) parts.push(orders === 0 ? "no orders" : counted(orders, "order"));
  const isKnown = days !== undefined && days.from === from && days.to === to;
  const range = isKnown || from === undefined || to === undefined || parts.length === 0
    ? ""
    : ` (${from} to ${to})`;
  return [
    ...(parts.length === 0 ? [] : [`${parts.join(", ")}${range}`]),
    ...(reason ? [visibleText(reason)] : []),
  ]
    .join("; ");
}

/** Common days of all evidence; `undefined` for none or several. */
export function sharedDays(evidence: Iterable<Evidence | undefined>): EvidenceDays | undefined {
  let shared: EvidenceDays | undefined;
  for (const one of evidence) {
    if (one?.from === undefined || one.to === undefined) continue;
    if (shared === undefined) shared = { from: one.from, to: one.to };
    else if (shared.from !== one.from || shared.to !== one.to) return undefined;
  }
  return shared;
}

function percent(share: number): string {
  return String(Number((share * 100).toFixed(1)));
}
