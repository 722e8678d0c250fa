import type { Change, EntityFields } from "../../src/plans/model/change.ts";
import { planState, type Step } from "../../src/plans/state/plan_state.ts";
import { type Below, claimedState, type Looked, type PriorState } from "../../src/plans/model/prior_state.ts";

/** A prior state that looks entities up in a function, or by `kind id` in a record. */
export function accountState(
  look: ((kind: string, id: string) => Looked) | Readonly<Record<string, EntityFields>>,
  below: Below = { highestBid: undefined, of: "" },
): PriorState {
  const find = typeof look === "function" ? look : (kind: string, id: string) => look[`${kind} ${id}`];
  return { entity: (kind, id) => id === null ? undefined : find(kind, id), below: () => below };
}

/** The steps of changes, by what they claim or by an account. */
export function stepsOf(
  changes: readonly Change[],
  account: PriorState = claimedState(changes),
): readonly Step[] {
  return planState(changes, account).steps;
}
