import { drawSwitchBack, measureSwitchBack, type SwitchBackWeek } from "../../base/statistics/switch_back.ts";
import { addDays, countDays, eachDay } from "../../base/time/calendar.ts";
import {
  EFFECT_FIGURES,
  type EffectFigure,
  type EffectRange,
  type OutcomeVerdict,
  verdictOf,
} from "../../store/figures/experiment_outcome.ts";
import { unitDays } from "../../store/figures/unit_totals.ts";
import { ATTRIBUTION_DAYS } from "../../store/figures/immature_note.ts";
import type { Warehouse } from "../../store/warehouse/warehouse.ts";
import type { KeptCalendar } from "./kept_calendars.ts";
import type { Schedule } from "./schedule.ts";

/** Input of {@linkcode scheduleOutcome}. */
export interface ScheduleOutcomeRequest {
  /** The schedule to measure; it needs an experiment unless `calendar` is given. */
  readonly schedule: Schedule;
  /**
   * Calendar recorded by ticks, used instead of the schedule's own calendar and instead of `campaignIds`.
   *
   * @default none is known: the schedule's own
   */
  readonly calendar?: KeptCalendar | undefined;
  /** Id of the profile that has the campaigns. */
  readonly profileId: string;
  /** Ids of the campaigns that the schedule selects. */
  readonly campaignIds: readonly string[];
  /** The current day in the profile's time zone. */
  readonly today: string;
  /** The figure that the verdict is about. @default sales */
  readonly figure?: EffectFigure | undefined;
}

/** Measured effect of a schedule, from the weeks with and without it. Field names are those of `--json`. */
export interface ScheduleOutcome {
  /** Name of the schedule. */
  readonly schedule: string;
  /** Verdict on the schedule's effect on the figure. */
  readonly verdict: OutcomeVerdict;
  /** The figure that the verdict is about. */
  readonly figure: EffectFigure;
  /** Reason for the verdict, in one sentence. */
  readonly reason: string;
  /** Number of campaigns that the schedule selects. */
  readonly campaigns: number;
  /** Number of pairs of weeks that were compared. */
  readonly pairs: number;
  /** Calendar of the experiment. */
  readonly weeks: readonly SwitchBackWeek[];
  /** Day of the schedule's first tick; `null` if unknown. */
  readonly since: string | null;
  /** Day of the first edit, from which weeks no longer count; `null` if the schedule was not edited. */
  readonly edited_on: string | null;
  /** Effects by figure, as fractions: 0.2 is +20 %. */
  readonly effects: Readonly<Record<string, EffectRange>>;
  /** Days that are not stored. */
  readonly missing: readonly string[];
}

const FEWEST_PAIRS = 6;

/**
 * Measures the effect of a schedule with an experiment: compares weeks with and without the schedule, in pairs, over
 * the selected campaigns. Leaves out the first day of each week, on which the previous setting still has an effect,
 * and weeks with incomplete orders. Reads only the store.
 *
 * @throws {RangeError} for a schedule without an experiment.
 *
 * @example
 * ```ts
 * import { type Schedule, scheduleOutcome } from "@platform/ads/schedules";
 * import type { Warehouse } from "@platform/ads/store";
 *
 * async function show(store: Warehouse, schedule: Schedule, campaignIds: readonly string[]): Promise<void> {
 *   const outcome = await scheduleOutcome(store, { schedule, profileId: "12", campaignIds, today: "2026-11-24" });
 *   console.log(outcome.verdict, outcome.reason);
 * }
 * ```
 */
export async function scheduleOutcome(
  store: Pick<Warehouse, "query" | "coverage">,
  { schedule, calendar, profileId, today, figure = "sales", ...given }: ScheduleOutcomeRequest,
): Promise<ScheduleOutcome> {
  const { name, experiment, select } = calendar?.schedule ?? schedule;
  const campaignIds = calendar?.campaignIds ?? given.campaignIds;
  if (experiment === undefined) {
    throw new RangeError(
      `Cannot measure schedule "${name}": it has no experiment and ran every week`,
    );
  }
  const weeks = calendar?.weeks ?? drawSwitchBack(experiment);
  const mature = addDays(today, -ATTRIBUTION_DAYS - 1);
  const { since = null, editedOn = null } = calendar ?? {};
  // A week that was edited, or that began before the first tick, is not what the draw says.
  const isWhole = ({ start, end }: SwitchBackWeek): boolean =>
    (since === null || start >= since) && (editedOn === null || end < editedOn);
  const whole = [...Map.groupBy(weeks, ({ pair }) => pair).values()].filter((pair) => pair.every(isWhole));
  const used = whole.filter((pair) => pair.every(({ end }) => end <= mature)).flat();
  const done = used.length / 2;
  const known = {
    schedule: name,
    figure,
    campaigns: campaignIds.length,
    pairs: done,
    weeks,
    since,
    edited_on: editedOn,
    effects: {},
    missing: [],
  };
  if (whole.length < FEWEST_PAIRS && whole.length < weeks.length / 2) {
    const why = editedOn !== null
      ? `The schedule was edited on ${editedOn}`
      : `Its first tick was on ${since}`;
    return {
      ...known,
      verdict: "not_known",
      reason: `${why}, so that only ${whole.length} pairs of its weeks are whole; ${FEWEST_PAIRS} are needed`,
    };
  }
  if (done < FEWEST_PAIRS) {
    const last = whole[FEWEST_PAIRS - 1]?.[1]?.end ?? weeks.at(-1)!.end;
    return {
      ...known,
      verdict: "too_early",
      reason: `${done} of ${FEWEST_PAIRS} needed pairs of weeks have complete orders: ask again from ${
        addDays(last, ATTRIBUTION_DAYS + 1)
      } on`,
    };
  }
  const range = { start: used[0]!.start, end: used.at(-1)!.end };
  const kinds = (select?.products ?? ["sp"]).map((product) => `${product}.campaigns`);
  const { units, missing } = await unitDays(store, {
    profileId,
    unit: "campaign",
    kinds,
    range,
    figures: EFFECT_FIGURES,
    ids: campaignIds,
  });
  if (missing.length > 0) {
    return { ...known, verdict: "not_known", reason: "Not all of its days are stored", missing };
  }
  const effects: Record<string, EffectRange> = {};
  for (const one of EFFECT_FIGURES) {
    const sum = ({ start, end }: SwitchBackWeek): number =>
      [...eachDay({ start: addDays(start, 1), end })].reduce((total, day) => {
        const at = countDays({ start: range.start, end: day }) - 1;
        return total + [...units[one].values()].reduce((all, days) => all + (days[at] ?? 0), 0);
      }, 0);
    const pairs = Array.from({ length: done }, (_, pair) => {
      const [first, second] = [used[2 * pair]!, used[2 * pair + 1]!];
      const [on, off] = first.isOn ? [first, second] : [second, first];
      return { on: sum(on), off: sum(off) };
    });
    // A week without any has no ratio.
    if (pairs.some(({ on, off }) => on === 0 || off === 0)) continue;
    const { effect, low, high } = measureSwitchBack(pairs, { seed: experiment.seed });
    effects[one] = { effect, low, high: Number.isFinite(high) ? high : null };
  }
  return { ...known, ...verdictOf(effects[figure], figure), effects };
}
