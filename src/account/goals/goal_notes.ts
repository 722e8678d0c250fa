import { ordersFor } from "../../base/statistics/confidence_sequence.ts";
import { counted, moneyText, percentText } from "../../base/text/money_text.ts";
import { addDays, eachDay, endOfMonth, joinDays } from "../../base/time/calendar.ts";
import { spellReport } from "../../client/reports/requests/presets.ts";
import type { ChangePlan } from "../../plans/change_plan/change_plan.ts";
import type { MissingDays } from "../jobs/ensure_stored.ts";
import type { LeftOut } from "../jobs/job_result.ts";
import { type DecidedGoal, decidedRows } from "./decided_goal.ts";
import { type GoalFigures, targetTotal } from "./goal_figures.ts";
import { type GoalOutcome, outcomeLine, SHOWN_EFFECT } from "./goal_outcome.ts";
import { keptText } from "./goal_reasons.ts";
import { mostSpend } from "./month_money.ts";
import type { GoalAccount } from "./read_goals.ts";

interface PlannedBy {
  readonly plan: ChangePlan;
  readonly figures: GoalFigures;
}

/** Returns the remarks about a goal in a plan. */
export function goalNotes(
  one: DecidedGoal,
  { leftOut, outcomes, ...planned }: PlannedBy & {
    readonly leftOut: readonly LeftOut[];
    readonly outcomes: readonly GoalOutcome[];
  },
): string[] {
  const { plan } = planned;
  const harm = outcomes.filter(({ name, verdict }) => name === one.goal.name && verdict === "less");
  return [
    ...expectedNotes(one),
    ...amountNotes(one, planned),
    ...(plan.changes.length === 0 ? emptyNotes(one, leftOut) : []),
    ...harm.map(outcomeLine),
    ...powerNotes(one, planned),
  ];
}

function expectedNotes(one: DecidedGoal): string[] {
  const { goal, input, decision } = one;
  const { decimals } = input.limits;
  const money = (amount: number): string => moneyText(Number(amount.toFixed(decimals)), decimals);
  const { before, expected, effect, stopped, scale, priceOfMoney, most } = decision;
  const named = (text: string): string => `${goal.name}: ${text}`;
  const [row] = decision.rows;
  if (stopped !== null && row !== undefined) {
    return [
      named(
        `${keptText({ ...row, locked: null, kept: stopped }, one).message}, so every bid stays`,
      ),
    ];
  }
  const percent = (share: number): string => Number.isFinite(share) ? percentText(share) : "unknown";
  const acos = (one: { cost: number; sales: number }): string => percent(one.cost / one.sales);
  const lines = [
    named(
      `${money(before.cost)} a day for ${money(before.sales)} of sales (ACOS ${acos(before)}) now, and ` +
        `${money(expected.cost)} for ${money(expected.sales)} (ACOS ${acos(expected)}) after the plan`,
    ),
  ];
  if (decision.adjustments.size > 0) {
    lines.push(
      named(
        `placement adjustments of ${
          counted(decision.adjustments.size, "campaign")
        } follow what their clicks bring`,
      ),
    );
  }
  if (decision.placementsWaiting > 0) {
    lines.push(
      named(
        `placement adjustments of ${
          counted(decision.placementsWaiting, "campaign")
        } wait: bids with half or more ` +
          "of the clicks changed recently (limits.cooling) or lost their clicks",
      ),
    );
  }
  if (goal.aim === "profit") {
    lines.push(
      named(
        `profit changes by ${money(effect.value)} a day, ${money(effect.low)} to ${
          money(effect.high)
        } with 95 % confidence`,
      ),
    );
    lines.push(
      named(
        scale < 0.995
          ? `100 more a day would bring ${money(100 * priceOfMoney)} of profit at first`
          : "a larger amount would not raise profit, because it limits no bid",
      ),
    );
  }
  const limited = decision.rows.filter((one) => one.bound === "cut" || one.bound === "minimum").length;
  const missed = limited === 0
    ? "not reached by this plan, because bids that must stay cost too much"
    : `not reached by this plan, in which ${counted(limited, "bid")} already fall as far as limits allow`;
  const { acos: target = Infinity, costPerOrder = Infinity } = goal;
  if (goal.aim === "sales" && expected.acos > 1.01 * target) {
    lines.push(named(`${percent(target)} is ${missed}`));
  }
  if (goal.aim === "orders") {
    const cost = expected.cost / expected.orders;
    lines.push(
      named(
        `an order costs ${money(cost)}, at most ${money(costPerOrder)}${
          cost > 1.01 * costPerOrder ? `: ${missed}` : ""
        }`,
      ),
    );
  }
  if (input.money !== undefined && most !== undefined) {
    lines.push(
      named(
        `it can spend at most ${money(most)} until the end of the month; ${
          money(input.money.left)
        } are left, ` +
          `${money(input.money.reserve)} of them in reserve`,
      ),
    );
  }
  return lines;
}

