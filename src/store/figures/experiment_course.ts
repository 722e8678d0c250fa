import { measureEffect } from "../../base/statistics/measure_effect.ts";
import { addDays, eachDay } from "../../base/time/calendar.ts";
import { ATTRIBUTION_DAYS } from "./immature_note.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import { comparedUnits, type ComparisonRequest, type EffectFigure, unitsOf } from "./experiment_outcome.ts";
import { unitDays } from "./unit_totals.ts";

const WINDOW = 7;
const REDRAWS = 400;

interface ExperimentCourse {
  readonly figure: EffectFigure;
  /** Days in order. No mean includes the day of the application. */
  readonly days: readonly string[];
  readonly changed: readonly (number | null)[];
  readonly held: readonly (number | null)[];
  /** Lower bound of the value expected without the change, at 95 % confidence. */
  readonly low: readonly (number | null)[];
  readonly high: readonly (number | null)[];
  readonly immature_from: string | null;
  readonly missing: readonly string[];
}

export async function experimentCourse(
  store: Pick<Warehouse, "query" | "coverage">,
  { plan, day, today, days: length, figure = "sales", isDone, rollout }: ComparisonRequest,
  voided: readonly string[] = [],
): Promise<ExperimentCourse> {
  const { experiment } = plan;
  const start = addDays(day, -length);
  const lastDay = rollout?.lastDay ?? day;
  const end = [addDays(today, -1), addDays(lastDay, length)].sort()[0] ?? day;
  const days = start > end ? [] : [...eachDay({ start, end })];
  const young = addDays(today, -ATTRIBUTION_DAYS);
  const ids = comparedUnits({ plan, isDone, rollout }, voided);
  if (experiment === null || days.length === 0) {
    return { figure, days: [], changed: [], held: [], low: [], high: [], immature_from: null, missing: [] };
  }
  const { units, missing } = await unitDays(store, {
    ...unitsOf({ plan, rollout }, { start, end: addDays(day, -1) }),
    range: { start, end },
    figures: [figure],
  });
  const applied = days.indexOf(day) === -1 ? days.length : days.indexOf(day);
  const last = days.indexOf(lastDay) === -1 ? days.length : days.indexOf(lastDay);
  const values = (id: string): readonly number[] => units[figure].get(id) ?? [];
  const sum = (id: string, from: number, to: number): number =>
    values(id).slice(from, to).reduce((all, value) => all + value, 0);
  const point = (members: readonly string[]) => (_: string, at: number): number | null => {
    const from = at - WINDOW + 1;
    // A week on one side of the application.
    const isBetween = at >= applied && from <= last;
    if (from < 0 || isBetween) return null;
    const before = members.reduce((all, id) => all + sum(id, 0, applied), 0) / applied;
    const now = members.reduce((all, id) => all + sum(id, from, at + 1), 0) / WINDOW;
    return before > 0 ? now / before * 100 : null;
  };
  const changed = days.map(point(ids.treated));
  const bounds = days.map((_, at): readonly [number | null, number | null] => {
    const value = changed[at];
    if (at <= applied || value === null || value === undefined) return [null, null];
    const part = (id: string) => ({
      id,
      before: sum(id, 0, applied),
      after: sum(id, at - WINDOW + 1, at + 1),
      stratum: experiment.strata[id]!,
    });
    try {
      const { low, high } = measureEffect({
        treated: ids.treated.map(part),
        held: ids.held.map(part),
        seed: experiment.seed,
        redraws: REDRAWS,
      });
      return [value / (1 + high), low <= -1 ? null : value / (1 + low)];
    } catch (error) {
      // Days on which a group has nothing to compare have no interval.
      if (!(error instanceof RangeError)) throw error;
      return [null, null];
    }
  });
  return {
    figure,
    days,
    changed,
    held: days.map(point(ids.held)),
    low: bounds.map(([low]) => low),
    high: bounds.map(([, high]) => high),
    immature_from: end >= young ? young : null,
    missing,
  };
}
