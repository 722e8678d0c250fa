import { ConfigurationError } from "../../errors.ts";
import { ChangePlan } from "../../plans/change_plan/change_plan.ts";
import type { HoldBack } from "../../plans/model/experiment.ts";
import { drawProfiles } from "../../plans/review/hold_back_profiles.ts";
import { placeOf, type RolloutData } from "./rollout_file.ts";

/** Note, holdback and left-out profiles of a new rollout. */
export interface NewRolloutOptions {
  /** Reason for the rollout. */
  readonly note?: string | undefined;
  /** Profiles without a plan, and why. */
  readonly leftOut?: RolloutData["left_out"] | undefined;
  /** Regions and markets that could not be reached. */
  readonly unreachable?: RolloutData["unreachable"] | undefined;
  /** Names of the accounts, by profile id. */
  readonly accountNames?: ReadonlyMap<string, string | null | undefined> | undefined;
  /** Holds whole profiles back for comparison. @default no profile is held back */
  readonly holdBack?: HoldBack | undefined;
  /** Clock for the creation time. @default Date.now */
  readonly now?: (() => number) | undefined;
}

const HELD_BACK = "Held back for comparison";

/**
 * Creates the data of a rollout without empty plans and held-back profiles.
 *
 * @throws {ConfigurationError} when two plans are for one profile.
 * @throws {RangeError} when there are too few profiles to hold some back.
 */
export function newRollout(
  plans: readonly ChangePlan[],
  { accountNames, holdBack, ...options }: NewRolloutOptions,
): { readonly data: RolloutData; readonly sent: readonly ChangePlan[] } {
  const twice = plans.find(({ profileId }, at) =>
    plans.findIndex((one) => one.profileId === profileId) !== at
  );
  if (twice !== undefined) {
    throw new ConfigurationError(`Cannot make a rollout: profile ${twice.profileId} has two plans`);
  }
  const empty = plans.filter(({ changes }) => changes.length === 0);
  const full = plans.filter(({ changes }) => changes.length > 0);
  const experiment = holdBack === undefined ? null : drawProfiles(full, holdBack);
  const held = new Set(experiment?.held);
  const sent = full.filter(({ profileId }) => !held.has(profileId)).map((plan) =>
    experiment === null ? plan : new ChangePlan({ ...plan, experiment })
  );
  const without = (reason: string) => ({ profileId, countryCode }: ChangePlan) => ({
    profile_id: profileId,
    country_code: countryCode,
    account_name: accountNames?.get(profileId) ?? null,
    reason,
  });
  const data: RolloutData = {
    format: 1,
    created_at: new Date((options.now ?? Date.now)()).toISOString(),
    note: options.note ?? null,
    plans: sent.map((plan) => placeOf(plan, accountNames)),
    left_out: [
      ...options.leftOut ?? [],
      ...empty.map(without("Nothing to change")),
      ...full.filter(({ profileId }) => held.has(profileId)).map(without(HELD_BACK)),
    ],
    unreachable: options.unreachable ?? [],
  };
  return { data, sent };
}
