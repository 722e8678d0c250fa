import type { DecisionRow } from "../../account/goals/decision.ts";
import type { DecidedGoals } from "../../account/goals/plan_goals.ts";
import type { GoalsFile } from "../../account/goals/goals_file.ts";
import type { DocumentText } from "../model/field.ts";
import { PLACEMENTS } from "../../account/goals/placement_changes.ts";
import { defineJob } from "./job_operation.ts";

export const planGoals = defineJob({
  name: "plan goals",
  title: "Plan goals",
  summary: "Plan bids and budgets for goals, with the calculation of each",
  details:
    "Plans bids, placement adjustments and daily budgets. A goal selects Sponsored Products campaigns, and has an aim (profit by margins, sales at a target ACOS or ROAS, orders at a " +
    "cost per order) and limits (an amount per month, bids, steps, cooling, budgets). The value of a click comes from the " +
    "keyword's own orders; with few clicks, ad group, campaign and account count more. The effect of a bid is learned from the " +
    "account's own changes. All bids pay the same share of a click's value: for a target ACOS or cost per order the one that meets it after some plans. With limits.month, budgets and any carry-over " +
    "stay within the amount left, less the reserve. A random fifth of the bids stays unchanged for comparison " +
    "(hold_back). If that fifth does better, no bid changes unless you add --despite-harm. Placement adjustments change only " +
    "with hold_back 0%, or with campaigns held back. Bids that a schedule moves stay, and count with their mean. Unchanged bids are counted by reason; --explain shows the calculation of a keyword down to its stored days.",
  brief: "Plans bids and daily budgets for goals: the text of goals.yaml. Sends nothing.",
  examples: [
    {
      input: { goals: "version: 1\ngoals: { all: { aim: sales, acos: 25%, limits: { month: 3000 } } }\n" },
      about: "at most 25 % ACOS and 3,000 a month",
    },
  ],
  library: 'await planGoals(profile, { store, file: await loadGoals("goals.yaml") })',
  input: {
    goals: {
      type: "document",
      required: true,
      value: "file",
      help: "goals.yaml",
      brief: "YAML: version, goals by name with select, aim, limits",
    },
    explain: { type: "ids", help: "show the calculation for these keywords and targets" },
    despite_harm: {
      type: "switch",
      help: "plan goals whose held-back bids do better than the changed ones; otherwise all their bids stay",
      brief: "Plan goals whose held-back bids do better",
    },
  },
  async check({ goals }) {
    await goalsOf(goals);
  },
  async run({ profile, figures }, { goals, explain = [], despite_harm: despiteHarm, note }) {
    const [{ planDecidedGoals }, { explainGoal }] = await Promise.all([
      import("../../account/goals/plan_goals.ts"),
      import("../../account/goals/explain_goal.ts"),
    ]);
    const result = await planDecidedGoals(profile, {
      ...figures,
      file: await goalsOf(goals),
      note,
      explained: explain,
      despiteHarm,
    });
    return { ...result, explained: explain.flatMap((id) => explainGoal(result, id)) };
  },
  lines: ({ notes, explained }) => [...notes, ...explained],
  data: ({ goals, explained }) => ({ goals: goals.map(goalData), explained }),
});

export async function goalsOf(document: DocumentText): Promise<GoalsFile> {
  const { parseGoals, readGoalsText } = await import("../../account/goals/goals_file.ts");
  return typeof document === "string"
    ? parseGoals(document, "goals.yaml")
    : await readGoalsText(document.text, document.source);
}

function goalData(
  { goal, input: { money, limits, campaigns }, decision }: DecidedGoals["goals"][number],
): Record<string, unknown> {
  const { rows, expected, before, effect, stopped, budgets } = decision;
  const short = (value: number, decimals = limits.decimals): number | null =>
    Number.isFinite(value) ? Number(value.toFixed(decimals)) : null;
  const range = ({ value, low, high }: typeof effect) => ({
    value: short(value),
    low: short(low),
    high: short(high),
  });
  return {
    name: goal.name,
    aim: goal.aim,
    stopped,
    orders_missing: decision.ordersMissing,
    before: { cost: short(before.cost), sales: short(before.sales), orders: short(before.orders) },
    expected: {
      cost: short(expected.cost),
      sales: short(expected.sales),
      orders: short(expected.orders),
      acos: short(expected.acos, 4),
    },
    effect: range(effect),
    share_of_worth: short(decision.scale, 4),
    price_of_money: short(decision.priceOfMoney, 4),
    month: money === undefined ? null : {
      left: short(money.left),
      days_left: money.daysLeft,
      reserve: short(money.reserve),
      most: short(decision.most ?? NaN),
    },
    response: {
      marginal: short(decision.marginal, 3),
      deviation: short(decision.marginalDeviation, 3),
      changes: decision.changesLearned,
    },
    bids: {
      changed: rows.filter(({ kept }) => kept === null).length,
      kept: countsBy(rows.flatMap(({ kept, locked }) => locked ?? kept ?? [])),
    },
    budgets: campaigns.map(({ id, budget }) => ({
      campaign_id: id,
      budget,
      next: budgets.get(id) ?? budget,
    })),
    placements: campaigns.flatMap(({ id, placements = [] }) => {
      const [next, values] = [decision.adjustments.get(id), decision.placementValues.get(id)];
      return next === undefined ? [] : [{
        campaign_id: id,
        adjustments: placements.map(({ adjustment, clicks, orders }, k) => ({
          placement: PLACEMENTS[k]?.campaign,
          adjustment,
          next: next[k] ?? adjustment,
          clicks,
          orders,
          value: short(values?.[k] ?? NaN, 3),
        })),
      }];
    }),
    // Tools give the first rows alone.
    rows: rows.toSorted((a, b) => weightOf(b) - weightOf(a)).map((row) => ({
      id: row.id,
      bid: row.bid,
      next: row.next,
      best: short(row.free, 4),
      bound: row.bound,
      kept: row.locked ?? row.kept,
      trial: row.isTrial,
      worth: range(row.worth),
      incremental: row.incremental,
      orders_per_click: short(row.rate, 5),
      orders_per_click_of_ad_group: short(row.parentRate, 5),
      own_weight: short(row.ownWeight, 3),
      recovery: short(row.recovery, 3),
      sales_per_click: short(row.salesPerClick, 4),
      clicks_per_day: short(row.clicks, 3),
      cost_per_click: short(row.price, 4),
      elasticity: short(row.elasticity, 3),
      change: {
        clicks: short(row.change.clicks, 3),
        cost: short(row.change.cost),
        sales: short(row.change.sales),
      },
      clicks_missing: row.clicksMissing,
    })),
  };
}

/** Amount of money per day that a row moves, for sorting; a bid that stays sorts last. */
function weightOf({ kept, change }: DecisionRow): number {
  return kept === null ? Math.abs(change.cost) + Math.abs(change.sales) : -1;
}

function countsBy(words: readonly string[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(words, (word) => word)].map(([word, own]) => [word, own.length]));
}
