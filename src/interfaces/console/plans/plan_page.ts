import { ConfigurationError } from "../../../errors.ts";
import { fieldsOf } from "../../../base/json/fields_of.ts";
import { PlanPlaces } from "../../../plans/store/plan_places.ts";
import { readIfThere } from "../../../base/runtime/read_named_file.ts";
import { readComments } from "../../../plans/store/plan_comments.ts";
import { isOfRollout } from "../../../operations/plans/replace_plan.ts";
import { planView } from "../../../plans/view/plan_view.ts";
import type { ConsoleContext } from "../http/console_context.ts";
import type { FoundPlan } from "./found_plan.ts";
import { shownStatus } from "./list_plans.ts";
import { marketView, spendOf, stateOf } from "./plan_summary.ts";

export async function planPage(
  found: FoundPlan,
  context: Pick<ConsoleContext, "ads" | "folders" | "jobs" | "rollouts" | "now">,
): Promise<Record<string, unknown>> {
  const { plan, store, maker } = found;
  const { jobs, rollouts, now } = context;
  const places = new PlanPlaces(store.path);
  const [status, result, approval, comments, undoes] = await Promise.all([
    shownStatus(found, context),
    readIfThere(places.result(plan.id)),
    readIfThere(places.approval(plan.id)),
    readComments(store.path, plan.id),
    plan.reverses === null ? undefined : store.find(plan.reverses).catch(() => undefined),
  ]);
  const undo = status.state === "applied" ? status.rollbackPlanId : undefined;
  return {
    maker,
    ...marketView(plan.countryCode),
    state: stateOf(status),
    status,
    in_rollout: await mayBeInRollout(store.path, plan.id),
    running: jobs.isRunning(plan.id) || rollouts.isRunning(plan.id),
    rollback_plan_id: undo ?? null,
    approved_until: approvedUntil(approval, plan.fingerprint, now()),
    failures: failuresOf(result),
    comments,
    undoes: undoes === undefined
      ? null
      : { id: undoes.plan.id, note: undoes.plan.note, changes: undoes.plan.changes.length },
    plan: planView(plan),
    spend: spendOf(plan),
  };
}

/** True also for a damaged rollout, which must not hide the plans of its folder. */
async function mayBeInRollout(folder: string, planId: string): Promise<boolean> {
  try {
    return await isOfRollout(folder, planId);
  } catch (error) {
    if (error instanceof ConfigurationError) return true;
    throw error;
  }
}

/** Does not verify the signature; applying the plan does. */
function approvedUntil(text: string | undefined, fingerprint: string, now: number): string | null {
  if (text === undefined) return null;
  const { fingerprint: approved, expires_at: until } = parsed(text);
  return approved === fingerprint && typeof until === "string" && Date.parse(until) > now ? until : null;
}

function failuresOf(text: string | undefined): Record<string, unknown>[] {
  const changes = text === undefined ? [] : parsed(text)["changes"];
  if (!Array.isArray(changes)) return [];
  return changes.flatMap((one: unknown, change) => {
    const { outcome, error } = fieldsOf(one);
    if (error === undefined) return [];
    const { code, message, hint } = fieldsOf(error);
    return [{ change, outcome, code, message, hint }];
  });
}

function parsed(text: string): Record<string, unknown> {
  try {
    return { ...fieldsOf(JSON.parse(text)) };
  } catch {
    return {};
  }
}
