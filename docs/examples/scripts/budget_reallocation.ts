/**
 * Moves daily budget from campaigns that leave it unspent to those that sell well and spend all of it. The sum stays.
 *
 *     adsctl auto script docs/examples/scripts/budget_reallocation.ts -m US
 */
import type { ScriptContext } from "@platform/ads/scripts";

/** Most of a campaign's budget that is moved in one go. */
const SHARE = 0.1;

export default async function ({ profile, log }: ScriptContext): Promise<void> {
  // Days whose orders are complete: an order counts up to 14 days after its click.
  const rows = await profile.figures({ by: ["campaign"], from: "-28", to: "-15" });
  const byId = new Map(rows.map((row) => [row["campaign_id"], row]));
  const campaigns = (await profile.list("sp.campaigns", { states: ["ENABLED"] })).flatMap((campaign) => {
    const { budget, budgetType } = campaign["budget"] as { budget: number; budgetType: string };
    const figures = byId.get(String(campaign["campaignId"]));
    if (budgetType !== "DAILY" || figures === undefined) return [];
    return [{
      id: String(campaign["campaignId"]),
      budget,
      used: figures.cost / 14 / budget,
      roas: figures.roas ?? 0,
    }];
  });
  const givers = campaigns.filter(({ used, budget }) => used < 0.5 && budget > 10);
  const takers = campaigns.filter(({ used }) => used > 0.9).sort((a, b) => b.roas - a.roas).slice(0, 3);
  log(
    `${campaigns.length} campaigns, ${givers.length} leave half of their budget, ${takers.length} spend theirs`,
  );
  if (givers.length === 0 || takers.length === 0) return;
  const moved = givers.map(({ id, budget }) => ({ id, amount: Math.floor(budget * SHARE) }));
  const each = Math.floor(moved.reduce((sum, { amount }) => sum + amount, 0) / takers.length);
  const update = [
    ...givers.map(({ id, budget }, at) => ({ id, budget: budget - moved[at]!.amount })),
    ...takers.map(({ id, budget }) => ({ id, budget: budget + each })),
  ].map(({ id, budget }) => ({ campaignId: id, budget: { budget, budgetType: "DAILY" } }));
  await profile.plan({ kind: "sp.campaigns", update, note: "Budget to the campaigns that sell" });
}
