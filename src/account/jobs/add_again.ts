import type { Evidence } from "../../plans/model/change.ts";
import type { HeldChange } from "../../plans/model/experiment.ts";
import { KINDS, type ResourceKind } from "../../client/entities/kinds/kinds.ts";
import type { PlanDraft } from "../../client/entities/plan_draft.ts";

export function addAgain(
  draft: PlanDraft,
  { kind, op, id, after, ref, dependsOn }: HeldChange,
  evidence: Evidence | undefined,
): boolean {
  const tied = { as: ref, after: dependsOn, evidence };
  switch (op) {
    case "create":
      draft.create(kind, after, tied);
      return true;
    case "archive":
      draft.archive(kind, id ?? "", tied);
      return true;
    case "update":
      draft.update(kind, { [KINDS[kind as ResourceKind].idField]: id, ...after }, tied);
      return true;
    case "call":
      return false;
  }
}
