import { counted } from "../../base/text/money_text.ts";
import type { GoalFigures } from "./goal_input.ts";
import type { GoalAccount } from "./read_goals.ts";

/** Weeks whose orders are compared with those before, and orders that both sides need. */
const [LATEST_WEEKS, LATEST_ORDERS, EARLIER_ORDERS] = [2, 10, 20];
/** Spread of the value of single orders as a coefficient of variation (an assumption), and the deviations that count. */
const [ORDER_CV, DEVIATIONS] = [0.5, 3];
/** Change of an order's value below which no price is suspected. */
const LEAST_CHANGE = 0.15;

/**
 * A warning about ad groups whose orders lately have another value than before: a price has probably changed, and orders a
 * click of the days before say little about the new one.
 */
export function priceWarnings(
  { goal, campaigns, entities }: Pick<GoalAccount, "goal" | "campaigns" | "entities">,
  { weekly }: Pick<GoalFigures, "weekly">,
): string[] {
  const groups = new Map<string, { campaign: string; sums: [Sums, Sums] }>();
  const names = new Map(campaigns.map(({ id, name }) => [id, name]));
  for (const { id, adGroupId, campaignId } of entities) {
    const own = groups.get(adGroupId) ??
      {
        campaign: names.get(campaignId) ?? campaignId,
        sums: [{ orders: 0, sales: 0 }, { orders: 0, sales: 0 }],
      };
    groups.set(adGroupId, own);
    for (const [week, { orders, sales }] of weekly.get(id) ?? []) {
      const side = own.sums[week < LATEST_WEEKS ? 1 : 0];
      side.orders += orders;
      side.sales += sales;
    }
  }
  const found = [...groups.values()].flatMap(({ campaign, sums: [before, after] }) => {
    if (
      before.orders < EARLIER_ORDERS || after.orders < LATEST_ORDERS || !(before.sales > 0 && after.sales > 0)
    ) {
      return [];
    }
    const [then, now] = [before.sales / before.orders, after.sales / after.orders];
    const doubt = DEVIATIONS * ORDER_CV * Math.sqrt(1 / before.orders + 1 / after.orders);
    return Math.abs(Math.log(now / then)) > Math.max(LEAST_CHANGE, doubt) ? [{ campaign, then, now }] : [];
  });
  const [first] = found;
  return first === undefined ? [] : [
    `${goal.name}: an order of ${
      counted(found.length, "ad group")
    } has another value than before, for example ${first.now.toFixed(2)} instead of ${
      first.then.toFixed(2)
    } in campaign "${first.campaign}": if a price changed, orders a click of ` +
    "earlier days may not hold",
  ];
}

interface Sums {
  orders: number;
  sales: number;
}
