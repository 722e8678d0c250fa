import type { Change } from "./change.ts";

/** The parts of a plan that its inverse is made from. */
export interface InvertiblePlan {
  /** Id of the plan. */
  readonly id: string;
  /** Id of the profile. */
  readonly profileId: string;
  /** Country of the profile. */
  readonly countryCode: string;
  /** What was changed. */
  readonly changes: readonly Change[];
}

/** The fields of a plan that restores every `before` value; what cannot be restored is told in its warnings. */
export function inverseOf(
  plan: InvertiblePlan,
): { profileId: string; countryCode: string; changes: Change[]; warnings: string[]; note: string } {
  const warnings: string[] = [];
  const changes = [...plan.changes].reverse().flatMap((change) => invertChange(change, warnings));
  return {
    profileId: plan.profileId,
    countryCode: plan.countryCode,
    changes,
    warnings,
    note: `Undo of plan ${plan.id}`,
  };
}

/** The change that undoes one change; adds to `warnings` what it cannot undo. */
export function invertChange(change: Change, warnings: string[]): Change[] {
  const name = `${change.kind} ${change.id ?? ""} ${change.label}`.replace(/\s+/g, " ").trim();
  if (change.op === "archive") {
    warnings.push(`${name}: archiving is permanent and cannot be undone`);
    return [];
  }
  if (change.op === "create") {
    warnings.push(
      `${name}: what a create makes has no id yet; the result of applying it knows how to undo it`,
    );
    return [];
  }
  const before: Record<string, unknown> = {};
  const after: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(change.after)) {
    const old = Object.hasOwn(change.before, field) ? change.before[field] : undefined;
    if (old === undefined) {
      warnings.push(`${name}: "${field}" had no value before and cannot be emptied again`);
    } else {
      before[field] = value;
      after[field] = old;
    }
  }
  return Object.keys(after).length === 0 ? [] : [{ ...change, before, after }];
}
