import { counted, moneyText } from "../../base/text/money_text.ts";
import {
  addDays,
  countDays,
  type DayRange,
  eachDay,
  endOfMonth,
  startOfDay,
} from "../../base/time/calendar.ts";
import { decimalsOf } from "../../base/markets/markets.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import type { PlanStore } from "../../plans/store/plan_store.ts";
import type { Warehouse } from "../../store/warehouse/warehouse.ts";
import { DRAFT_DAYS } from "./goal_draft.ts";
import { campaignDays, campaignSums } from "./goal_figures.ts";
import { type GoalOutcome, goalOutcomes, outcomeLine } from "./goal_outcome.ts";
import type { Goal, GoalsFile } from "./goals_file.ts";
import { monthBefore } from "./month_spend.ts";
import { type GoalAccount, readGoals } from "./read_goals.ts";

/** The newest plan of a goal. Names are those of `--json`. */
export interface GoalPlanState {
  readonly plan_id: string;
  readonly created_at: string;
  /** `open`, `refused`, `unfinished`, `queued` or `applied`. */
  readonly state: string;
  /** Changes of this goal. */
  readonly changes: number;
  /** Trials among them. */
  readonly trials: number;
}

/** A goal as the toolkit interprets it, with the account's own figures. */
export interface GoalStanding {
  readonly name: string;
  readonly aim: Goal["aim"];
  /** Maximum ACOS, maximum cost per order, or margin for all products; `null` where the aim has none. */
  readonly target: number | null;
  readonly campaigns: number;
  /** Number of running keywords and targets. */
  readonly bids: number;
  /** Selected keywords and targets that do not run or have no bid. */
  readonly not_running: number;
  /** Figures of the goal's campaigns over the stored days among the last 30. */
  readonly last30d: {
    readonly days: number;
    readonly cost: number;
    readonly sales: number;
    readonly orders: number;
    readonly acos: number | null;
  };
  /** Monthly amount; `null` if the goal has none. */
  readonly month: {
    readonly amount: number;
    /** Stored spend before today. */
    readonly spent: number;
    readonly days_left: number;
  } | null;
  /** Number of bids by who decides them: `goal`, or the reason why the goal leaves them alone. */
  readonly bids_by: Readonly<Record<string, number>>;
  /** Number of daily budgets that the goal decides, and of those that it leaves alone. */
  readonly budgets_by: { readonly goal: number; readonly others: number };
  /** Share of spend for trials. */
  readonly explore: number;
  /** Fraction of the changed bids that is held back. */
  readonly hold_back: number;
  /** Newest plan of the last 90 days; `null` if there is none. */
  readonly last_plan: GoalPlanState | null;
  readonly proof: GoalOutcome;
  readonly warnings: readonly string[];
}

/** Number of days to look back for plans. */
const PLAN_DAYS = 90;

/**
 * Reads the campaigns that goals select, who decides their bids and budgets, and the progress of the goals. Sends
 * nothing.
 */
