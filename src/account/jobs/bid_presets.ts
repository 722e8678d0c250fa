/** A condition and a change by a short name. */
export interface BidPreset {
  /** Condition in the language of policies. */
  readonly where: string;
  /** Change of the bids, such as `-15%`. */
  readonly change: string;
  /** Meaning of the condition, for people. */
  readonly about: string;
}

/**
 * Conditions that most accounts use every week, for {@linkcode planBids}.
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
    where: "orders30d >= 2 and sales30d > 0 and acos30d < 20%",
    change: "+10%",
    about: "two orders or more at an ACOS below 20 %",
  },
  wasters: {
    where: "sales30d > 0 and acos30d > 40% and clicks30d >= 10",
    change: "-15%",
    about: "an ACOS above 40 % on ten clicks or more",
  },
  "no-sales": {
    where: "orders30d == 0 and clicks30d >= 15",
    change: "-25%",
    about: "fifteen clicks or more and no order",
  },
};
