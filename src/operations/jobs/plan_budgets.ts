import { defineJob } from "./job_operation.ts";

export const planBudgets = defineJob({
  name: "plan budgets",
  title: "Plan budgets",
  summary: "Plan higher daily budgets for campaigns that run out of budget early",
  details:
    "A campaign runs out early if stored figures show 95 % of its budget spent on at least --min-days of the " +
    "last --days, or if the platform's budget usage shows it spent before evening. Covers Sponsored " +
    "Products and Brands.",
  brief: "Plans higher daily budgets for campaigns that run out early. Sends nothing.",
  examples: [
    { input: {}, about: "raise by 20 % if 3 of the last 14 days used the full budget" },
    { input: { change: "+50%", max: 100, max_acos: 0.25 }, about: "raise only campaigns that sell well" },
  ],
  library: 'await planBudgets(profile, { store, change: "+20%", max: 100, maxAcos: 0.3 })',
  input: {
    change: {
      type: "step",
      default: "+20%",
      help: "+20%, *1.5, +5 or an amount",
      brief: "+20%, *1.5, +5 or an amount",
    },
    max: { type: "amount", help: "maximum daily budget" },
    days: { type: "whole", min: 1, default: 14, help: "days before today to check" },
    min_days: {
      type: "whole",
      min: 1,
      default: 3,
      help: "minimum days with the budget spent",
      brief: "Minimum days spent early",
    },
    // More budget for what sells at a loss is more loss: above this a person has to say so.
    max_acos: {
      type: "share",
      or: "any",
      default: 0.5,
      help: "maximum ACOS",
      brief: "0.3 or 30%",
    },
    campaign_ids: { type: "ids", help: "only these campaigns" },
  },
  async check({ change }) {
    const { parseStep } = await import("../../account/jobs/amount_step.ts");
    parseStep(change);
  },
  async run({ profile, figures }, input) {
    const { planBudgets } = await import("../../account/jobs/plan_budgets.ts");
    return await planBudgets(profile, {
      ...figures,
      change: input.change,
      max: input.max,
      days: input.days,
      minDays: input.min_days,
      maxAcos: input.max_acos === "any" ? Infinity : input.max_acos,
      campaignIds: input.campaign_ids,
      note: input.note,
    });
  },
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