export async function showGoals(
  profile: ProfileClient,
  file: GoalsFile,
  { store, plans, scheduled, paced, now, signal }: {
    readonly store: Pick<Warehouse, "query" | "coverage">;
    /** Folders of plans. */
    readonly plans: readonly PlanStore[];
    readonly scheduled: ReadonlySet<string>;
    readonly paced: ReadonlyMap<string, string>;
    readonly now: number;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<GoalStanding[]> {
  const { profileId, timeZone } = profile;
  const { today } = profile.reports;
  const accounts = await readGoals(profile, file, { scheduled, paced, signal });
  const last = { start: addDays(today, -DRAFT_DAYS), end: addDays(today, -1) };
  const sums = await campaignSums(store, { profileId, range: last });
  const days = await campaignDays(store, { profileId, range: monthBefore(today) ?? last });
  const stored = await storedDays(store, { profileId, range: last });
  const found = await lastPlans(plans, { names: file.goals.map(({ name }) => name), profileId, now });
  const proofs = await goalOutcomes(store, {
    names: file.goals.map(({ name }) => name),
    share: file.holdBack,
    profileId,
    plans,
    now: startOfDay(today, timeZone),
  });
  return accounts.map((account, at): GoalStanding => {
    const { goal, campaigns, entities, leftOut, warnings, selected } = account;
    const own = [...selected].flatMap((id) => sums.get(id) ?? []);
    const sum = (figure: "cost" | "sales" | "orders"): number =>
      Number(own.reduce((all, one) => all + one[figure], 0).toFixed(2));
    const spent = [...selected].flatMap((id) => days.get(id) ?? []).reduce((all, { cost }) => all + cost, 0);
    const { month } = goal.limits;
    return {
      name: goal.name,
      aim: goal.aim,
      target: goal.acos ?? goal.costPerOrder ?? goal.margin ?? null,
      campaigns: campaigns.length,
      bids: entities.length,
      not_running: leftOut.length,
      last30d: {
        days: stored,
        cost: sum("cost"),
        sales: sum("sales"),
        orders: sum("orders"),
        acos: sum("sales") > 0 ? Number((sum("cost") / sum("sales")).toFixed(4)) : null,
      },
      month: month === undefined ? null : {
        amount: month,
        spent: monthBefore(today) === undefined ? 0 : Number(spent.toFixed(2)),
        days_left: countDays({ start: today, end: endOfMonth(today) }),
      },
      bids_by: bidsBy(account),
      budgets_by: {
        goal: campaigns.filter(({ isFixed }) => !isFixed).length,
        others: campaigns.filter(({ isFixed }) => isFixed).length,
      },
      explore: goal.explore,
      hold_back: file.holdBack,
      last_plan: found.get(goal.name) ?? null,
      proof: proofs[at]!,
      warnings,
    };
  });
}

/** Counts the days of a range with stored campaign figures. */
async function storedDays(
  store: Pick<Warehouse, "coverage">,
  { profileId, range }: { readonly profileId: string; readonly range: DayRange },
): Promise<number> {
  const known = (await store.coverage()).find((one) =>
    one.profileId === profileId && one.report === "sp_campaigns"
  );
  if (known === undefined) return 0;
  const isIn = (day: string, { start, end }: DayRange): boolean => start <= day && day <= end;
  return [...eachDay(range)].filter((day) =>
    isIn(day, { start: known.firstDay, end: known.lastDay }) && !known.gaps.some((gap) => isIn(day, gap))
  ).length;
}

/** Counts bids by who decides them. */
function bidsBy({ entities }: GoalAccount): Record<string, number> {
  const found = Map.groupBy(entities, ({ locked }) => locked?.reason ?? "goal");
  return Object.fromEntries([...found].map(([by, own]) => [by, own.length]));
}

/** Finds the newest plan of each goal. */
async function lastPlans(
  plans: readonly PlanStore[],
  { names, profileId, now }: {
    readonly names: readonly string[];
    readonly profileId: string;
    readonly now: number;
  },
): Promise<ReadonlyMap<string, GoalPlanState>> {
  const last = new Map<string, GoalPlanState>();
  for (const folder of plans) {
    for (const found of await folder.list()) {
      if (!("plan" in found) || found.plan.profileId !== profileId) continue;
      const { id, createdAt, changes, reverses } = found.plan;
      // An undo plan keeps the goals of the changes that it takes back.
      if (reverses !== null || now - Date.parse(createdAt) > PLAN_DAYS * 86_400_000) continue;
      for (const name of names) {
        const own = changes.filter(({ evidence }) => evidence?.goal === name);
        if (own.length === 0 || createdAt <= (last.get(name)?.created_at ?? "")) continue;
        last.set(name, {
          plan_id: id,
          created_at: createdAt,
          state: found.status.state,
          changes: own.length,
          trials: own.filter(({ evidence }) => evidence?.isTrial === true).length,
        });
      }
    }
  }
  return last;
}

/** Describes, for people, who decides a bid. */
const DECIDERS: Readonly<Record<string, string>> = {
  goal: "this goal",
  never: "nobody (limits.never)",
  scheduled: "a schedule",
  platform_rule: "a rule of the platform",
  held_back: "nobody (held back for comparison)",
};

/** Formats the state of a goal for people. */
export function standingLines(
  { profile, countryCode }: Pick<ProfileClient, "profile" | "countryCode">,
  standing: GoalStanding,
): string[] {
  const { name, aim, target, last30d, month, last_plan: plan, explore, hold_back: held } = standing;
  const decimals = decimalsOf(countryCode);
  const money = (amount: number): string => moneyText(Number(amount.toFixed(decimals)), decimals);
  const share = (part: number): string => `${Number((100 * part).toFixed(1))} %`;
  const wanted = target === null
    ? ""
    : aim === "sales"
    ? `, at most ${share(target)} ACOS`
    : aim === "orders"
    ? `, at most ${money(target)} an order`
    : `, margin ${share(target)}`;
  const by = Object.entries(standing.bids_by).map(([who, count]) => `${count} by ${DECIDERS[who] ?? who}`);
  return [
    `${name}: ${aim}${wanted}; ${counted(standing.campaigns, "campaign")}, ${
      counted(standing.bids, "running bid")
    }, ${standing.not_running} not running`,
    `  figures   ${money(last30d.cost)} ${profile.currencyCode ?? ""} for ${
      money(last30d.sales)
    } of sales in ${counted(last30d.days, "stored day")} of the last ${DRAFT_DAYS}${
      last30d.acos === null ? "" : `, ACOS ${share(last30d.acos)}`
    }, ${counted(last30d.orders, "order")}`,
    ...(month === null ? [] : [
      `  month     ${money(month.spent)} of ${money(month.amount)} spent before today, ${
        counted(month.days_left, "day")
      } left`,
    ]),
    `  decided   bids: ${
      by.length === 0 ? "none" : by.join(", ")
    }; daily budgets: ${standing.budgets_by.goal} by this goal, ${standing.budgets_by.others} by others`,
    `  plan      ${
      plan === null
        ? `none in the last ${PLAN_DAYS} days`
        : `${plan.plan_id} of ${plan.created_at.slice(0, 10)}, ${plan.state}: ${
          counted(plan.changes, "change")
        }`
    }`,
    `  trials    ${share(explore)} of spend at most${
      plan === null ? "" : `; ${counted(plan.trials, "bid")} of the last plan`
    }`,
    `  proof     ${share(held)} of changed bids held back; ${
      outcomeLine(standing.proof).slice(name.length + 2)
    }`,
    ...standing.warnings.map((text) =>
      `  note      ${text.slice(text.startsWith(`${name}: `) ? name.length + 2 : 0)}`
    ),
  ];
}
