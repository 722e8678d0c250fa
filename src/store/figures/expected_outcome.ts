import type { Exponent } from "../../base/statistics/measure_elasticity.ts";
import type { PlanData } from "../../plans/model/plan_data.ts";
import { ownBid } from "../../plans/state/amounts.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import type { MeasuredResponse } from "./bid_response.ts";
import { entityFigures } from "./entity_figures.ts";

export interface ExpectedFigure {
  readonly before: number;
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

export interface ExpectedOutcome {
  readonly plan_id: string;
  readonly verdict: "known" | "unknown";
  readonly reason: string | null;
  readonly changes_used: number;
  readonly changes_needed: number;
  readonly exponents: { readonly clicks: Exponent; readonly cpc: Exponent; readonly spend: Exponent } | null;
  readonly bids: number;
  readonly weighed: number;
  readonly clicks_per_day: ExpectedFigure | null;
  readonly cost_per_day: ExpectedFigure | null;
  readonly estimate:
    | { readonly low: number; readonly high: number; readonly basis: readonly string[] }
    | null;
}

const DAYS = 30;

export async function expectedOutcome(
  store: Pick<Warehouse, "query" | "coverage">,
  { plan, today, response }: {
    readonly plan: PlanData;
    readonly today: string;
    readonly response: MeasuredResponse;
  },
): Promise<ExpectedOutcome> {
  const bids = plan.changes.flatMap(({ kind, op, id, before, after }) => {
    const [from, to] = [ownBid(kind, before), ownBid(kind, after)];
    return op === "update" && id !== null && from !== undefined && to !== undefined && from > 0 && to > 0
      ? [{ kind, id, ratio: to / from }]
      : [];
  });
  const figures = await entityFigures(store, { profileId: plan.profileId, today, entities: bids });
  const weighed = bids.flatMap(({ id, ratio }) => {
    const { clicks30d: clicks, cost30d: cost } = figures.get(id) ?? {};
    return clicks === undefined || cost === undefined ? [] : [{ ratio, clicks, cost }];
  });
  const { elasticity, spend, changes, needed } = response;
  const reason = bids.length === 0
    ? "the plan changes no bid"
    : weighed.length === 0
    ? "the last 30 days of the changed entities are not stored"
    : response.unknown;
  const expected = (figure: "clicks" | "cost", exponent: Exponent): ExpectedFigure => {
    const sums = { before: 0, value: 0, low: 0, high: 0 };
    for (const one of weighed) {
      const daily = one[figure] / DAYS;
      const ends = [daily * one.ratio ** exponent.low, daily * one.ratio ** exponent.high];
      sums.before += daily;
      sums.value += daily * one.ratio ** exponent.value;
      sums.low += Math.min(...ends);
      sums.high += Math.max(...ends);
    }
    return sums;
  };
  const isKnown = reason === null && elasticity !== null && spend !== null;
  return {
    plan_id: plan.id,
    verdict: isKnown ? "known" : "unknown",
    reason,
    changes_used: changes,
    changes_needed: needed,
    exponents: elasticity && { clicks: elasticity.clicks, cpc: elasticity.cpc, spend: elasticity.cost },
    bids: bids.length,
    weighed: weighed.length,
    clicks_per_day: isKnown ? expected("clicks", elasticity.clicks) : null,
    cost_per_day: isKnown ? expected("cost", elasticity.cost) : null,
    estimate: plan.money && { ...plan.money.perDay, basis: plan.money.basis },
  };
}
