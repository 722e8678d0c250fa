import type { Click } from "./clause_day.ts";
import type { DaySpan } from "./day_span.ts";
import type { Market } from "./market.ts";
import { effectiveBudget, type ServedCampaign } from "./served_campaign.ts";

/** Clicks of a day that the budget paid for. */
interface SpentBudget {
  /** True for a click that the budget paid for. */
  readonly isPaid: (click: Click) => boolean;
  /** Share of the day in which ads were shown: those of a campaign that is out of budget are not. */
  readonly shownShare: number;
}

/**
 * Spends the budget of a campaign over a day, click by click: from the first click that it cannot pay on the campaign is
 * out of budget, until a change or a rule raises the budget above what it was then.
 */
export function spendBudget(
  clicks: readonly Click[],
  { campaign, span, market }: {
    readonly campaign: ServedCampaign;
    readonly span: DaySpan;
    readonly market: Market;
  },
): SpentBudget {
  const { start, end } = span;
  const { dailyBudget, budgetRaise } = campaign;
  const fixed = budgetRaise === undefined && !dailyBudget.changesWithin(start, end)
    ? dailyBudget.at(Math.min(end - 1, market.asOf)) * market.unit
    : undefined;
  const unpaid = new Set<Click>();
  let spent = 0;
  let shown = 0;
  let since = start;
  let out: { readonly budget: number } | undefined;
  for (const click of clicks.toSorted((a, b) => a.moment - b.moment)) {
    const budget = fixed ?? effectiveBudget(campaign, click.moment) * market.unit;
    if (out !== undefined && budget > out.budget) {
      out = undefined;
      since = click.moment;
    }
    if (out === undefined && spent + click.cost > budget) {
      out = { budget };
      shown += click.moment - since;
    }
    if (out === undefined) spent += click.cost;
    else unpaid.add(click);
  }
  if (unpaid.size === 0) return { isPaid: () => true, shownShare: 1 };
  if (out === undefined) shown += end - since;
  return { isPaid: (click) => !unpaid.has(click), shownShare: Math.max(0.05, shown / (end - start)) };
}
