import type { LeftOut } from "../../account/jobs/job_result.ts";
import type { PlanOptions } from "../../client/entities/resource/plan_writes.ts";
import { findKind, KINDS } from "../../client/entities/kinds/kinds.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import type { ChangePlan } from "../../plans/change_plan/change_plan.ts";
import type { Finding } from "../../plans/model/finding.ts";
import type { Fields } from "../model/field.ts";
import type { Operation } from "../model/operation.ts";

export const WRITE_FIELDS = {
  entity: {
    type: "entity",
    required: true,
    help: "kind of entity, for example keywords",
    brief: "As in list_entities",
  },
} as const satisfies Fields;

export const NOTE_FIELD = {
  note: { type: "text", maxLength: 2000, help: "reason, saved in the plan" },
} as const satisfies Fields;

export const DENIED_FIELD = {
  skip_denied: { type: "switch", help: "plan without the changes that the policy denies" },
} as const satisfies Fields;

export interface AllowedPlan {
  readonly plan: ChangePlan;
  /** Changes that the policy denies and the plan lacks; `undefined` if they were not to be left out. */
  readonly denied?: readonly LeftOut[];
}

export async function allowedPlan(
  plan: ChangePlan,
  { profile, signal }: Pick<WriteContext, "profile" | "signal">,
  { skip_denied: isSkipped }: { readonly skip_denied?: boolean | undefined },
): Promise<AllowedPlan> {
  if (isSkipped !== true) return { plan };
  const { withoutDenied } = await import("../../account/jobs/without_denied.ts");
  return await withoutDenied(plan, profile, { signal });
}

export interface WriteContext {
  readonly profile: ProfileClient;
  readonly signal: AbortSignal;
  readonly known?: Pick<PlanOptions, "onRead"> & {
    /** Findings of the reader of the items. */
    readonly findings?: readonly Finding[];
    /** Called with the number of items whose changes such as `+10%` are worked out. */
    readonly onWorkedOut?: (count: number) => void;
  };
}

export interface WriteOperation<Of extends Fields> extends Operation<Of, WriteContext, AllowedPlan> {
  readonly effect: "plan";
}

export function defineWrite<const Of extends Fields>(
  operation: Omit<WriteOperation<Of>, "effect">,
): WriteOperation<Of> {
  return { ...operation, effect: "plan" };
}

export function kindOf(entity: string): string {
  return findKind(entity, KINDS, "people").kind;
}
