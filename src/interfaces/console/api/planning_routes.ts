import { leftOutData } from "../../../account/jobs/left_out_data.ts";
import type { JobResult, LeftOut } from "../../../account/jobs/job_result.ts";
import { managedIn } from "../../../automation/pacing/managed_ids.ts";
import type { ProfileClient } from "../../../client/profile_client.ts";
import { JOB_FIELDS, type JobOperation } from "../../../operations/jobs/job_operation.ts";
import { planPacing } from "../../../operations/automation/pacing.ts";
import { planBids } from "../../../operations/jobs/plan_bids.ts";
import { planBudgets } from "../../../operations/jobs/plan_budgets.ts";
import { planGoals } from "../../../operations/jobs/plan_goals.ts";
import { planHarvest } from "../../../operations/jobs/plan_harvest.ts";
import { planNegatives } from "../../../operations/jobs/plan_negatives.ts";
import { defaultOf, type Fields, type InputOf } from "../../../operations/model/field.ts";
import { jsonInput } from "../../../operations/model/field_schema.ts";
import type { Operation } from "../../../operations/model/operation.ts";
import { goalsOutcome } from "../../../operations/reads/goals_outcome.ts";
import { goalsShow } from "../../../operations/reads/goals_show.ts";
import { accountCopy } from "../../../operations/plans/account_copy.ts";
import { planFrom } from "../../../operations/plans/account_files.ts";
import { planFromHistory } from "../../../operations/plans/plan_from_history.ts";
import { planCall } from "../../../operations/plans/plan_call.ts";
import { planArchive, planCreate, planUpdate } from "../../../operations/plans/plan_writes.ts";
import type { AllowedPlan, WriteOperation } from "../../../operations/plans/write_operation.ts";
import { planView } from "../../../plans/view/plan_view.ts";
import type { ChangePlan } from "../../../plans/change_plan/change_plan.ts";
import { describedRoute } from "../http/operation_route.ts";
import { refusingBadInput } from "../http/responses.ts";
import type { ApiCall, Route } from "../http/route.ts";
import { marketView, spendOf } from "../plans/plan_summary.ts";
import { savePlan } from "../plans/save_plan.ts";
import { withOwnStore, withStore } from "../http/open_store.ts";

interface Made {
  readonly plan: ChangePlan;
  readonly data?: Readonly<Record<string, unknown>> | undefined;
}

const MAX_PREVIEW = 500;

const JOBS = [planBids, planBudgets, planHarvest, planNegatives, planGoals];

export const PLAN_CALL_ROUTE: Route = writeRoute(planCall);

export const PLANNING_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: "/api/jobs",
    about: "Lists the weekly jobs with the fields of their forms",
    gives:
      "`jobs` with `path` below a profile, `title`, `summary`, `details`, `examples` and `fields`: `name`, `type`, `help`, `default`, `choices`, `or`, `columns`, `column_types` (text or amount), `required`, `rare`",
    run: () => ({ jobs: JOBS.map(jobForm) }),
  },
  ...jobRoutes(planBids),
  ...jobRoutes(planHarvest),
  ...jobRoutes(planNegatives),
  ...jobRoutes(planBudgets),
  ...jobRoutes(planGoals),
  {
    ...describedRoute(goalsOutcome),
    gives: "`goals`, each with `verdict`, `reason`, `effect`, `orders` and `orders_missing`",
    run: async ({ context, params, body }) => {
      const input = await refusingBadInput(() => jsonInput(goalsOutcome, body));
      const { profileId } = await context.ads.profile(params["profile"] ?? "");
      const plans = context.folders.map(({ store }) => store);
      const now = context.now();
      return await withStore(
        context,
        async (store) => ({
          goals: (await goalsOutcome.run({ profileId, store, plans, now }, input)).outcomes,
        }),
      );
    },
  },
  {
    ...describedRoute(goalsShow),
    gives:
      "`goals`, each with its figures, `bids_by`, `budgets_by`, `last_plan`, `proof` and `warnings`; `lines`, the same as text",
    run: async ({ context, params, body, signal }) => {
      const input = await refusingBadInput(() => jsonInput(goalsShow, body));
      const profile = await context.ads.profile(params["profile"] ?? "");
      const parts = {
        ...{ profile, signal, now: context.now(), plans: context.folders.map(({ store }) => store) },
        ...managedIn(context.storePlace),
      };
      return await withStore(
        context,
        async (store) => {
          const { goals, lines } = await goalsShow.run({ ...parts, store }, input);
          return { goals, lines };
        },
      );
    },
  },
  writeRoute(planUpdate),
  writeRoute(planCreate),
  writeRoute(planArchive),
  PLAN_CALL_ROUTE,
  planningRoute(planPacing, (profile, input, { context, signal }) =>
    withStore(context, async (store) => {
      const parts = { profile, store, place: context.storePlace, now: context.now(), signal };
      const result = await planPacing.run(parts, input);
      return { plan: result.plan, data: { ...planPacing.data?.(result), notes: planPacing.lines?.(result) } };
    }), "`pacing` by amount, `notes` on amounts and campaigns that are left alone"),
  planningRoute(
    planFrom,
    async (profile, input, { signal }) => ofAllowed(await planFrom.run({ profile, signal }, input)),
  ),
  {
    ...planningRoute(accountCopy, async (profile, input, { context, signal }) => {
      const target = (market: string) => context.ads.profile(market);
      return ofAllowed(await accountCopy.run({ profile, target, signal }, input));
    }),
    path: "/api/profiles/:profile/copy",
  },
  planningRoute(planFromHistory, async (profile, input, { context, signal }) => {
    const plans = () => Promise.resolve(context.folders.map(({ store }) => store));
    return ofAllowed(await planFromHistory.run({ profile, signal, plans }, input));
  }),
];

