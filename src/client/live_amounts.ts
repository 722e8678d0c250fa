import { offersDisplay } from "./offers_display.ts";
import type { ProfileClient } from "./profile_client.ts";

const MAX_BIDS = 20_000;

/** Bids of live keywords and targets, and daily budgets of live campaigns. A large account's bids are a sample. */
export async function liveAmounts(
  client: ProfileClient,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<{ readonly bids: readonly number[]; readonly budgets: readonly number[] }> {
  const bids: number[] = [];
  const { sp, sb } = client;
  for (const resource of [sp.keywords, sp.targets, sb.keywords, sb.targets]) {
    for await (const { bid } of resource.iter({ states: ["ENABLED"], signal })) {
      if (bid !== undefined) bids.push(bid);
      if (bids.length >= MAX_BIDS) break;
    }
  }
  const budgets: number[] = [];
  for await (const { budget } of sp.campaigns.iter({ states: ["ENABLED"], signal })) {
    if (budget?.budget !== undefined) budgets.push(budget.budget);
  }
  for await (const { budget, budgetType } of sb.campaigns.iter({ states: ["ENABLED"], signal })) {
    if (budget !== undefined && budgetType !== "LIFETIME") budgets.push(budget);
  }
  if (await offersDisplay(client, { signal })) {
    for await (const { budget } of client.sd.campaigns.iter({ states: ["ENABLED"], signal })) {
      budgets.push(budget);
    }
  }
  return { bids, budgets };
}
