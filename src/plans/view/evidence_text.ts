import { counted, moneyText } from "../../base/text/money_text.ts";
import { visibleText } from "../../base/text/visible_text.ts";
import type { Evidence } from "../model/change.ts";

export interface EvidenceDays {
  readonly from: string;
  readonly to: string;
}

/**
 * One line such as `ACOS 23.4 %, estimated 26 % (17 to 43), 41 clicks, 12.30 spent, 3 orders`; the estimate is
 * optional. Empty without evidence.
 *
 * @param options `decimals`: of the currency. `days`: days shown elsewhere, which are not repeated.
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
