import { command } from "../../../shell/command.ts";
import { positiveInteger, separatedIds, wholeNumber } from "../../../shell/arguments/parse_values.ts";
import { fromFilesOption, withJobOptions } from "./job_options.ts";

/** `adsctl plan negatives`. */
export const planNegativesCommand = command(
  (kit) =>
    withJobOptions(
      kit.leaf("negatives", {
        summary: "Plan to keep away search terms that cost money and sold nothing",
        details:
          "Each term becomes an exact negative keyword of the ad group that paid for it; a term that is a product becomes a " +
          "negative target. Clicks of the last 14 days are not counted (--lag), because orders may still come of them; their " +
          "orders count. Terms that a negative keeps away already, or that are keywords of the ad group, are left out.",
        examples: [
          ["adsctl plan negatives -m CA --min-clicks 15 --max-orders 0", "what was clicked and never bought"],
          [
            "adsctl plan negatives -m CA --days 45 --min-clicks 20 --json",
            "every term with its cost, as data",
          ],
        ],
        library: "await planNegatives(profile, { store, minClicks: 15, maxOrders: 0 })",
      })
        .option("--min-clicks <n>", "fewest clicks (default: 15)", positiveInteger)
        .option("--max-orders <n>", "most orders (default: 0)", wholeNumber)
        .option("--days <n>", "days whose clicks are counted (default: 30)", positiveInteger)
        .option("--lag <n>", "days before today whose clicks are not counted (default: 14)", wholeNumber)
        .option("--campaign-id <ids>", "only in these campaigns", separatedIds)
        .addOption(fromFilesOption()),
    ),
  async (options, context) => {
    const { planNegatives } = await import("../../../../../account/jobs/plan_negatives.ts");
    const { runJob } = await import("./run_job.ts");
    const { minClicks, maxOrders, days, lag, campaignId: campaignIds, note } = options;
    return await runJob(options, context, {
      fileReports: ["sp_search_terms"],
      run: (client, figures) =>
        planNegatives(client, { ...figures, minClicks, maxOrders, days, lag, campaignIds, note }),
      lines: ({ waste: { terms, cost, currency, clicksOf } }) =>
        terms.length === 0 ? [] : [
          `These ${terms.length} terms cost ${
            cost.toFixed(2)
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
  },
);
