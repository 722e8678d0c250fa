import type { PlanOptions } from "../../client/entities/resource/plan_writes.ts";
import { findKind, KINDS } from "../../client/entities/kinds/kinds.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import type { ChangePlan } from "../../plans/change_plan/change_plan.ts";
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

export interface WriteContext {
  readonly profile: ProfileClient;
  readonly signal: AbortSignal;
  readonly known?: Pick<PlanOptions, "entities" | "more" | "onRead">;
}

export interface WriteOperation<Of extends Fields> extends Operation<Of, WriteContext, ChangePlan> {
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
