import { dayIn } from "../../internal/calendar.ts";
import { decimalsOf, timeZoneOf } from "../../markets.ts";
import { unitsText } from "../../plans/experiment/experiment.ts";
import { experimentsIn } from "../../plans/experiment/running_experiments.ts";
import { laterPlans } from "../../plans/store/shown_plans.ts";
import { experimentCourse } from "../../store/figures/experiment_course.ts";
import { EFFECT_FIGURES, type EffectFigure } from "../../store/figures/experiment_outcome.ts";
import { planOutcome } from "../../store/figures/plan_outcome.ts";
import { ApiProblem } from "../http/api_problem.ts";
import type { ApiCall, Route } from "../http/route.ts";
import { foundPlan } from "../plans/found_plan.ts";
import { withStore } from "../store/open_store.ts";

/** Plans that hold a part back, and whether they worked. */
export const EXPERIMENT_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: "/api/experiments",
    about: "Lists what applied plans hold back for comparison, and until when",
    gives: "`experiments`, the newest first, and `open` plans that would hold a part back",
    run: async ({ context: { folders, now } }) => {
      const begun = (await Promise.all(folders.map(({ store }) => experimentsIn(store.path, now())))).flat();
      return {
        experiments: begun.sort((a, b) => a.appliedAt < b.appliedAt ? 1 : -1).map((
          { planId, countryCode, note, appliedAt, until, state, experiment },
        ) => ({
          plan_id: planId,
          country_code: countryCode,
          note,
          applied_at: appliedAt,
          until,
          state,
          held: experiment.held.length,
          units: Object.keys(experiment.strata).length,
          unit: unitsText(experiment.unit),
        })),
      };
    },
  },
  {
    method: "GET",
    path: "/api/experiments/:id",
    about: "Compares what a plan changed with what it held back, in a verdict, all figures and day by day",
    takes: {
      figure: `figure of the verdict and the curves: ${EFFECT_FIGURES.join(", ")}; sales when absent`,
      margin: "share of sales that is left before advertising, 0.3 for 30 %; absent for none",
    },
    gives:
      "`outcome` as `adsctl plan outcome --json` prints it, `course` by day, `experiment` with its units",
    run: experiment,
  },
];

async function experiment(call: ApiCall): Promise<unknown> {
  const { context, params, query } = call;
  const { plan, store } = await foundPlan(params["id"] ?? "", context);
  const applied = await store.applied(plan.id);
  if (plan.experiment === null || applied === undefined) {
    const why = plan.experiment === null ? "holds nothing back" : "was not applied";
    throw new ApiProblem(409, "NO_EXPERIMENT", `Cannot compare anything: plan ${plan.id} ${why}`);
  }
  const figure = figureOf(query["figure"]);
  const margin = marginOf(query["margin"]);
  const zone = timeZoneOf({ countryCode: plan.countryCode });
  const [day, today] = [dayIn(zone, Date.parse(applied.appliedAt)), dayIn(zone, context.now())];
  const later = await laterPlans(plan, applied.appliedAt, store);
  const days = plan.experiment.weeks * 7;
  const isDone = (at: number): boolean => applied.changes[at]?.outcome === "done";
  const { held, strata, ...about } = plan.experiment;
  return await withStore(context, async (warehouse) => {
    const outcome = await planOutcome(warehouse, {
      plan,
      applied,
      now: context.now(),
      figure,
      margin,
      later,
    });
    return {
      note: plan.note,
      decimals: decimalsOf(plan.countryCode),
      time_zone: zone,
      day,
      experiment: {
        ...about,
        unit: unitsText(about.unit),
        held: held.length,
        of: Object.keys(strata).length,
      },
      outcome: { ...outcome, changes: outcome.changes.length },
      course: await experimentCourse(
        warehouse,
        { plan, day, today, days, figure, isDone },
        outcome.comparison.voided,
      ),
    };
  });
}

function figureOf(text = "sales"): EffectFigure {
  const figure = EFFECT_FIGURES.find((one) => one === text);
  if (figure !== undefined) return figure;
  throw new ApiProblem(
    400,
    "BAD_REQUEST",
    `Cannot judge by "${text}": expected one of ${EFFECT_FIGURES.join(", ")}`,
  );
}

function marginOf(text: string | undefined): number | undefined {
  if (text === undefined || text === "") return undefined;
  const margin = Number(text);
  if (margin > 0 && margin <= 1) return margin;
  throw new ApiProblem(400, "BAD_REQUEST", `Cannot use the margin "${text}": expected a share such as 0.3`);
}
