import { type ListedPlans, type ListedRollout, planList } from "../../../operations/reads/plan_list.ts";
import type { ConsoleContext } from "../http/console_context.ts";
import { listedStatus } from "../../../plans/store/undone_plans.ts";
import type { PlanStatus } from "../../../plans/store/plan_status.ts";
import type { FoundPlan } from "./found_plan.ts";
import { type PlanSummary, planSummary } from "./plan_summary.ts";

type Folders = Pick<ConsoleContext, "folders" | "ads">;

async function listed({ folders, ads }: Folders): Promise<ListedPlans> {
  const stores = folders.map(({ store }) => store);
  return await planList.run({ stores, isRehearsal: ads.platform.rehearsal !== undefined }, {});
}

export async function listPlans(context: Folders): Promise<PlanSummary[]> {
  return summariesOf(await listed(context), context);
}

export async function plansAndRollouts(context: Folders): Promise<Record<string, unknown>> {
  const found = await listed(context);
  return { plans: summariesOf(found, context), rollouts: found.rollouts.map(rolloutView).sort(byTime) };
}

function summariesOf({ plans }: ListedPlans, { folders }: Folders): PlanSummary[] {
  const makers = new Map(folders.map((folder) => [folder.store.path, folder]));
  return plans.flatMap((plan) => {
    const folder = makers.get(plan.folder);
    return folder === undefined ? [] : [planSummary(plan, folder)];
  });
}

function rolloutView({ folder, data, problem }: ListedRollout): Record<string, unknown> {
  if (data === undefined) return { folder, note: folder, created_at: "", plans: [], failed: [], problem };
  const { note, created_at, undone_at, plans, left_out } = data;
  return {
    folder,
    note,
    created_at,
    undone_at: undone_at ?? null,
    plans: plans.map(({ plan_id, account_name = null, country_code }) => ({
      plan_id,
      account_name,
      country_code,
    })),
    failed: left_out.filter(({ failed }) => failed)
      .map(({ country_code, account_name = null, reason }) => ({ country_code, account_name, reason })),
  };
}

function byTime(a: Record<string, unknown>, b: Record<string, unknown>): number {
  return String(a["created_at"]) < String(b["created_at"]) ? 1 : -1;
}

/** Status of a plan as the list shows it. */
export async function shownStatus(
  { plan, store }: FoundPlan,
  { folders, ads }: Pick<ConsoleContext, "folders" | "ads">,
): Promise<PlanStatus> {
  // One folder may be of the account, one of its copy.
  const others = ads.platform.rehearsal === undefined ? folders : [];
  return await listedStatus(plan.id, [
    store,
    ...others.map((folder) => folder.store).filter((one) => one !== store),
  ]);
}
