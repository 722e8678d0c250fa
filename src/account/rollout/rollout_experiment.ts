import { ConfigurationError } from "../../errors.ts";
import { dayIn } from "../../base/time/calendar.ts";
import { marketOf, timeZoneOf } from "../../base/markets/markets.ts";
import { type Experiment, lastDayOf } from "../../plans/model/experiment.ts";
import type { ChangePlan } from "../../plans/change_plan/change_plan.ts";
import type { PlanStore } from "../../plans/store/plan_store.ts";
import type { ComparisonRequest, RolloutFacts } from "../../store/figures/experiment_outcome.ts";
import type { OutsideChanges } from "../../store/figures/touched_units.ts";
import type { Warehouse } from "../../store/warehouse/warehouse.ts";
import { outsideChanges } from "../diff/changes_since.ts";
import type { Rollout } from "./rollout.ts";

export type DrawnProfiles = Pick<RolloutFacts, "currencies" | "kinds">;

interface DrawnRollout {
  readonly plan: ChangePlan;
  readonly experiment: Experiment;
  readonly profiles: DrawnProfiles;
}

export async function drawnProfiles(
  rollout: Rollout,
): Promise<DrawnRollout | undefined> {
  const plans = (await rollout.entries()).map(({ plan }) => plan);
  const [first] = plans;
  const own = first?.experiment;
  if (first === undefined || own?.unit !== "profile") return undefined;
  const drawn = JSON.stringify(own);
  if (plans.some(({ experiment }) => JSON.stringify(experiment) !== drawn)) {
    throw new ConfigurationError(
      `Cannot compare the profiles of ${rollout.folder}: not all belong to the same split`,
    );
  }
  const { plans: places, left_out: leftOut } = rollout.data;
  const countries = new Map([...places, ...leftOut].map((one) => [one.profile_id, one.country_code]));
  const currencies = new Map(
    Object.keys(own.strata).map((id) => {
      const country = countries.get(id);
      if (country !== undefined) return [id, marketOf(country)?.currency ?? country] as const;
      throw new ConfigurationError(
        `Cannot compare the profiles of ${rollout.folder}: its file lacks randomly chosen profile ${id}`,
      );
    }),
  );
  const kinds = [...new Set(plans.flatMap(({ changes }) => changes.map(({ kind }) => kind)))];
  return { plan: first, experiment: own, profiles: { currencies, kinds } };
}

/**
 * @param options.stores Plan folders in which others may have changed the profiles since.
 * @param options.warehouse Shows changes outside of plans. They affect all profiles alike, so they are reported but do
 * not invalidate the comparison.
 * @returns `undefined` if no profiles were drawn, or no plan was applied.
 */
export async function rolloutComparison(
  rollout: Rollout,
  { stores, warehouse, now }: {
    readonly stores: readonly PlanStore[];
    readonly warehouse: Pick<Warehouse, "query">;
    readonly now: number;
  },
): Promise<ComparisonRequest | undefined> {
  const found = await drawnProfiles(rollout);
  if (found === undefined) return undefined;
  const { plan, experiment, profiles } = found;
  const own = rollout.store;
  const applications: { readonly day: string; readonly at: string }[] = [];
  const [changed, undone, ids] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const { plan: { id, profileId, countryCode }, state } of await rollout.entries()) {
    ids.add(id);
    const applied = await own.applied(id);
    if (applied?.changes.some(({ outcome }) => outcome === "done") !== true) continue;
    const at = applied.appliedAt;
    applications.push({ at, day: dayIn(timeZoneOf({ countryCode }), Date.parse(at)) });
    (state === "undone" ? undone : changed).add(profileId);
  }
  const days = applications.map(({ day }) => day).sort();
  const [day, lastDay] = [days[0], days.at(-1)];
  if (day === undefined || lastDay === undefined) return undefined;
  const since = applications.map(({ at }) => at).sort()[0] ?? "";
  const until = lastDayOf(experiment, lastDay);
  const touched = new Set(undone);
  for (const store of stores) {
    for (const one of await store.list()) {
      if (!("plan" in one) || ids.has(one.id) || one.status.state !== "applied") continue;
      const { at } = one.status;
      // A change after the experiment has ended does not spoil it.
      const isWithin = at >= since && dayIn(timeZoneOf(one.plan), Date.parse(at)) <= until;
      if (isWithin && profiles.currencies.has(one.plan.profileId)) {
        touched.add(one.plan.profileId);
      }
    }
  }
  const held = new Set(experiment.held);
  const compared = [...profiles.currencies].filter(([id]) =>
    changed.has(id) || held.has(id) && !touched.has(id)
  );
  const others = new Map<string, OutsideChanges>();
  for (const [id] of compared) {
    const zone = timeZoneOf(plan);
    const isWithin = (at: string): boolean => dayIn(zone, Date.parse(at)) <= until;
    const parts = { kinds: profiles.kinds, appliedAt: since, plans: [own, ...stores], isWithin, zone };
    others.set(id, await outsideChanges(warehouse, id, parts));
  }
  const known = [...others.values()].map((one) => one.until ?? "").sort()[0] ?? "";
  const outside = {
    changedByOthers: new Set([...others].flatMap(([id, { changes }]) => changes.length > 0 ? [id] : [])),
    othersKnownUntil: known === "" ? null : known,
  };
  return {
    plan,
    day,
    today: dayIn(timeZoneOf(plan), now),
    days: experiment.weeks * 7,
    rollout: { ...profiles, currencies: new Map(compared), changed, touched, ...outside, lastDay },
  };
}
