import { idKey } from "../../base/json/id_of.ts";
import { shrinkAcos, shrinkRates } from "../../base/statistics/shrink_rates.ts";
import type { EntityFields } from "../../plans/model/change.ts";
import type { EntityFigures } from "../../plans/review/estimate_money.ts";
import type { Condition } from "../../plans/policy/condition.ts";

interface Placed {
  readonly id: string;
  readonly fields: EntityFields;
}

/** Adds the columns `acos30d_est`, `_low` and `_high` to entities, and the same for `cvr` and `ctr`. */
export function withIntervals(
  entities: readonly Placed[],
  figures: ReadonlyMap<string, EntityFigures>,
  { intervals, days: longest }: Pick<Condition, "intervals" | "days">,
): ReadonlyMap<string, EntityFigures> {
  if (intervals.length === 0) return figures;
  const found = new Map([...figures].map(([id, own]) => [id, { ...own }]));
  for (const days of new Set([...intervals, longest])) {
    const counts = entities.flatMap(({ id, fields }) => {
      const sum = (name: string): number | undefined => figures.get(id)?.[`${name}${days}d`];
      const [impressions, clicks, orders] = [sum("impressions"), sum("clicks"), sum("orders")];
      const [cost, sales] = [sum("cost"), sum("sales")];
      const parents = [idKey(fields, "campaignId"), idKey(fields, "adGroupId")];
      return impressions === undefined || clicks === undefined || orders === undefined ||
          cost === undefined ||
          sales === undefined
        ? []
        : [{ id, parents, impressions, clicks, orders, cost, sales }];
    });
    const add = (
      rate: string,
      id: string,
      values: Readonly<Record<"est" | "low" | "high", number>>,
    ): void => {
      const own = found.get(id);
      if (own === undefined) return;
      for (const [end, value] of Object.entries(values)) own[`${rate}${days}d_${end}`] = value;
    };
    for (const { id, acos, low, high } of shrinkAcos(counts)) add("acos", id, { est: acos, low, high });
    if (!intervals.includes(days)) continue;
    for (
      const [rate, successes, trials] of [["cvr", "orders", "clicks"], [
        "ctr",
        "clicks",
        "impressions",
      ]] as const
    ) {
      const known = counts.filter((one) => one[trials] > 0);
      const rates = shrinkRates(
        known.map((one) => ({
          id: one.id,
          parents: one.parents,
          successes: one[successes],
          trials: one[trials],
        })),
      );
      for (const { id, rate: est, low, high } of rates) add(rate, id, { est, low, high });
    }
  }
  return found;
}
