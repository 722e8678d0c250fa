import { isRollout, readRollout } from "../../../account/rollout/rollout_file.ts";
import type { ConsoleContext } from "../http/console_context.ts";
import { shownPlans } from "../../../plans/store/shown_plans.ts";
import { listedStatus, withUndone } from "../../../plans/store/undone_plans.ts";
import type { PlanStatus } from "../../../plans/store/plan_status.ts";
import type { FoundPlan } from "./found_plan.ts";
import { type PlanSummary, planSummary } from "./plan_summary.ts";

/** Lists the plans, newest first; a plan found in two folders is listed once. */
export async function listPlans(
  { folders, ads }: Pick<ConsoleContext, "folders" | "ads">,
): Promise<PlanSummary[]> {
  const lists = await withUndone(await Promise.all(folders.map(({ store }) => store.list())), {
    isRehearsal: ads.platform.rehearsal !== undefined,
  });
  const found = lists.flatMap((list, at) => shownPlans(list).map((one) => planSummary(one, folders[at]!)));
  const byId = new Map(found.reverse().map((plan) => [plan.id, plan]));
  const order = (plan: PlanSummary): string => `${plan["created_at"] ?? ""} ${plan.id}`;
  return [...byId.values()].sort((a, b) => order(a) < order(b) ? 1 : -1);
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

export async function listRollouts(
  { folders }: Pick<ConsoleContext, "folders">,
): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = [];
  for (const { store: { path } } of folders) {
    if (!await isRollout(path).catch(() => false)) continue;
    try {
      const { note, created_at, undone_at, plans, left_out } = await readRollout(path);
      found.push({
        folder: path,
        note,
        created_at,
        undone_at: undone_at ?? null,
        plans: plans.map(({ plan_id, account_name = null, country_code }) => ({
          plan_id,
          account_name,
          country_code,
        })),
        failed: left_out.filter(({ failed }) => failed).map((
          { country_code, account_name = null, reason },
        ) => ({
          country_code,
          account_name,
          reason,
        })),
      });
    } catch (error) {
      found.push({ folder: path, note: path, created_at: "", plans: [], failed: [], problem: String(error) });
    }
  }
  return found.sort((a, b) => String(a["created_at"]) < String(b["created_at"]) ? 1 : -1);
}
