import { counted } from "../../base/text/money_text.ts";
import type { GoalFigures } from "./goal_figures.ts";
import type { GoalAccount } from "./read_goals.ts";

/** Number of latest weeks compared with the weeks before, and the orders required on each side. */
const [LATEST_WEEKS, LATEST_ORDERS, EARLIER_ORDERS] = [2, 10, 20];
/**
 * Assumed coefficient of variation of the value of single orders, and the number of standard deviations that count as
 * a change.
 */
const [ORDER_CV, DEVIATIONS] = [0.5, 3];
/** Change in order value below which no price change is suspected. */
const LEAST_CHANGE = 0.15;

/**
 * Warns about ad groups whose order value changed recently. The price has probably changed, so earlier orders per
 * click say little about the new price.
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
