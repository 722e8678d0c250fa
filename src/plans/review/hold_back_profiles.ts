import { assign } from "../../base/statistics/assign.ts";
import { marketOf } from "../../base/markets/markets.ts";
import type { PlanData } from "../model/plan_data.ts";
import { checkCounts, type Experiment, type HoldBack } from "../model/experiment.ts";
import { drawSettings } from "./hold_back.ts";

export const WHY_PROFILES = "Units are profiles, which do not affect each other";

/**
 * Stratified by cost.
 *
 * @param plans One per profile, each with changes.
 * @throws {RangeError} for an invalid share, seed or number of weeks, too few profiles, and plans with their own
 * experiment.
 */
export function drawProfiles(plans: readonly PlanData[], holdBack: HoldBack): Experiment {
  const { share, seed, weeks } = drawSettings(holdBack);
  const about = { seed, share, unit: "profile", why: WHY_PROFILES, weeks } as const;
  const twice = plans.find(({ experiment }) => experiment !== null);
  if (twice !== undefined) {
    throw new RangeError(
      `Cannot hold back whole profiles: the plan of profile ${twice.profileId} already holds back some of its changes`,
    );
  }
  checkCounts(plans.length, about);
  const profiles = plans.map(({ profileId, countryCode, changes }) => {
    let [clicks, cost] = [0, 0];
    for (const { evidence } of changes) {
      clicks += evidence?.clicks ?? 0;
      cost += evidence?.cost ?? 0;
    }
    return { id: profileId, currency: marketOf(countryCode)?.currency ?? countryCode, clicks, cost };
  });
  const scales = commonMoney(profiles);
  const { held, strata } = assign(
    profiles.map(({ id, currency, cost }) => ({ id, spend: cost * (scales.get(currency) ?? 1) })),
    { share, seed },
  );
  return { ...about, held, strata: Object.fromEntries(strata) };
}

export interface CostOfClicks {
  readonly currency: string;
  readonly clicks: number;
  readonly cost: number;
}

/**
 * Factors that make currencies comparable without exchange rates: the average click costs 1 in each. A single currency
 * is unchanged.
 *
 * @param parts Figures from before a change, so that its effect does not influence the factors.
 */
export function commonMoney(parts: readonly CostOfClicks[]): ReadonlyMap<string, number> {
  const groups = Map.groupBy(parts, ({ currency }) => currency);
  return new Map(
    [...groups].map(([currency, own]) => {
      const sum = (name: "clicks" | "cost"): number => own.reduce((all, one) => all + one[name], 0);
      const [clicks, cost] = [sum("clicks"), sum("cost")];
      return [currency, groups.size > 1 && clicks > 0 && cost > 0 ? clicks / cost : 1];
    }),
  );
}
