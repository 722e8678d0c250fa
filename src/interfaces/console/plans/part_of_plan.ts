import { ChangePlan } from "../../../plans/change_plan/change_plan.ts";
import { changeGraph } from "../../../plans/model/change_graph.ts";
import { ApiProblem } from "../http/responses.ts";

/**
 * A new plan without some changes of another, with a fingerprint of its own. What the platform found about the others is
 * kept; a finding about the plan as a whole is not, for it was about another plan.
 *
 * @param leaveOut Positions of the changes to leave out.
 * @throws {ApiProblem} when a position is none, nothing is left, or what is left needs something that is left out.
 */
export function partOfPlan(plan: ChangePlan, leaveOut: readonly unknown[]): ChangePlan {
  const out = new Set(leaveOut);
  const isKnown = (at: unknown): boolean =>
    typeof at === "number" && Number.isInteger(at) && at >= 0 && at < plan.changes.length;
  if (out.size === 0 || ![...out].every(isKnown)) {
    throw new ApiProblem(
      400,
      "BAD_REQUEST",
      "Cannot leave these changes out: expected positions of changes in the plan",
    );
  }
  const kept = plan.changes.map((_, at) => at).filter((at) => !out.has(at));
  if (kept.length === 0) throw new ApiProblem(422, "NOTHING_LEFT", "Cannot make a plan: no changes are left");
  const changes = kept.map((at) => plan.changes[at]).filter((change) => change !== undefined);
  try {
    changeGraph(changes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new ApiProblem(422, "NEEDED", `${error.message}. Leave out the changes that need it too`);
  }
  const position = new Map(kept.map((at, next) => [at, next]));
  const own = `Plan ${plan.id} without ${out.size} of its ${plan.changes.length} changes`;
  return new ChangePlan({
    profileId: plan.profileId,
    countryCode: plan.countryCode,
    changes,
    reverses: plan.reverses,
    names: plan.names,
    experiment: plan.experiment,
    rehearsal: plan.rehearsal,
    warnings: plan.warnings,
    note: plan.note === null ? own : `${own}: ${plan.note}`,
    findings: plan.findings.flatMap(({ change, ...finding }) => {
      const at = change === undefined ? undefined : position.get(change);
      return at === undefined ? [] : [{ ...finding, change: at }];
    }),
  });
}
