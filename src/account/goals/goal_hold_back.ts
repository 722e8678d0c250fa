import { counted } from "../../base/text/money_text.ts";
import type { ExperimentGoal } from "../../plans/model/experiment.ts";
import type { JobPlanOptions } from "../jobs/job_result.ts";
import { type DecidedGoal, decidedRows } from "./decided_goal.ts";
import { countedShare } from "./expected_figures.ts";
import type { GoalsFile } from "./goals_file.ts";
import type { GoalAccount } from "./read_goals.ts";

interface HoldBackOptions extends Pick<JobPlanOptions, "holdBack"> {
  readonly file: Pick<GoalsFile, "holdBack">;
}

/** Names the earlier plans that still hold back bids of the goals. */
export function heldBackTexts(accounts: readonly GoalAccount[]): ReadonlySet<string> {
  return new Set(
    accounts.flatMap(({ entities }) =>
      entities.flatMap(({ locked }) => locked?.reason === "held_back" ? [locked.message] : [])
    ),
  );
}

/** Counts the units to draw from: bids that change, or campaigns with a changed bid or adjustment. */
function drawable(decided: readonly DecidedGoal[], unit: "keyword" | "campaign"): number {
  const found = new Set(decided.flatMap((one) => [
    ...decidedRows(one).flatMap(({ entity: { id, campaignId }, row }) =>
      row.kept === null ? [unit === "keyword" ? id : campaignId] : []
    ),
    ...(unit === "campaign" ? one.decision.adjustments.keys() : []),
  ]));
  return found.size;
}

/**
 * Returns the reason why placement adjustments stay unchanged; `undefined` if they may change. An adjustment affects
 * all bids of a campaign, including held-back ones. Campaigns differ too much for a comparison of a few dozen to show
 * harm, so whole campaigns are held back only on request.
 */
export function placementsStay(
  { file, holdBack: given }: HoldBackOptions,
  { held, decided }: { readonly held: ReadonlySet<string>; readonly decided: readonly DecidedGoal[] },
): string | undefined {
  const share = given?.share ?? file.holdBack;
  const isDrawn = share > 0 && (given !== undefined || held.size === 0);
  if (!isDrawn || decided.every(({ decision }) => decision.adjustments.size === 0)) return undefined;
  if (given?.unit === "campaign") return undefined;
  return "Placement adjustments stay: they would move held-back bids, too. hold_back: 0% lets them move, or whole " +
    "campaigns as the unit that is held back";
}

/**
 * Returns which part to hold back: randomly drawn bids, or whole campaigns if placement adjustments change. Budgets
 * are never held back, because they keep the monthly amount. No second part is drawn while an earlier plan still holds
 * back bids of these goals.
 */
export function holdBackOf(
  { file, holdBack: given }: HoldBackOptions,
  { held, decided, seed }: {
    readonly held: ReadonlySet<string>;
    readonly decided: readonly DecidedGoal[];
    readonly seed: string;
  },
): { readonly drawn: JobPlanOptions["holdBack"]; readonly warnings: readonly string[] } {
  const share = given?.share ?? file.holdBack;
  if (share === 0) return { drawn: undefined, warnings: [] };
  const [holder] = held;
  const unit = decided.some(({ decision }) => decision.adjustments.size > 0) ? "campaign" : "keyword";
  const count = drawable(decided, unit);
  const isDrawable = Math.round(share * count) >= 2 && count - Math.round(share * count) >= 2;
  if (given === undefined && holder !== undefined) {
    return { drawn: undefined, warnings: [`Nothing more is held back: ${holder}`] };
  }
  if (given === undefined && !isDrawable) {
    return {
      drawn: undefined,
      warnings: count === 0
        ? []
        : [`Nothing is held back for comparison: ${counted(count, "bid")} are too few to split`],
    };
  }
  return {
    drawn: {
      ...given,
      unit: given?.unit ?? unit,
      seed: given?.seed ?? seed,
      share,
      shared: ["sp.campaigns.budget"],
      goals: decided.map(worthOf),
    },
    warnings: [],
  };
}

/**
 * Returns the prices by which a goal's result is judged later: the worth of its sales or orders, at the goal's price
 * of money. The price of a campaign is the mean over its bids, weighted by the sales from their clicks.
 */
function worthOf(one: DecidedGoal): ExperimentGoal {
  const { goal, input: { aim }, decision } = one;
  const perGain = decision.scale * (aim.kind === "orders" ? aim.cost : 1);
  const worth: [string, number][] = [];
  const campaigns = new Map<string, { sum: number; weight: number }>();
  for (const { entity: { campaignId }, row, target } of decidedRows(one)) {
    const value = perGain * countedShare(target, aim);
    if (row.kept === null) worth.push([row.id, Number(value.toFixed(6))]);
    const weight = row.clicks * row.salesPerClick + 1e-9;
    const campaign = campaigns.get(campaignId) ?? { sum: 0, weight: 0 };
    campaigns.set(campaignId, { sum: campaign.sum + weight * value, weight: campaign.weight + weight });
  }
  for (const [id, { sum, weight }] of campaigns) worth.push([id, Number((sum / weight).toFixed(6))]);
  return {
    name: goal.name,
    figure: aim.kind === "orders" ? "orders" : "sales",
    worth: Object.fromEntries(worth),
  };
}
