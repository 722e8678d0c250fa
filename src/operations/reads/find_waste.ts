import type { FigureOptions } from "../../account/jobs/ensure_stored.ts";
import { amountText } from "../../base/markets/amount_text.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import { defineOperation } from "../model/operation.ts";

/** Search terms that cost money and sold nothing, highest cost first. */
export interface FoundWaste {
  /** `cost` in the currency of the profile. */
  readonly rows: readonly {
    readonly search_term: string;
    readonly clicks: number;
    readonly cost: number;
    readonly orders: number;
    readonly campaign: string;
    readonly ad_group: string;
    readonly campaign_id: string;
    readonly ad_group_id: string;
  }[];
  readonly note: string;
}

interface WasteContext {
  readonly profile: ProfileClient;
  readonly figures: FigureOptions;
}

/** Finds search terms that cost money and sold nothing. */
export const findWaste = defineOperation<WasteContext, FoundWaste>()({
  name: "report waste",
  effect: "read",
  tool: "find_waste",
  title: "Find wasted search terms",
  summary: "List search terms with many clicks and no sales",
  details:
    "Highest cost first. The clicks of the last 14 days aren't counted, because they may still lead to orders. " +
    "Updates the store first. adsctl plan negatives blocks such terms.",
  brief:
    "Search terms with many clicks and no sales, highest cost first. Clicks of the last 14 days don't count: " +
    "orders may follow. plan_negatives blocks them.",
  examples: [
    { input: {}, about: "list terms with 15 clicks and no order" },
    { input: { min_clicks: 30, max_orders: 1 }, about: "list terms with 30 clicks and at most one order" },
  ],
  library: "const { terms, cost } = await findWaste(profile, { store })",
  input: {
    min_clicks: { type: "whole", min: 1, default: 15, help: "minimum clicks" },
    max_orders: { type: "whole", min: 0, default: 0, help: "maximum orders" },
    days: { type: "whole", min: 1, max: 50, default: 30, help: "days whose clicks are counted" },
    campaign_ids: { type: "ids", help: "only these campaigns" },
  },
  async run({ profile, figures }, input): Promise<FoundWaste> {
    const { findWaste } = await import("../../account/jobs/find_waste.ts");
    const { terms, cost, currency, clicksOf } = await findWaste(profile, {
      ...figures,
      minClicks: input.min_clicks,
      maxOrders: input.max_orders,
      days: input.days,
      campaignIds: input.campaign_ids,
    });
    return {
      rows: terms.map((term) => ({
        search_term: term.searchTerm,
        clicks: term.clicks,
        cost: term.cost,
        orders: term.orders,
        campaign: term.campaignName,
        ad_group: term.adGroupName,
        campaign_id: term.campaignId,
        ad_group_id: term.adGroupId,
      })),
      note:
        `${
          amountText(cost, currency)
        } ${currency} in all, for clicks of ${clicksOf.firstDay} to ${clicksOf.lastDay}. ` +
        "Later clicks may still lead to orders",
    };
  },
});
