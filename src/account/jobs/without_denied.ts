import type { ProfileClient } from "../../client/profile_client.ts";
import type { Change } from "../../plans/model/change.ts";
import type { ChangePlan } from "../../plans/change_plan/change_plan.ts";
import type { Finding } from "../../plans/model/finding.ts";
import type { PlanOptions } from "../../client/entities/resource/plan_writes.ts";
import { addAgain } from "./add_again.ts";
import type { LeftOut } from "./job_result.ts";

interface AllowedPlan {
  readonly plan: ChangePlan;
  readonly denied: readonly LeftOut[];
}

/**
 * Removes the changes that the policy denies, and those that depend on them. Returns a plan with a held-back group
 * unchanged, because the random choice of that group depends on all changes.
 */
export async function withoutDenied(
  plan: ChangePlan,
  profile: ProfileClient,
  options: PlanOptions,
): Promise<AllowedPlan> {
  const reasons = deniedChanges(plan);
  if (reasons.size === 0 || plan.experiment !== null) return { plan, denied: [] };
  const draft = profile.plan();
  for (const [at, change] of plan.changes.entries()) {
    if (reasons.has(at)) continue;
    if (!addAgain(draft, change, change.evidence)) return { plan, denied: [] };
  }
  const { note } = plan;
  const allowed = await draft.build({
    ...options,
    note: note ?? undefined,
    more: { warnings: plan.warnings, missing: plan.missing },
  });
  return { plan: allowed, denied: [...reasons].map(([at, message]) => leftOut(plan.changes[at]!, message)) };
}

function deniedChanges({ changes, findings }: ChangePlan): Map<number, string> {
  const reasons = new Map<number, string>();
  for (const { level, change, message, rule } of findings as readonly Finding[]) {
    if (level !== "deny" || change === undefined || reasons.has(change)) continue;
    reasons.set(change, `The policy denies it${rule === undefined ? "" : ` (${rule})`}: ${message}`);
  }
  for (let before = -1; before !== reasons.size;) {
    before = reasons.size;
    const refs = new Set([...reasons.keys()].flatMap((at) => changes[at]?.ref ?? []));
    for (const [at, { dependsOn = [], after }] of changes.entries()) {
      const waits = [...dependsOn, ...Object.values(after).flatMap(refOf)].some((ref) => refs.has(ref));
      if (waits && !reasons.has(at)) reasons.set(at, "It depends on a change that the policy denies");
    }
  }
  return reasons;
}

function refOf(value: unknown): string[] {
  return typeof value === "object" && value !== null && "ref" in value ? [String(value.ref)] : [];
}

function leftOut({ kind, id, label, campaignId }: Change, message: string): LeftOut {
  return { reason: "denied", message, kind, id, label, ...(campaignId === undefined ? {} : { campaignId }) };
}
