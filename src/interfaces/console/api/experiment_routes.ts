import { Rollout } from "../../../account/rollout/rollout.ts";
import { drawnProfiles } from "../../../account/rollout/rollout_experiment.ts";
import { ConfigurationError } from "../../../errors.ts";
import type { ChangePlan } from "../../../plans/change_plan/change_plan.ts";
import type { AppliedRecord } from "../../../plans/store/applied_record.ts";
import type { ConsoleContext } from "../http/console_context.ts";
import { countDays, dayIn } from "../../../base/time/calendar.ts";
import { decimalsOf, timeZoneOf } from "../../../base/markets/markets.ts";
import { type Experiment, unitsText } from "../../../plans/model/experiment.ts";
import { experimentStands } from "../../../plans/store/running_experiments.ts";
import { experimentCourse } from "../../../store/figures/experiment_course.ts";
import { EFFECT_FIGURES, rangeVerdict } from "../../../store/figures/experiment_outcome.ts";
import { jsonInput } from "../../../operations/model/field_schema.ts";
import { planHeldBack } from "../../../operations/plans/plan_held_back.ts";
import { NOTE_FIELD } from "../../../operations/plans/write_operation.ts";
import { type FoundExperiments, planExperiments } from "../../../operations/reads/plan_experiments.ts";
import { powerText } from "../../../operations/reads/plan_power.ts";
import { compareRollout, type RolloutOutcomeContext } from "../../../operations/reads/rollout_outcome.ts";
import type { InputOf } from "../../../operations/model/field.ts";
import { planOutcome } from "../../../operations/reads/plan_outcome.ts";
import { ApiProblem, refusingBadInput } from "../http/responses.ts";
import type { ApiCall, Route } from "../http/route.ts";
import { savePlan } from "../plans/save_plan.ts";
import { foundPlan } from "../plans/found_plan.ts";
import { withStore } from "../http/open_store.ts";

export const EXPERIMENT_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: "/api/experiments",
    about: planExperiments.brief,
    gives:
      "`experiments` of plans and rollouts, the newest first, and `schedules` with weeks on and off, or the `problem` of their file; `damaged`, paths of records that are left out",
    run: async ({ context }) => {
      const { plans, schedules, problem, damaged } = await begunExperiments(context);
      return {
        schedules,
        problem,
        damaged,
        experiments: plans.map((
          { planId, countryCode, note, appliedAt, until, state, experiment, rollout },
        ) => ({
          plan_id: planId,
          country_code: rollout === null ? countryCode : null,
          rollout,
          note,
          applied_at: appliedAt,
          until,
          state,
          held: experiment.held.length,
          units: Object.keys(experiment.strata).length,
          changed: Object.keys(experiment.strata).length - experiment.held.length,
          unit: unitsText(experiment.unit),
        })),
      };
    },
  },
  {
    method: "GET",
    path: "/api/experiments/:id",
    about: "Compares the changed and held-back parts of a plan: verdict, all figures, and by day",
    takes: {
      figure: `figure of the verdict and the curves: ${EFFECT_FIGURES.join(", ")}; sales when absent`,
      margin: "profit margin before advertising, as a share of sales: 0.3 for 30 %; optional",
    },
    gives:
      "`outcome` as `adsctl plan outcome --json` prints it, `verdicts` by figure, `course` by day, `experiment` with its units, its state and how many `held_changes` can be planned, the folder of a `rollout`",
    run: experiment,
  },
  {
    method: "GET",
    path: "/api/experiments/:id/power",
    about: "Estimates the chance that a running experiment finds an effect of 10 %, from stored days",
    gives: "`lines`, sentences as `adsctl plan power` prints them, and `days_left`",
    run: power,
  },
  {
    method: "POST",
    path: "/api/experiments/:id/held-back",
    about: planHeldBack.brief,
    takes: { note: NOTE_FIELD.note.help },
    gives: "`plan_id` of an ordinary plan, which is reviewed and approved like any other",
    changes: true,
    run: heldBack,
  },
];

export async function begunExperiments({ folders, now, files }: ConsoleContext): Promise<FoundExperiments> {
  return await planExperiments.run({
    folders: folders.map(({ store }) => store.path),
    usualSchedules: files.schedules,
    now: now(),
  }, {});
}

async function heldBack({ context, params, body, signal }: ApiCall): Promise<{ readonly plan_id: string }> {
  const { id = "" } = params;
  const input = await refusingBadInput(() => jsonInput(planHeldBack, { ...body, plan_id: id }));
  const { plan, store } = await foundPlan(id, context);
  const profile = context.ads.profileFrom(plan.profileId, plan.countryCode);
  try {
    const made = await planHeldBack.run({ plan, profile, signal }, input);
    if (made.changes.length === 0) {
      throw new ApiProblem(409, "NOTHING_LEFT", `Nothing is left to plan: ${made.warnings.join("; ")}`);
    }
    await savePlan(made, context, store);
    return { plan_id: made.id };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new ApiProblem(409, "NO_EXPERIMENT", error.message);
  }
}