/**
 * Warns if the month can exceed its amount because changes were left out, for example denied by a policy, and says
 * when the next amount begins if this one is used up.
 */
function amountNotes(
  { goal, account, input, decision }: DecidedGoal,
  { plan, figures: { today } }: PlannedBy,
): string[] {
  const { money } = input;
  if (money === undefined) return [];
  const planned = new Set(
    plan.changes.flatMap(({ kind, id }) => kind === "sp.campaigns" && id !== null ? [id] : []),
  );
  const most = mostSpend(
    input.campaigns,
    money,
    ({ id, budget }) => planned.has(id) ? decision.budgets.get(id) ?? budget : budget,
  );
  const next = decision.stopped === "amount_too_small" && account.campaigns.some(({ isFixed }) => !isFixed)
    ? [
      `${goal.name}: budgets stay that low until another plan raises them; the next amount begins on ${
        addDays(endOfMonth(today), 1)
      }`,
    ]
    : [];
  const over = most - (money.left - money.reserve);
  if (over <= 0.005) return next;
  const fixed = account.campaigns.filter(({ isFixed }) => isFixed).length;
  return [
    ...next,
    `${goal.name}: the month may exceed its amount by up to ${
      over.toFixed(input.limits.decimals)
    }: budgets stay above what is left` +
    (fixed === 0 ? "" : `; ${counted(fixed, "budget")} must not change`),
  ];
}

function emptyNotes({ goal, account, decision }: DecidedGoal, leftOut: readonly LeftOut[]): string[] {
  if (decision.stopped !== null) return [];
  if (account.entities.length === 0) {
    return [`${goal.name}: nothing changes: no keyword or target of its campaigns runs`];
  }
  const own = new Set(account.entities.map(({ id }) => id));
  const reasons = Map.groupBy(leftOut.filter(({ id }) => own.has(id ?? "")), ({ message }) => message);
  const counts = [...reasons].map(([message, of]) => `${message} (${of.length})`);
  return [`${goal.name}: nothing changes: ${counts.slice(0, 5).join("; ")}`];
}

/** Notes how many orders and weeks are needed until the held-back part of a plan shows a difference. */
function powerNotes(
  one: DecidedGoal,
  { plan: { experiment }, figures }: PlannedBy,
): string[] {
  if (experiment === null) return [];
  const { goal } = one;
  const isDrawn = (id: string): boolean => Object.hasOwn(experiment.strata, id);
  const moved = decidedRows(one).flatMap(({ entity: { id, campaignId } }) =>
    isDrawn(id) || isDrawn(campaignId) ? [id] : []
  );
  const orders = moved.reduce((all, id) => all + targetTotal(figures, id).orders, 0) / figures.weeks.length;
  const wanted = ordersFor(SHOWN_EFFECT, experiment.share);
  return moved.length === 0 || orders === 0 ? [] : [
    `${goal.name}: with ${
      Math.round(100 * experiment.share)
    } % held back, a difference of 10 % takes about ` +
    `${wanted} orders to show; these bids bring ${orders.toFixed(0)} a week, so ${
      Math.ceil(wanted / orders)
    } weeks`,
  ];
}

