import type { WriteTotals } from "../state/day_totals.ts";
import { estimateMoney, type MoneySources } from "../review/estimate_money.ts";
import { type JudgedChange, mayRaiseSpend } from "./judged_change.ts";

export function planTotals(
  judged: readonly JudgedChange[],
  sources: Omit<MoneySources, "currency">,
): WriteTotals {
  // A change in several marketplaces is judged in each, and is one change.
  const changes = [...new Map(judged.map((change) => [change.index, change])).values()];
  const count = (op: string): number => changes.filter((change) => change.op === op).length;
  return {
    changes: changes.length,
    creates: count("create"),
    updates: count("update"),
    archives: count("archive"),
    spendIncrease: spendIncrease(judged, sources),
  };
}

/** Maximum daily increase; `undefined` if unknown. Unknown savings count as 0. */
function spendIncrease(
  judged: readonly JudgedChange[],
  sources: Omit<MoneySources, "currency">,
): number | undefined {
  // What a call spends is unknown; it passes only where the policy names its operation.
  const weighed = judged.filter(({ op }) => op !== "call");
  const high = (of: readonly JudgedChange[]): number | undefined => {
    // Only the sums are used, which are in the account's currency.
    const { unknown, perDay } = estimateMoney(of.map(({ step }) => step), { ...sources, currency: "" });
    return unknown > 0 ? undefined : perDay.high;
  };
  return high(weighed) ?? high(weighed.filter(mayRaiseSpend));
}
