import { equal, ok } from "../../support/assert.ts";
import { withIntervals } from "../../../src/account/jobs/rate_intervals.ts";

/** Keywords of two campaigns, of which one sells to one click in five and the other to one in fifty. */
function account() {
  const entities: { id: string; fields: { campaignId: string; adGroupId: string } }[] = [];
  const figures = new Map<string, Record<string, number>>();
  const add = (id: string, campaignId: string, clicks: number, orders: number): void => {
    entities.push({ id, fields: { campaignId, adGroupId: `g${campaignId}` } });
    figures.set(id, {
      ...{ impressions30d: clicks * 50, clicks30d: clicks, orders30d: orders },
      ...{ cost30d: clicks * 0.5, sales30d: orders * 20 },
    });
  };
  for (let at = 0; at < 20; at++) {
    add(`good${at}`, "1", 200, 40);
    add(`bad${at}`, "2", 200, 4);
  }
  add("few in good", "1", 3, 0);
  add("few in bad", "2", 3, 0);
  return { entities, figures };
}

Deno.test("few clicks are drawn towards their own campaign, and only windows that are read get estimates", () => {
  const { entities, figures } = account();
  const found = withIntervals(entities, figures, { intervals: [30], days: 30 });
  const [good, bad] = ["few in good", "few in bad"].map((id) => found.get(id)!);
  // A click costs 0.5 and an order brings 20: one order in 5 clicks is an ACOS of 12.5 %, one in 50 of 125 %.
  ok(good!["acos30d_est"]! < 0.25, JSON.stringify(good));
  ok(bad!["acos30d_est"]! > 0.75, JSON.stringify(bad));
  ok(good!["cvr30d_est"]! > 4 * bad!["cvr30d_est"]!);
  ok(good!["ctr30d_low"]! <= 0.02 && good!["ctr30d_high"]! >= 0.02);
  equal(good!["acos7d_est"], undefined);
  equal(good!["clicks30d"], 3, "figures stay as they are");
  equal(withIntervals(entities, figures, { intervals: [], days: 30 }), figures);
});