function jobRoutes<Of extends Fields, Result extends JobResult>(
  operation: JobOperation<Of, Result>,
): Route[] {
  const make: Make<Of> = async (profile, input, { context, signal }) => {
    const parts = {
      signal,
      ...managedIn(context.storePlace),
      plans: () => Promise.resolve(context.folders.map((one) => one.store)),
    };
    const result = await withOwnStore(
      context,
      (store) => operation.run({ profile, figures: { store, ...parts } }, input),
    );
    const { plan, considered, leftOut } = result;
    return { plan, data: { considered, ...shownOf(leftOut), ...operation.data?.(result) } };
  };
  const route = planningRoute(operation, make);
  return [route, {
    ...route,
    path: `${route.path}/preview`,
    about: `${route.about}, without saving the plan`,
    gives:
      `\`campaigns\` with the changes (at most ${MAX_PREVIEW}), \`changes\`, their number, \`spend\`, \`left_out_counts\` by reason, \`left_out\` (at most ${MAX_PREVIEW}), \`warnings\`, \`currency\`, \`decimals\``,
    run: async (call) => {
      const { plan, data } = await made(operation, make, call);
      return {
        changes: plan.changes.length,
        campaigns: planView(plan, { limit: MAX_PREVIEW }).campaigns,
        spend: spendOf(plan),
        warnings: plan.warnings,
        ...marketView(plan.countryCode),
        ...data,
      };
    },
  }];
}

function jobForm(
  { name, title, summary, details, examples, input }: Pick<
    Operation<Fields, never, unknown>,
    "name" | "title" | "summary" | "details" | "examples" | "input"
  >,
): Record<string, unknown> {
  return {
    path: name.replace(" ", "/"),
    title,
    summary,
    details,
    examples,
    fields: Object.entries(input).map(([field, declared]) => {
      const columns = declared.type !== "table"
        ? null
        : Object.entries(declared.columns).filter(([, { isInFiles }]) => isInFiles !== true);
      const { type, help, otherwise, required, isRare } = declared;
      return {
        name: field,
        type,
        help,
        default: defaultOf(declared) ?? null,
        otherwise: otherwise ?? null,
        required: required !== undefined,
        rare: isRare === true || Object.hasOwn(JOB_FIELDS, field),
        choices: "choices" in declared ? declared.choices : null,
        or: "or" in declared ? declared.or ?? null : null,
        columns: columns?.map(([column]) => column) ?? null,
        column_types: columns && Object.fromEntries(columns.map(([column, { type: of }]) => [column, of])),
      };
    }),
  };
}

function writeRoute<Of extends Fields>(operation: WriteOperation<Of>): Route {
  return planningRoute(
    operation,
    async (profile, input, { signal }) => ofAllowed(await operation.run({ profile, signal }, input)),
  );
}

function ofAllowed({ plan, denied }: AllowedPlan): Made {
  return { plan, data: denied && shownOf(denied) };
}

function shownOf(leftOut: readonly LeftOut[]): Record<string, unknown> {
  return leftOutData(leftOut, leftOut.slice(0, MAX_PREVIEW));
}

type Make<Of extends Fields> = (
  profile: ProfileClient,
  input: InputOf<Of>,
  call: ApiCall,
) => Promise<Made>;

type Planning<Of extends Fields> = Pick<Operation<Of, never, unknown>, "name" | "brief" | "input" | "check">;

async function made<Of extends Fields>(
  operation: Planning<Of>,
  make: Make<Of>,
  call: ApiCall,
): Promise<Made> {
  const { context, params, body } = call;
  const input = await refusingBadInput(() => jsonInput(operation, body));
  const profile = await context.ads.profile(params["profile"] ?? "");
  return await refusingBadInput(() => make(profile, input, call));
}

function planningRoute<Of extends Fields>(
  operation: Planning<Of>,
  make: Make<Of>,
  more?: string,
): Route {
  return {
    ...describedRoute(operation),
    gives: ["`plan_id` (null if nothing would change), `changes` (their number), `warnings`", more]
      .filter((part) => part !== undefined).join(", "),
    changes: true,
    run: async (call) => {
      const { plan, data } = await made(operation, make, call);
      const isEmpty = plan.changes.length === 0;
      if (!isEmpty) await savePlan(plan, call.context);
      return {
        plan_id: isEmpty ? null : plan.id,
        changes: plan.changes.length,
        warnings: plan.warnings,
        ...data,
      };
    },
  };
}
