import type { Change } from "../model/change.ts";
import { changeGraph } from "../model/change_ref.ts";
import { ChangePlan } from "./change_plan.ts";

/**
 * Findings of unchanged changes are kept; those about the whole plan are dropped.
 *
 * @param keep Returns the change to keep; `undefined` drops it.
 * @throws {TypeError} when a kept change requires a dropped one.
 */
export function partOfPlan(
  plan: ChangePlan,
  keep: (change: Change, at: number) => Change | undefined,
  note: string,
): ChangePlan {
  const kept = plan.changes.flatMap((change, at) => {
    const next = keep(change, at);
    return next === undefined ? [] : [{ at, change, next }];
  });
  const changes = kept.map(({ next }) => next);
  changeGraph(changes);
  const position = new Map(kept.flatMap(({ at, change, next }, own) => change === next ? [[at, own]] : []));
  return new ChangePlan({
    profileId: plan.profileId,
    countryCode: plan.countryCode,
    changes,
    reverses: plan.reverses,
    names: plan.names,
    experiment: plan.experiment,
    rehearsal: plan.rehearsal,
    warnings: plan.warnings,
    note: plan.note === null ? note : `${note}: ${plan.note}`,
    findings: plan.findings.flatMap(({ change, ...finding }) => {
      const at = change === undefined ? undefined : position.get(change);
      return at === undefined ? [] : [{ ...finding, change: at }];
    }),
  });
}
