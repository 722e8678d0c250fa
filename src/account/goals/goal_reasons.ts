import { percentText } from "../../base/text/money_text.ts";
import type { LeftOut } from "../jobs/job_result.ts";
import type { BindingBound, DecisionRow } from "./decision.ts";
import type { DecidedGoal } from "./decided_goal.ts";
import { totalOf } from "./goal_figures.ts";
import type { GoalTarget } from "./model.ts";
import type { GoalEntity } from "./read_goals.ts";
import { PLACEMENTS } from "./placement_changes.ts";

type Of = Pick<DecidedGoal, "goal" | "input" | "decision">;

const BOUNDS: Readonly<Record<NonNullable<BindingBound>, string>> = {
  raise: "the largest raise of a plan",
  cut: "the largest cut of a plan",
  minimum: "the lowest bid",
  maximum: "the highest bid",
};

function cutUnderTarget(row: DecisionRow, target: GoalTarget, { goal, input, decision }: Of): string {
  if (row.isTrial || row.next >= row.bid) return "";
  const { clicks, cost, orders, sales } = totalOf(target.periods);
  const { aim } = input;
  const money = (amount: number): string => amount.toFixed(input.limits.decimals);
  const isOfOrders = aim.kind === "orders";
  const own = isOfOrders ? cost / orders : cost / sales;
  const wanted = aim.kind === "profit"
    ? target.margin
    : aim.kind === "orders"
    ? aim.cost
    : goal.acos ?? Infinity;
  if (!(own < wanted) || wanted === Infinity) return "";
  const { scale, scaleWithoutAmount, marginal } = decision;
  const known = target.periods.reduce((all, one) => all + one.clicks * one.maturity, 0);
  const raw = (isOfOrders ? orders : sales) / Math.max(1, known);
  const estimated = isOfOrders ? row.rate : row.salesPerClick;
  const parts = [
    `one more click costs ${money(marginal * row.multiplier * row.bid)} at the present bid and may cost ${
      money(scale * row.worth.value)
    }, ${percentText(scale)} of its worth`,
  ];
  if (raw > 1.02 * estimated) {
    parts.push(
      `${clicks} clicks count ${percentText(row.ownWeight)}, so that ${
        isOfOrders ? `${percentText(raw)} orders a click are` : `${money(raw)} of sales a click are`
      } taken as ${
        isOfOrders ? percentText(estimated) : money(estimated)
      }; as reported, the best bid would be ${money(row.free * raw / estimated)}`,
    );
  }
  if (scaleWithoutAmount > 1.02 * scale) {
    parts.push(`without limits.month, it would be ${money(row.free * scaleWithoutAmount / scale)}`);
  }
  const [is, at] = isOfOrders
    ? [`an order cost ${money(own)}`, money(wanted)]
    : [`its ACOS of ${percentText(own)}`, percentText(wanted)];
  return `cut although ${is}${isOfOrders ? "," : " is"} under ${at}: ${parts.join("; ")}`;
}

export function rowReason(
  { row, target, entity }: {
    readonly row: DecisionRow;
    readonly target: GoalTarget;
    readonly entity?: Pick<GoalEntity, "isInherited">;
  },
  one: Of,
): string {
  const { goal, input } = one;
  const under = cutUnderTarget(row, target, one);
  const { worth, incremental, recovery, clicks, price, free, bound, isTrial, change } = row;
  const money = (amount: number): string => amount.toFixed(input.limits.decimals);
  const signed = (amount: number): string => `${amount < 0 ? "-" : "+"}${money(Math.abs(amount))}`;
  const inherited = entity?.isInherited ? `, with the bid of its ad group, ${money(row.bid)}` : "";
  const why = isTrial
    ? "trial: few clicks made it look worse than its ad group"
    : bound === null
    ? "not limited"
    : `limited by ${BOUNDS[bound]}, otherwise ${money(free)}`;
  const caused = incremental === 1
    ? ""
    : `, counting ${Number((100 * incremental).toFixed(1))} % of its sales as caused by advertising`;
  const stock = recovery === 1
    ? ""
    : `, at ${Math.round(100 * recovery)} % of the usual orders a click after a stock-out`;
  return `${goal.name}: a click is worth ${money(worth.value)} (${money(worth.low)} to ${
    money(worth.high)
  })${caused}${stock}; ` +
    `${clicks.toFixed(1)} clicks a day at ${money(price)}${inherited}; ${why}; ${
      under === "" ? "" : `${under}; `
    }expected ${signed(change.cost)} of cost and ` +
    `${signed(change.sales)} of sales a day`;
}

export function keptText(
  { kept, locked, clicksMissing }: DecisionRow,
  { goal, decision }: Of,
): Pick<LeftOut, "reason" | "message"> {
  if (locked === "cooling") {
    return {
      reason: "cooling",
      message: `Its bid was changed in the last ${goal.limits.cooling} days (limits.cooling)`,
    };
  }
  if (locked === "no_clicks") {
    return {
      reason: "no_clicks",
      message:
        "Its ad group had nearly no clicks in the last week, unlike before: check stock, eligibility and state",
    };
  }
  switch (kept) {
    case "too_few_data":
      return {
        reason: kept,
        message: `Too few orders to decide anything: ${decision.ordersMissing} more are needed`,
      };
    case "sales_stopped":
      return {
        reason: kept,
        message:
          "Last week's orders fell below a fifth of the usual number: check that sales are still tracked",
      };
    case "harmful":
      return {
        reason: kept,
        message:
          "Held-back bids do better than those that this goal changed; the option despiteHarm plans all the same",
      };
    case "amount_too_small":
      return {
        reason: kept,
        message: "limits.month is used up: the lowest daily budgets alone exceed what is left",
      };
    default:
      return kept === "noise" && clicksMissing > 0
        ? { reason: "too_little_known", message: `Too little to decide: ${clicksMissing} more clicks` }
        : { reason: "near_best", message: "Its bid is as good as the best one" };
  }
}

/**
 * Explains why placement adjustments of a campaign change: the value of a click in each placement, and how much it
 * counts.
 */
export function placementReason(id: string, { goal, input, decision }: Of): string {
  const campaign = input.campaigns.find((one) => one.id === id);
  const [next, values] = [decision.adjustments.get(id), decision.placementValues.get(id)];
  if (campaign?.placements === undefined || next === undefined || values === undefined) return "";
  const lowest = Math.min(...values);
  const percent = (share: number): string => `${Math.round(100 * share)} %`;
  const parts = campaign.placements.map(({ adjustment, clicks, orders }, k) => {
    const after = next[k] ?? adjustment;
    const moved = after === adjustment
      ? `stays ${percent(after)}`
      : `${percent(adjustment)} to ${percent(after)}`;
    return `${PLACEMENTS[k]?.text ?? ""} ${moved} (${clicks} clicks, ${orders} orders; a click counts ${
      ((values[k] ?? lowest) / lowest).toFixed(2)
    } times one of the worst placement)`;
  });
  return `${goal.name}: placements: ${parts.join("; ")}; bids make room for them`;
}

/** Explains the daily budgets of a goal. */
export function budgetReason({ input: { money }, decision: { most = 0 } }: Of): string {
  if (money === undefined) return "room for busy days at the new bids";
  return most <= money.left - money.reserve + 0.005
    ? "its share of the rest of the month"
    : "limits.month is used up, so the lowest daily budget that the platform takes";
}
