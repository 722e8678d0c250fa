import { refusingBadInput } from "../../../shell/errors/cli_error.ts";
import { command } from "../../../shell/command.ts";
import { positiveInteger, separatedIds } from "../../../shell/arguments/parse_values.ts";
import { money, moneyFor, share, withJobOptions } from "./job_options.ts";

/** `adsctl plan budgets`. */
export const planBudgetsCommand = command(
  (kit) =>
    withJobOptions(
      kit.leaf("budgets", {
        summary: "Plan higher daily budgets for campaigns that run out of budget early",
        details:
          "A campaign of Sponsored Products or Brands runs out early when 95 % of its budget was spent on --min-days of the " +
          "last --days by the store, or is spent today before the evening by the platform's use of budgets.",
        examples: [
          ["adsctl plan budgets -m CA", "20 % more where 3 of the last 14 days were spent in full"],
          [
            "adsctl plan budgets -m CA --change +50% --max 100 --max-acos 25%",
            "more, but only for what sells well",
          ],
        ],
        library: 'await planBudgets(profile, { store, change: "+20%", max: 100, maxAcos: 0.3 })',
      })
        .option("--change <change>", "+20%, *1.5, +5 or an amount (default: +20%)")
        .option(
          "--max <amount>",
          "highest daily budget in the currency of the market, or USD=60,CAD=80",
          money,
        )
        .option("--days <n>", "days before today that are looked at (default: 14)", positiveInteger)
        .option(
          "--min-days <n>",
          "fewest of them on which the budget was spent (default: 3)",
          positiveInteger,
        )
        .option(
          "--max-acos <share>",
          "highest cost by sales: 30% or 0.3, or any (default: 50%)",
          (text) => text === "any" ? Infinity : share(text),
        )
        .option("--campaign-id <ids>", "only these campaigns", separatedIds),
    ),
  async (options, context) => {
    const { planBudgets } = await import("../../../../../account/jobs/plan_budgets.ts");
    const { change, max, days, minDays, maxAcos, campaignId: campaignIds, note } = options;
    if (change !== undefined) {
      const { parseStep } = await import("../../../../../account/jobs/amount_step.ts");
      await refusingBadInput(() => parseStep(change));
    }
    const { runJob } = await import("./run_job.ts");
    return await runJob(options, context, {
      change,
      amounts: { "--max": max },
      run: (client, figures) =>
        planBudgets(client, {
          ...figures,
          change,
          max: moneyFor(max, client),
          days,
          minDays,
          // More budget for what sells at a loss is more loss: above this somebody has to say so.
          maxAcos: maxAcos ?? 0.5,
          campaignIds,
          note,
        }),
      data: ({ pressure }) => ({
        pressure: pressure.map((one) => ({
          kind: one.kind,
          campaign_id: one.campaignId,
          name: one.name,
          budget: one.budget,
          full_days: one.fullDays,
          active_days: one.activeDays,
          cost: one.cost,
          acos: one.acos ?? null,
          usage_percent: one.usagePercent ?? null,
          usage_hour: one.usageHour ?? null,
        })),
      }),
    });
  },
);
