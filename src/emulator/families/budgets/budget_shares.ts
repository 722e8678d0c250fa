import type { Context } from "../../routing/context.ts";
import type { JsonObject } from "../../core/json.ts";
import { addDays, dayAt } from "../../core/day_span.ts";
import type { Family } from "../../traffic/read_campaigns.ts";
import { effectiveBudget } from "../../traffic/served_campaign.ts";
import { spent } from "../../traffic/spent.ts";

const QUARTER = 15 * 60_000;
const MAX_DAYS = 100;

/** Returns the time up to which usage is known: the last quarter of an hour. */
export function usageMoment({ clock }: Pick<Context, "clock">): number {
  return Math.floor(clock.now() / QUARTER) * QUARTER;
}

export type BudgetShare = (entity: JsonObject) => { readonly used: number; readonly raised: number };

export function campaignShares(
  family: Family,
): (campaignIds: readonly string[], context: Context) => BudgetShare {
  return (campaignIds, context) => sharesOf(family, campaignIds, context);
}

function sharesOf(family: Family, campaignIds: readonly string[], context: Context): BudgetShare {
  const ids = new Set(campaignIds);
  const asOf = usageMoment(context);
  const today = dayOf(asOf, context);
  const costs = spent(context.profile, {
    seed: context.state.seed,
    asOf,
    family,
    days: [today, today],
    of: ({ id }) => ids.has(id),
  });
  const shares = new Map(
    costs.map(({ campaign, cost }) => [campaign.id, {
      used: cost / effectiveBudget(campaign, asOf),
      raised: campaign.budgetRaise?.(asOf) ?? 0,
    }]),
  );
  return ({ campaignId }) => shares.get(String(campaignId)) ?? { used: 0, raised: 0 };
}

export function portfolioShares(_: readonly string[], context: Context): BudgetShare {
  const asOf = usageMoment(context);
  const today = dayOf(asOf, context);
  const earliest = addDays(today, -MAX_DAYS);
  return ({ portfolioId, budget }) => {
    const { amount, startDate, policy } = budget as JsonObject;
    const begins = policy === "DATE_RANGE" && startDate ? String(startDate) : `${today.slice(0, 7)}-01`;
    const costs = (["sp", "sb", "sd"] as const satisfies readonly Family[]).flatMap((family) =>
      spent(context.profile, {
        seed: context.state.seed,
        asOf,
        family,
        days: [begins > earliest ? begins : earliest, today],
        of: ({ entity }) => entity.portfolioId === portfolioId,
      })
    );
    return { used: costs.reduce((sum, { cost }) => sum + cost, 0) / Number(amount), raised: 0 };
  };
}

function dayOf(moment: number, { profile }: Context): string {
  return dayAt(moment, profile.record.timezone);
}
