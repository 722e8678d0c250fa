import { addDays, countDays } from "../../base/time/calendar.ts";
import type { EntityFigures } from "../../plans/review/estimate_money.ts";
import { type FiguresRequest, type FiguresSource, MONEY_DAYS } from "../../plans/review/figures_source.ts";
import { type EntityTotals, entityTotals } from "./entity_totals.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";

const DAYS = [7, 14, 30] as const;

const MAX_DAYS_BACK = 21;

/**
 * Figures of entities over the last 7, 14 and 30 complete days: `clicks30d`, `impressions30d`, `cost30d`, `sales30d`,
 * `orders30d`, and `acos30d` if there were sales. Sales and orders of Sponsored Products are those within 14 days of a
 * click. If the newest days are not stored, figures end with the newest stored day, at most 21 days earlier, and
 * `daysBack30d` tells how many days earlier. Entities with missing days are absent: their figures are unknown, not 0.
 *
 * @example
 * ```ts
 * import { entityFigures, Warehouse } from "@platform/ads/store";
 *
 * async function poor(store: Warehouse, profileId: string, keywordIds: readonly string[]): Promise<string[]> {
 *   const entities = keywordIds.map((id) => ({ kind: "sp.keywords", id }));
 *   const figures = await entityFigures(store, { profileId, today: "2026-11-22", entities });
 *   return [...figures].flatMap(([id, { acos30d }]) => acos30d !== undefined && acos30d > 0.4 ? [id] : []);
 * }
 * ```
 */
export async function entityFigures(
  store: Pick<Warehouse, "query" | "coverage">,
  { profileId, today, entities, changedOn }: FiguresRequest,
): Promise<Map<string, EntityFigures>> {
  const last = addDays(today, -1);
  const ranges = DAYS.map((days) => ({ start: addDays(today, -days), end: last }));
  const totals = await entityTotals(store, { profileId, entities, ranges, maxDaysBack: MAX_DAYS_BACK });
  const found = new Map<string, EntityFigures>();
  for (const { kind, id } of entities) {
    const ofEntity = totals.get(`${kind} ${id}`);
    if (ofEntity !== undefined) found.set(id, namedSums(ofEntity));
  }
  for (const [id, since] of await sinceChange(store, { profileId, today, entities, changedOn })) {
    const before = found.get(id);
    if (before !== undefined) found.set(id, { ...before, ...since });
  }
  return found;
}

async function sinceChange(
  store: Pick<Warehouse, "query" | "coverage">,
  { profileId, today, entities, changedOn }: FiguresRequest,
): Promise<Map<string, EntityFigures>> {
  const found = new Map<string, EntityFigures>();
  const last = addDays(today, -1);
  const days = new Map([...changedOn ?? []].filter(([, day]) => day >= addDays(today, -MONEY_DAYS)));
  for (const [day, own] of Map.groupBy(entities, ({ id }) => days.get(id))) {
    if (day === undefined) continue;
    const range = { start: addDays(day, 1), end: last };
    const stored = range.start > last
      ? undefined
      : await entityTotals(store, { profileId, entities: own, ranges: [range] });
    for (const { kind, id } of own) {
      const [totals] = stored?.get(`${kind} ${id}`) ?? [];
      found.set(
        id,
        totals === undefined
          ? { daysSinceChange: 0 }
          : { daysSinceChange: countDays(range), costSinceChange: totals.cost },
      );
    }
  }
  return found;
}

export function figuresOf(store: Pick<Warehouse, "query" | "coverage">): FiguresSource {
  return (request) => entityFigures(store, request);
}

function namedSums(totals: readonly (EntityTotals | undefined)[]): EntityFigures {
  const figures: Record<string, number> = {};
  for (const [at, days] of DAYS.entries()) {
    const sums = totals[at];
    if (sums === undefined) continue;
    for (const [name, sum] of Object.entries(sums)) figures[`${name}${days}d`] = sum;
    if (sums.sales > 0) figures[`acos${days}d`] = sums.cost / sums.sales;
  }
  return figures;
}
