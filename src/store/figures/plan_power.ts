import { measurePower, type Power } from "../../base/statistics/measure_power.ts";
import { addDays, type DayRange } from "../../base/time/calendar.ts";
import { type ExperimentUnitKind, unitsText } from "../../plans/model/experiment.ts";
import type { PlanData } from "../../plans/model/plan_data.ts";
import { ATTRIBUTION_DAYS } from "./immature_note.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import type { EffectFigure, RolloutFacts } from "./experiment_outcome.ts";
import { unitDays } from "./unit_totals.ts";

/** Input of a power calculation for a plan. */
export interface PlanPowerRequest {
  /** The plan; if it holds nothing back, `share` is the part to hold back. */
  readonly plan: PlanData;
  /** Current day in the profile's time zone, `YYYY-MM-DD`; days with incomplete orders are left out. */
  readonly today: string;
  /** Effect to detect; 0.1 is +10 %. @default 0.1 */
  readonly effect?: number | undefined;
  /** Number of weeks after the application. @default those of the experiment, otherwise 4 */
  readonly weeks?: number | undefined;
  /** Share to hold back if the plan has no experiment. @default 0.25 */
  readonly share?: number | undefined;
  /** Figure in which to detect the effect. */
  readonly figure?: EffectFigure | undefined;
  /** Number of simulated experiments. @default 500, fewer for many units */
  readonly tries?: number | undefined;
  /** Facts of the rollout whose profiles were drawn. */
  readonly rollout?: Pick<RolloutFacts, "currencies" | "kinds"> | undefined;
}

/** Expected power of an experiment with a plan. Names are those of `--json`. */
export interface PlanPower {
  /** Chance of finding the effect, 0 to 1. */
  readonly power: number;
  /** Weeks until power reaches 80 %; `null` if the stored days are too few to tell. */
  readonly weeks_for_80: number | null;
  /** Smallest increase found with a power of 80 % after these weeks; `null` if not even +400 % is found. */
  readonly smallest_effect: number | null;
  /** Effect to detect. */
  readonly effect: number;
  /** Number of weeks after the application. */
  readonly weeks: number;
  /** Figure tested for the effect. */
  readonly figure: EffectFigure;
  /** Share that is held back. */
  readonly share: number;
  /** Kind of the drawn units. */
  readonly unit: ExperimentUnitKind;
  /** Number of units. */
  readonly units: number;
  /** Stored days that the simulation used. */
  readonly days: DayRange;
  /** Number of simulated experiments. */
  readonly tries: number;
}

const [DAYS_BEFORE, FEWEST_BEFORE] = [28, 14];
const MORE_WEEKS = 4;

/**
 * Simulates an experiment with a plan on the stored history of the entities it changes.
 *
 * @throws {RangeError} when too few days are stored, or too few units would be drawn.
 *
 * @example
 * ```ts
 * import type { ChangePlan } from "@platform/ads";
 * import { planPower, Warehouse } from "@platform/ads/store";
 *
 * async function chance(store: Warehouse, plan: ChangePlan): Promise<void> {
 *   const { power, weeks_for_80 } = await planPower(store, { plan, today: "2026-11-24", effect: 0.1 });
 *   console.log(`${Math.round(power * 100)} %`, weeks_for_80);
 * }
 * ```
 */
export async function planPower(
  store: Pick<Warehouse, "query" | "coverage">,
  request: PlanPowerRequest,
): Promise<PlanPower> {
  const { plan, today, effect = 0.1, figure = "sales", rollout } = request;
  const { experiment, profileId } = plan;
  if (experiment?.unit === "profile" && rollout === undefined) {
    throw new RangeError("Whole profiles were held back in a rollout: measure the power of its folder");
  }
  const { weeks = experiment?.weeks ?? 4, share = experiment?.share ?? 0.25 } = request;
  const unit = experiment?.unit ?? "keyword";
  const ids = experiment === null
    ? plan.changes.flatMap(({ id }) => id ?? [])
    : Object.keys(experiment.strata);
  if (ids.length < 4) {
    throw new RangeError(
      `Cannot measure power: the plan has ${ids.length} ${unitsText(unit)}, too few to split`,
    );
  }
  const kinds = rollout?.kinds ?? plan.changes.map(({ kind }) => kind);
  const end = addDays(today, -ATTRIBUTION_DAYS - 1);
  const needed = FEWEST_BEFORE + weeks * 7;
  // Where fewer days are stored, the shortest past that will do.
  let [days, found] = [
    DAYS_BEFORE + (weeks + MORE_WEEKS) * 7,
    undefined as Awaited<ReturnType<typeof unitDays>> | undefined,
  ];
  for (; days >= needed; days -= 7) {
    const range = { start: addDays(end, 1 - days), end };
    const profiles = rollout && { currencies: rollout.currencies, scaledBy: range };
    found = await unitDays(store, {
      profileId,
      unit,
      kinds,
      profiles,
      range,
      figures: [figure],
      isWhole: true,
    });
    if (found.missing.length === 0) break;
  }
  if (found === undefined || found.missing.length > 0) {
    throw new RangeError(
      `Cannot measure power over ${weeks} ${
        weeks === 1 ? "week" : "weeks"
      }: that needs ${needed} stored days until ` +
        `${end}, and the store lacks ${found?.missing.join("; ")}. Sync them, or ask for fewer weeks`,
    );
  }
  const zero = new Array<number>(days).fill(0);
  const units = ids.map((id) => ({ id, days: found.units[figure].get(id) ?? zero }));
  const tries = request.tries ?? Math.max(100, Math.min(500, Math.round(100_000 / units.length)));
  const seed = experiment?.seed ?? "power";
  const { power, weeksFor80, smallestEffect }: Power = measurePower({
    units,
    effect,
    weeks,
    share,
    seed,
    tries,
    daysBefore: Math.min(DAYS_BEFORE, days - weeks * 7),
  });
  return {
    power,
    weeks_for_80: weeksFor80 ?? null,
    smallest_effect: smallestEffect ?? null,
    effect,
    weeks,
    figure,
    share,
    unit,
    units: units.length,
    days: { start: addDays(end, 1 - days), end },
    tries,
  };
}