async function power({ context, params }: ApiCall): Promise<unknown> {
  const { plan, store } = await foundPlan(params["id"] ?? "", context);
  const applied = await store.applied(plan.id);
  if (plan.experiment === null || applied === undefined) {
    throw new ApiProblem(409, "NO_EXPERIMENT", `Plan ${plan.id} has no experiment that runs`);
  }
  const { until } = standingOf(plan, plan.experiment, { applied, context });
  const today = dayIn(timeZoneOf(plan), context.now());
  const drawn = plan.experiment.unit === "profile"
    ? await drawnProfiles(await Rollout.open(store.path))
    : undefined;
  return {
    days_left: today > until ? 0 : countDays({ start: today, end: until }) - 1,
    lines: await withStore(
      context,
      (store) => powerText({ plan, ...drawn, store, now: context.now() }),
    ),
  };
}

function standingOf(
  { countryCode }: ChangePlan,
  experiment: Pick<Experiment, "weeks">,
  { applied, context }: { applied: AppliedRecord; context: ConsoleContext },
): ReturnType<typeof experimentStands> {
  const { appliedAt, undoneAt, isUndoneInPart } = applied;
  const isUndone = undoneAt !== undefined && !isUndoneInPart;
  return experimentStands(experiment, { countryCode, appliedAt, isUndone, now: context.now() });
}

async function experiment(call: ApiCall): Promise<unknown> {
  const { context, params, query } = call;
  const { plan, store } = await foundPlan(params["id"] ?? "", context);
  const applied = await store.applied(plan.id);
  if (plan.experiment === null || applied === undefined) {
    const why = plan.experiment === null ? "holds nothing back" : "was not applied";
    throw new ApiProblem(409, "NO_EXPERIMENT", `Cannot compare anything: plan ${plan.id} ${why}`);
  }
  const { figure = "sales", margin } = query;
  const input = await refusingBadInput(() =>
    jsonInput(planOutcome, { plan_id: plan.id, figure, ...margin ? { margin: Number(margin) } : {} })
  );
  const zone = timeZoneOf({ countryCode: plan.countryCode });
  const [day, today] = [dayIn(zone, Date.parse(applied.appliedAt)), dayIn(zone, context.now())];
  const isDone = (at: number): boolean => applied.changes[at]?.outcome === "done";
  const { held, strata, changes, goals: _, ...about } = plan.experiment;
  const days = plan.experiment.weeks * 7;
  return await withStore(context, async (warehouse) => {
    const plans = context.folders.map((one) => one.store);
    const at = { store: warehouse, plans, now: context.now() };
    const rollout = await ofRollout(plan, { ...at, folder: store.path }, input);
    const outcome = await planOutcome.run({ ...at, plan, applied }, input);
    const { request, comparison } = rollout ??
      { request: { plan, day, today, days, isDone }, comparison: outcome.comparison };
    // Of a rollout, sums of one of its plans would say little.
    const whole = rollout === undefined ? {} : { totals: { before: null, after: null } };
    return {
      note: plan.note,
      rollout: rollout === undefined ? null : store.path,
      decimals: decimalsOf(plan.countryCode),
      time_zone: zone,
      day,
      experiment: {
        ...about,
        unit: unitsText(about.unit),
        held: held.length,
        of: Object.keys(strata).length,
        ...standingOf(plan, about, { applied, context }),
        held_changes: about.unit === "profile" ? null : changes?.length ?? null,
      },
      outcome: {
        ...outcome,
        ...whole,
        verdict: comparison.verdict,
        comparison,
        changes: outcome.changes.length,
      },
      verdicts: Object.fromEntries(
        Object.entries(comparison.effects).map(([name, range]) => [name, rangeVerdict(range)]),
      ),
      course: await experimentCourse(warehouse, { ...request, figure: input.figure }, comparison.voided),
    };
  });
}

async function ofRollout(
  { experiment }: ChangePlan,
  context: Omit<RolloutOutcomeContext, "rollout"> & { readonly folder: string },
  input: InputOf<typeof planOutcome.input>,
): ReturnType<typeof compareRollout> {
  if (experiment?.unit !== "profile") return undefined;
  try {
    return await compareRollout({ ...context, rollout: await Rollout.open(context.folder) }, input);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new ApiProblem(409, "NO_EXPERIMENT", error.message);
  }
}