/** Warns about figures that could not be read or are assumed. */
export function figureWarnings(
  { range, today, maturities: known, changesWarning, placementsUnread, termsUnread }: GoalFigures,
  missing: readonly MissingDays[],
): string[] {
  const warnings: string[] = [];
  for (const [report, gaps] of Map.groupBy(missing, (one) => one.report)) {
    const days = gaps.flatMap((gap) => [...eachDay(gap)]).filter((day) => day >= range.start && day < today);
    if (days.length === 0) continue;
    const named = joinDays(days).slice(0, 3).map(({ start, end }) =>
      start === end ? start : `${start} to ${end}`
    );
    warnings.push(
      `${counted(days.length, "day")} of ${spellReport(report)} are not stored and were left out: ${
        named.join(", ")
      }`,
    );
  }
  if (!known.isOwn) {
    warnings.push(
      "The store does not yet show how late orders arrive: assuming 60 % after one day and 90 % after five",
    );
  }
  if (changesWarning !== undefined) warnings.push(changesWarning);
  if (termsUnread !== undefined) {
    warnings.push(`Values are estimated without search terms, which could not be read (${termsUnread})`);
  }
  if (placementsUnread !== undefined) {
    warnings.push(
      `Placement adjustments stay: their change history could not be read (${placementsUnread}), ` +
        "so it is not known which of them cool down (limits.cooling)",
    );
  }
  return warnings;
}

/** Number of latest weeks compared with the weeks before, and the orders required on each side. */
const [LATEST_WEEKS, LATEST_ORDERS, EARLIER_ORDERS] = [2, 10, 20];
/**
 * Assumed coefficient of variation of the value of single orders, and the number of standard deviations that count as
 * a change.
 */
const [ORDER_CV, DEVIATIONS] = [0.5, 3];
/** Change in order value below which no price change is suspected. */
const LEAST_CHANGE = 0.15;

/**
 * Warns about ad groups whose order value changed recently. The price has probably changed, so earlier orders per
 * click say little about the new price.
 */
export function priceWarnings(
  { goal, campaigns, entities }: Pick<GoalAccount, "goal" | "campaigns" | "entities">,
  { weekly }: Pick<GoalFigures, "weekly">,
): string[] {
  const groups = new Map<string, { campaign: string; sums: [Sums, Sums] }>();
  const names = new Map(campaigns.map(({ id, name }) => [id, name]));
  for (const { id, adGroupId, campaignId } of entities) {
    const own = groups.get(adGroupId) ??
      {
        campaign: names.get(campaignId) ?? campaignId,
        sums: [{ orders: 0, sales: 0 }, { orders: 0, sales: 0 }],
      };
    groups.set(adGroupId, own);
    for (const [week, { orders, sales }] of weekly.get(id) ?? []) {
      const side = own.sums[week < LATEST_WEEKS ? 1 : 0];
      side.orders += orders;
      side.sales += sales;
    }
  }
  const found = [...groups.values()].flatMap(({ campaign, sums: [before, after] }) => {
    if (
      before.orders < EARLIER_ORDERS || after.orders < LATEST_ORDERS || !(before.sales > 0 && after.sales > 0)
    ) {
      return [];
    }
    const [then, now] = [before.sales / before.orders, after.sales / after.orders];
    const doubt = DEVIATIONS * ORDER_CV * Math.sqrt(1 / before.orders + 1 / after.orders);
    return Math.abs(Math.log(now / then)) > Math.max(LEAST_CHANGE, doubt) ? [{ campaign, then, now }] : [];
  });
  const [first] = found;
  return first === undefined ? [] : [
    `${goal.name}: an order of ${
      counted(found.length, "ad group")
    } has another value than before, for example ${first.now.toFixed(2)} instead of ${
      first.then.toFixed(2)
    } in campaign "${first.campaign}": if a price changed, orders a click of ` +
    "earlier days may not hold",
  ];
}

interface Sums {
  orders: number;
  sales: number;
}
