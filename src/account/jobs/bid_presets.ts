/** A condition and a bid change that are available under a short name. */
export interface BidPreset {
  /** Condition for the bids to change, in the policy language. */
  readonly where: string;
  /** Change of the bids, such as `-15%`. */
  readonly change: string;
  /** Explanation of the condition, for people. */
  readonly about: string;
}

/**
 * Common weekly conditions for {@linkcode planBids}. All use estimates of ACOS, which shrink towards the ad group and
 * campaign when clicks are few. Three lucky clicks change no bid, and neither do fifteen clicks without an order if
 * the rest of the ad group sells well.
 *
 * @example
 * ```ts
 * import { BID_PRESETS, planBids } from "@platform/ads/account";
 * import type { ProfileClient } from "@platform/ads";
 * import { Warehouse } from "@platform/ads/store";
 *
 * async function lower(ca: ProfileClient): Promise<void> {
 *   await using store = await Warehouse.open("ads.sqlite");
 *   const { where, change } = BID_PRESETS["no-sales"];
 *   const { plan } = await planBids(ca, { store, where, change });
 *   console.log(plan.toMarkdown());
 * }
 * ```
 */
export const BID_PRESETS: Readonly<Record<"winners" | "wasters" | "no-sales", BidPreset>> = {
  winners: {
    where: "orders30d >= 2 and acos30d.est < 20%",
    change: "+10%",
    about: "two orders or more and an estimated ACOS below 20 %",
  },
  wasters: {
    where: "sales30d > 0 and clicks30d >= 10 and acos30d.low > 40%",
    change: "-15%",
    about: "sales, ten clicks or more, and even the low end of ACOS above 40 %",
  },
  "no-sales": {
    where: "orders30d == 0 and clicks30d >= 15 and acos30d.est > 30%",
    change: "-25%",
    about: "fifteen clicks or more, no order, and an estimated ACOS above 30 %",
  },
};
