/**
 * Alerts when a campaign that sold every week has clicks and no order in the newest complete week: often the product's
 * listing is suppressed, out of stock or dearer than others.
 *
 *     adsctl auto script docs/examples/scripts/product_anomaly.ts -m US
 */
import type { ScriptContext } from "@platform/ads/scripts";

const CLICKS = 15;

export default async function ({ profile, log, alert }: ScriptContext): Promise<void> {
  const before = await profile.figures({ by: ["campaign"], from: "-56", to: "-22" });
  const week = await profile.figures({ by: ["campaign"], from: "-21", to: "-15" });
  const sold = new Map(before.map((row) => [row["campaign_id"], row]));
  let looked = 0;
  for (const { campaign_id: id, campaign, clicks, orders, cost } of week) {
    const { orders: usual = 0, clicks: usualClicks = 0 } = sold.get(id) ?? {};
    if (clicks < CLICKS || usualClicks === 0) continue;
    looked++;
    // As many orders as the clicks of the week would usually bring; five are no coincidence.
    const expected = (usual / usualClicks) * clicks;
    if (orders > 0 || expected < 5) continue;
    alert({
      title: `"${campaign}" has ${clicks} clicks and no order, where ${expected.toFixed(0)} were usual`,
      text: `${
        cost.toFixed(2)
      } ${profile.currencyCode} of the week. Look at the listing, the stock and the price`,
      severity: "urgent",
    });
  }
  log(`${looked} of ${week.length} campaigns have enough clicks to tell`);
}
