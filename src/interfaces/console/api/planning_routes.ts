import { countReasons, type JobResult } from "../../../account/jobs/job_result.ts";
import { scheduledIn } from "../../../automation/schedules/scheduled_ids.ts";
import type { ProfileClient } from "../../../client/profile_client.ts";
import type { JobOperation } from "../../../operations/jobs/job_operation.ts";
import { planBids } from "../../../operations/jobs/plan_bids.ts";
import { planBudgets } from "../../../operations/jobs/plan_budgets.ts";
import { planGoals } from "../../../operations/jobs/plan_goals.ts";
import { planHarvest } from "../../../operations/jobs/plan_harvest.ts";
import { planNegatives } from "../../../operations/jobs/plan_negatives.ts";
import { defaultOf, type Field, type Fields, type InputOf } from "../../../operations/model/field.ts";
import { jsonInput } from "../../../operations/model/field_schema.ts";
import type { Operation } from "../../../operations/model/operation.ts";
import { planFromHistory } from "../../../operations/plans/plan_from_history.ts";
import { planArchive, planCreate, planUpdate } from "../../../operations/plans/plan_writes.ts";
import type { WriteOperation } from "../../../operations/plans/write_operation.ts";
import type { ChangePlan } from "../../../plans/change_plan/change_plan.ts";
import { refusingBadInput } from "../http/refusing.ts";
import type { ApiCall, Route } from "../http/route.ts";
import { savePlan } from "../plans/save_plan.ts";
import { withStore } from "../store/open_store.ts";

/** A plan with the operation's own fields of the response. */
interface Made {
  readonly plan: ChangePlan;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** Makes plans of a profile by the operations that adsctl and the tool server have. */
export const PLANNING_ROUTES: readonly Route[] = [
  jobRoute(planBids),
  jobRoute(planHarvest),
  jobRoute(planNegatives),
  jobRoute(planBudgets),
  jobRoute(planGoals),
  writeRoute(planUpdate),
  writeRoute(planCreate),
  writeRoute(planArchive),
  planningRoute(planFromHistory, async (profile, input, { context, signal }) => {
    const plans = () => Promise.resolve(context.folders.map(({ store }) => store));
    return { plan: await planFromHistory.run({ profile, signal, plans }, input) };
  }),
];

function jobRoute<Of extends Fields, Result extends JobResult>(operation: JobOperation<Of, Result>): Route {
  return planningRoute(operation, async (profile, input, { context, signal }) => {
    const scheduled = scheduledIn(context.storePlace);
    const result = await withStore(
      context,
      (store) => operation.run({ profile, figures: { store, signal, scheduled } }, input),
    );
    const { plan, considered, leftOut } = result;
    const counts = Object.fromEntries(countReasons(leftOut));
    return { plan, data: { considered, left_out: counts, ...operation.data?.(result) } };
  });
}

function writeRoute<Of extends Fields>(operation: WriteOperation<Of>): Route {
  return planningRoute(operation, async (profile, input, { signal }) => ({
    plan: await operation.run({ profile, signal }, input),
  }));
}

/** The route of an operation that makes a plan. */
function planningRoute<Of extends Fields>(
  operation: Pick<Operation<Of, never, unknown>, "name" | "brief" | "input" | "check">,
  make: (profile: ProfileClient, input: InputOf<Of>, call: ApiCall) => Promise<Made>,
): Route {
  const { name, brief, input: fields } = operation;
  return {
    method: "POST",
    path: `/api/profiles/:profile/${name.replace(" ", "/")}`,
    about: brief.replace(/\.$/, ""),
    takes: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, meaningOf(field)])),
    gives: "`plan_id`, null where nothing is to change, with `changes`, their number, and `warnings`",
    changes: true,
    run: async (call) => {
      const { context, params, body } = call;
      const input = await refusingBadInput(() => jsonInput(operation, body));
      const profile = await context.ads.profile(params["profile"] ?? "");
      const { plan, data } = await refusingBadInput(() => make(profile, input, call));
      const isEmpty = plan.changes.length === 0;
      if (!isEmpty) await savePlan(plan, context);
      return {
        plan_id: isEmpty ? null : plan.id,
        changes: plan.changes.length,
        warnings: plan.warnings,
        ...data,
      };
    },
  };
}

function meaningOf(field: Field): string {
  const fixed = defaultOf(field) ?? field.otherwise;
  const needed = field.required === undefined ? "" : "; required";
  return field.help + needed + (fixed === undefined ? "" : ` (default: ${fixed})`);
}
