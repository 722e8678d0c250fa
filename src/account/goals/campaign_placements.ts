import { fieldsOf } from "../../base/json/fields_of.ts";
import { addDays, type Day } from "../../base/time/calendar.ts";
import type { GoalFigures } from "./goal_figures.ts";
import type { Goal } from "./goals_file.ts";
import type { PlacementFigures } from "./model.ts";
import { PLACEMENTS, UNNAMED } from "./placement_changes.ts";
import type { GoalPlace } from "./read_goals.ts";

export function placementsOf({ id, fields }: GoalPlace, { placements }: GoalFigures): PlacementFigures[] {
  const percents = new Map(
    placementBidsOf(fields).map(({ placement, percentage }) => [String(placement), Number(percentage ?? 0)]),
  );
  const sums = new Map((placements.get(id) ?? []).map((one) => [one.placement, one]));
  return PLACEMENTS.map(({ report, campaign }) => ({
    adjustment: (percents.get(campaign) ?? 0) / 100,
    clicks: sums.get(report)?.clicks ?? 0,
    orders: sums.get(report)?.orders ?? 0,
  }));
}

/**
 * Returns a function that computes the mean factor by which a campaign's placement adjustments raised its bids on the
 * given days.
 */
export function multiplierOf(
  id: string,
  placements: readonly PlacementFigures[],
  { figures: { placementChanges }, noon }: {
    readonly figures: Pick<GoalFigures, "placementChanges">;
    readonly noon: ReadonlyMap<Day, number>;
  },
): (days: readonly Day[]) => number {
  const clicks = placements.reduce((all, one) => all + one.clicks + 1, 0);
  const mean = (adjustments: readonly number[]): number =>
    placements.reduce((all, one, k) => all + (one.clicks + 1) * (1 + (adjustments[k] ?? 0)), 0) /
    Math.max(1, clicks);
  const changes = PLACEMENTS.map(({ campaign }) => placementChanges.get(`${id} ${campaign}`) ?? []);
  const now = mean(placements.map(({ adjustment }) => adjustment));
  if (changes.every(({ length }) => length === 0)) return () => now;
  const then = (day: Day): number =>
    mean(placements.map(({ adjustment }, k) => {
      const later = changes[k]?.find(({ at }) => at > (noon.get(day) ?? 0));
      const before = Number(later?.before ?? NaN) / 100;
      return Number.isFinite(before) ? before : adjustment;
    }));
  return (days) => days.reduce((all, day) => all + then(day), 0) / Math.max(1, days.length);
}

/** True if a placement adjustment of the campaign changed recently, or if that is unknown. */
export function isCoolingPlacement(
  id: string,
  { limits: { cooling } }: Goal,
  { placementChanges, placementsUnread, today }: GoalFigures,
): boolean {
  if (placementsUnread !== undefined) return true;
  const moments = [...PLACEMENTS.map(({ campaign }) => campaign), UNNAMED].flatMap((placement) =>
    placementChanges.get(`${id} ${placement}`)?.map(({ at }) => at) ?? []
  );
  return moments.some((at) => at >= Date.parse(`${addDays(today, 1 - cooling)}T00:00:00Z`));
}

/** Returns the placement adjustments of a campaign with the given changes; the other adjustments stay unchanged. */
export function placementBidding(
  fields: GoalPlace["fields"],
  adjustments: readonly number[],
): readonly Readonly<Record<string, unknown>>[] {
  const now = placementBidsOf(fields);
  const next = PLACEMENTS.map(({ campaign }, k) => ({
    placement: campaign,
    percentage: Math.round(100 * (adjustments[k] ?? 0)),
  }));
  const stays = now.filter(({ placement }) => next.every((one) => one.placement !== placement));
  const isThere = (placement: string): boolean => now.some((one) => one["placement"] === placement);
  return [...stays, ...next.filter(({ placement, percentage }) => percentage > 0 || isThere(placement))];
}

function placementBidsOf({ dynamicBidding }: GoalPlace["fields"]): Readonly<Record<string, unknown>>[] {
  const list = fieldsOf(dynamicBidding)["placementBidding"];
  return Array.isArray(list) ? list.map(fieldsOf) : [];
}
