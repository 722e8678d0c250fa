import { visibleText } from "../../base/text/visible_text.ts";
import { counted, percentText } from "../../base/text/money_text.ts";
import { type KnownTerm, termsRatio } from "./terms.ts";
import { decidedRows } from "./decided_goal.ts";
import { keptText, placementReason, rowReason } from "./goal_reasons.ts";
import type { DecidedGoals } from "./plan_goals.ts";

export function explainGoal({ goals, decidedBy, leftOut }: DecidedGoals, id: string): string[] {
  for (const one of goals) {
    const { goal, input, decision } = one;
    const found = decidedRows(one).find(({ entity }) => entity.id === id);
    if (found === undefined) continue;
    const { entity, row, target } = found;
    const { range, maturities, daily } = decidedBy;
    const money = (amount: number, more = 0): string => amount.toFixed(input.limits.decimals + more);
    const rate = (value: number): string => percentText(value, 2);
    const { scale, marginal, marginalDeviation, changesLearned } = decision;
    const valued = goal.aim === "orders"
      ? `${rate(row.rate)} × ${money(goal.costPerOrder ?? 0)}`
      : goal.aim === "profit"
      ? `${money(row.salesPerClick)} of sales × margin ${rate(target.margin)}`
      : `${money(row.salesPerClick)} of sales`;
    const isBrand = target.incremental !== undefined;
    const { reason, message } = entity.locked ?? keptText(row, one);
    const state = row.kept === null
      ? `${money(row.bid)} to ${money(row.next)}`
      : `stays ${money(row.bid)}: ${message} (${reason})`;
    return [
      `${visibleText(entity.label)} (${entity.kind} ${id}), goal ${goal.name}: ${state}`,
      `  days      ${range.start} to ${range.end}, ${maturities.days.size} of them stored; orders of recent days are ` +
      `extrapolated with ${maturities.isOwn ? "the account's own curve" : "an assumed curve"}`,
      ...target.periods.map((period) =>
        `    ${String(period.days).padStart(2)} days, ending ${period.age - 1} days before the last: bid ${
          money(period.bid)
        }, ` +
        `${period.clicks} clicks, cost ${money(period.cost)}, ${period.orders} orders, sales ${
          money(period.sales)
        }, ` +
        `${rate(period.maturity)} of the orders known, ${rate(period.inBudget)} of the time in budget`
      ),
      ...[...daily.get(id) ?? []].sort(([a], [b]) => a < b ? -1 : 1).filter(([, { clicks }]) => clicks > 0)
        .map((
          [day, { clicks, cost, orders, sales }],
        ) => `    ${day}: ${clicks} clicks, cost ${money(cost)}, ${orders} orders, sales ${money(sales)}`),
      `  value     ${rate(row.rate)} orders a click: its own clicks count ${
        rate(row.ownWeight)
      }, the rest is the ` +
      `${rate(row.parentRate)} of its ad group; a click is worth ${valued}${
        isBrand ? ` × ${rate(target.incremental ?? 1)} caused by advertising` : ""
      } = ${money(row.worth.value)}, ${money(row.worth.low)} to ${money(row.worth.high)} (95 % interval)`,
      ...(row.terms.length > 0 ? [`  terms     ${termsText(row.terms)}`] : []),
      ...(row.recovery < 1
        ? [
          `  stock     its product had nearly no clicks in a recent week: for four weeks after, a click is expected ` +
          `to bring ${rate(row.recovery)} of the usual orders, which the value above includes`,
        ]
        : []),
      `  response  ${row.clicks.toFixed(2)} clicks a day at ${money(row.price)}; 1 % more bid brings ${
        row.elasticity.toFixed(2)
      } % more clicks; one more click costs ${marginal.toFixed(2)} × bid (± ${
        rate(marginalDeviation)
      }, learned from ${changesLearned} changes of bids)`,
      `  bid       ${money(row.worth.value)} × ${scale.toFixed(3)} (the same for all) / (${
        marginal.toFixed(2)
      } × ${row.multiplier.toFixed(2)} for placements) = ${money(row.free, 1)}${
        row.bound === null ? "" : `; bound: ${row.bound}`
      }`,
      ...(decision.adjustments.has(entity.campaignId)
        ? [`  places    ${placementReason(entity.campaignId, one)}`]
        : []),
      `  result    ${row.kept === null ? rowReason(found, one) : message}`,
      ...(row.clicksMissing > 0
        ? [`  doubt     ${row.clicksMissing} more clicks until its value is known within 30 %`]
        : []),
    ];
  }
  const other = leftOut.find((one) => one.id === id);
  return [
    other === undefined
      ? `${id}: no goal selects it`
      : `${visibleText(other.label)} (${id}): ${other.message}`,
  ];
}

/** Number of search terms that are shown. */
const SHOWN_TERMS = 5;

function termsText(terms: readonly KnownTerm[]): string {
  // Terms that it shares with no other target are one row, the last.
  const alone = terms.filter(({ term }) => term === null);
  const shared = terms.filter(({ term }) => term !== null);
  const shown = [...shared.slice(0, SHOWN_TERMS), ...alone].map(({ term, clicks, orders, ratio }) =>
    `${term === null ? "those that it alone has" : `"${visibleText(term)}"`} ${ratio.toFixed(2)} (here ${
      counted(clicks, "click")
    }, ${counted(orders, "order")})`
  );
  return `by what other targets sold with its search terms, its rate is expected at ${
    termsRatio(terms).toFixed(2)
  } times that of its ad group: ${shown.join(", ")}${
    shared.length > SHOWN_TERMS ? `, and ${counted(shared.length - SHOWN_TERMS, "more term")}` : ""
  }`;
}
