import type { ProfileClient } from "../../client/profile_client.ts";
import { ConfigurationError } from "../../errors.ts";
import type { ChangePlan } from "../../plans/change_plan/change_plan.ts";
import type { HeldChange } from "../../plans/model/experiment.ts";
import { holds } from "../../plans/state/drift.ts";
import { addAgain } from "./add_again.ts";

/** Note and abort signal for {@linkcode planHeldBack}. */
export interface PlanHeldBackOptions {
  /** Reason for the plan. @default one that names the experiment */
  readonly note?: string | undefined;
  /** Aborts reading the current values of the held-back units. */
  readonly signal?: AbortSignal | undefined;
}

const NAMED = 5;

/**
 * Plans the same changes for the held-back part of a plan, once its experiment has ended. The new plan is reviewed and
 * approved like any other. Entities changed in the meantime are left out and counted.
 *
 * @throws {ConfigurationError} while the experiment runs, and for a plan that does not hold what it would have changed.
 *
 * @example
 * ```ts
 * import { ChangePlan, type ProfileClient } from "@platform/ads";
 * import { planHeldBack } from "@platform/ads/account";
 *
 * async function rest(us: ProfileClient, path: string): Promise<void> {
 *   const plan = await planHeldBack(us, await ChangePlan.load(path));
 *   console.log(plan.changes.length, plan.warnings);
 * }
 * ```
 */
export async function planHeldBack(
  profile: ProfileClient,
  { id: planId, experiment, note: why }: ChangePlan,
  { note, signal }: PlanHeldBackOptions = {},
): Promise<ChangePlan> {
  const refuse = (reason: string): never => {
    throw new ConfigurationError(`Cannot plan the held-back part of plan ${planId}: ${reason}`);
  };
  if (experiment === null) return refuse("it holds nothing back");
  const until = [...(await profile.heldElsewhere()).values()].find((one) => one.planId === planId)?.until;
  if (until !== undefined) return refuse(`its experiment runs until ${until}`);
  if (experiment.unit === "profile") {
    return refuse("whole profiles were held back. Plan for them again, without the option holdBack");
  }
  const { changes } = experiment;
  if (changes === undefined) {
    return refuse("it does not record the held-back changes. Plan again, without the option holdBack");
  }
  const left = await changedSince(profile, changes, signal);
  const draft = profile.plan();
  const evidence = { reason: `held back by plan ${planId} until its experiment ended` };
  for (const change of changes) {
    if (!left.has(change)) addAgain(draft, change, evidence);
  }
  const names = [...left].slice(0, NAMED).map(({ label, id }) => label === "" ? id : label).join(", ");
  const more = left.size > NAMED ? ` and ${left.size - NAMED} more` : "";
  const warnings = left.size === 0 ? [] : [`${left.size} left out, changed since: ${names}${more}`];
  const own = `Held-back part of plan ${planId}`;
  return await draft.build({
    note: note ?? (why === null ? own : `${own}: ${why}`),
    signal,
    more: { warnings },
  });
}

async function changedSince(
  profile: ProfileClient,
  changes: readonly HeldChange[],
  signal: AbortSignal | undefined,
): Promise<ReadonlySet<HeldChange>> {
  const left = new Set<HeldChange>();
  for (const [kind, own] of Map.groupBy(changes.filter(({ op }) => op !== "create"), ({ kind }) => kind)) {
    const resource = profile.resource(kind);
    const found = await resource.getMany(own.flatMap(({ id }) => id ?? []), { signal });
    for (const change of own) {
      const entity = found.get(change.id ?? "");
      if (entity === undefined || !holds(resource.comparable(entity), resource.comparable(change.before))) {
        left.add(change);
      }
    }
  }
  return left;
}
