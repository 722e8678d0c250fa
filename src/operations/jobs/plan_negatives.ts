import { amountText } from "../../base/markets/amount_text.ts";
import { defineJob } from "./job_operation.ts";
import { TERMS_FIELD, termsOf } from "./terms_field.ts";

export const planNegatives = defineJob({
  name: "plan negatives",
  title: "Plan negatives",
  summary: "Plan negatives for search terms with cost but no sales",
  details:
    "Each term becomes an exact negative keyword in the ad group that paid for it; a product becomes a " +
    "negative target. Ignores clicks of the last 14 days (--lag), whose orders may still arrive, but counts " +
    "their orders. Skips terms that a negative already blocks, and keywords of the ad group.",
  brief:
    "Plans negatives for the terms of find_waste: a keyword, or a product for an ASIN, in the ad group that " +
    "paid. Skips that ad group's own enabled keywords. Sends nothing.",
  examples: [
    { input: { min_clicks: 15, max_orders: 0 }, about: "block terms with clicks but no orders" },
    { input: { days: 45, min_clicks: 20 }, about: "use a longer period and more clicks" },
  ],
  library: "await planNegatives(profile, { store, minClicks: 15, maxOrders: 0 })",
  input: {
    min_clicks: { type: "whole", min: 1, default: 15, help: "minimum clicks" },
    max_orders: { type: "whole", min: 0, default: 0, help: "maximum orders" },
    days: { type: "whole", min: 1, default: 30, help: "days of clicks to count" },
    lag: {
      type: "whole",
      min: 0,
      default: 14,
      help: "newest days whose clicks to ignore",
      isRare: true,
    },
    campaign_ids: { type: "ids", help: "only in these campaigns" },
    ...TERMS_FIELD,
  },
  fileReports: ["sp_search_terms"],
  async run({ profile, figures }, input) {
    const { planNegatives } = await import("../../account/jobs/plan_negatives.ts");
    return await planNegatives(profile, {
      ...figures,
      minClicks: input.min_clicks,
      maxOrders: input.max_orders,
      days: input.days,
      lag: input.lag,
      campaignIds: input.campaign_ids,
      terms: termsOf(input.terms),
      note: input.note,
    });
  },
  lines: ({ waste: { terms, cost, currency, clicksOf } }) =>
    terms.length === 0 ? [] : [
      `These ${terms.length} terms cost ${
        amountText(cost, currency)
      } ${currency} from ${clicksOf.firstDay} to ${clicksOf.lastDay}`,
    ],
  data: ({ waste: { terms, cost, currency, clicksOf } }) => ({
    waste: {
      cost,
      currency,
      first_day: clicksOf.firstDay,
      last_day: clicksOf.lastDay,
      terms: terms.map((term) => ({
        search_term: term.searchTerm,
        campaign_id: term.campaignId,
        campaign_name: term.campaignName,
        ad_group_id: term.adGroupId,
        ad_group_name: term.adGroupName,
        clicks: term.clicks,
        cost: term.cost,
        orders: term.orders,
      })),
    },
  }),
});
