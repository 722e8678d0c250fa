import { planBids } from "../account/jobs/plan_bids.ts";
import { planBudgets } from "../account/jobs/plan_budgets.ts";
import { planNegatives } from "../account/jobs/plan_negatives.ts";
import type { ProfileClient } from "../client/profile_client.ts";
import type { ChangePlan } from "../plans/change_plan.ts";
import { KINDS, type ResourceKind } from "../resources/kinds.ts";
import { figuresOf } from "../store/figures/entity_figures.ts";
import type { Warehouse } from "../store/warehouse.ts";
import type { Alert } from "./alert.ts";
import type { WatchRule } from "./watch_file.ts";

const PAUSED: Readonly<Record<string, readonly ResourceKind[]>> = {
  campaign: ["sp.campaigns", "sb.campaigns", "sd.campaigns"],
  keyword: ["sp.keywords", "sp.targets", "sb.keywords", "sb.targets", "sd.targets"],
};

/** The plan that a rule proposes for what it found, judged like any other; without changes where there is nothing to do. */
export async function proposePlan(
  rule: WatchRule,
  alerts: readonly Alert[],
  { profile, store, signal }: {
    readonly profile: ProfileClient;
    readonly store: Warehouse;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<ChangePlan> {
  const { job, change } = rule.propose!;
  const note = `Proposed by the rule ${rule.name}: ${rule.when}`.slice(0, 500);
  const ids = [...new Set(alerts.map(({ key }) => key))];
  if (job === "bids") {
    // The rule has chosen the keywords; clicks are there to say which figures stand beside the bids.
    const where = "figures.clicks30d >= 0";
    return (await planBids(profile, { store, where, change: change!, ids, note, signal })).plan;
  }
  if (job === "budgets") {
    const found = await planBudgets(profile, {
      store,
      change,
      days: 7,
      minDays: 1,
      campaignIds: ids,
      note,
      signal,
    });
    return found.plan;
  }
  if (job === "negatives") {
    const campaignIds = [...new Set(alerts.map(({ facts }) => String(facts["campaign_id"])))];
    return (await planNegatives(profile, { store, campaignIds, note, signal })).plan;
  }
  const draft = profile.plan();
  const open = new Set(ids);
  for (const kind of PAUSED[rule.over] ?? []) {
    if (open.size === 0) break;
    for (const [id, entity] of await profile.resource(kind as string).getMany([...open], { signal })) {
      open.delete(id);
      const { state } = entity as { readonly state?: unknown };
      if (String(state).toUpperCase() !== "ENABLED") continue;
      draft.update(kind as string, { [KINDS[kind].idField]: id, state: "PAUSED" });
    }
  }
  return await draft.build({ note, signal, figures: figuresOf(store) });
}
