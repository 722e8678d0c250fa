import { assign } from "../../experiments/assign.ts";
import { marketOf } from "../../markets.ts";
import type { PlanData } from "../plan_data.ts";
import { commonMoney } from "./common_money.ts";
import { checkCounts, type Experiment, type HoldBack } from "./experiment.ts";
import { drawSettings } from "./hold_back.ts";

/** Reason for profiles as units, for people. */
export const WHY_PROFILES = "Units are profiles, which take nothing from each other";

/**
 * Draws whole profiles out of the plans of a rollout, in strata of what the figures beside their changes cost.
 *
 * @param plans One a profile, each with changes.
 * @throws {RangeError} for a share, seed or number of weeks that makes no sense, profiles too few to draw,
 * and plans that hold back a part of their own.
 */
export function drawProfiles(plans: readonly PlanData[], holdBack: HoldBack): Experiment {
  const { share, seed, weeks } = drawSettings(holdBack);
  const about = { seed, share, unit: "profile", why: WHY_PROFILES, weeks } as const;
  const twice = plans.find(({ experiment }) => experiment !== null);
  if (twice !== undefined) {
    throw new RangeError(
      `Cannot hold back whole profiles: the plan of profile ${twice.profileId} holds back a part of its own`,
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
