import type { Undoable } from "./inverse.ts";
import type { PlanTarget } from "./plan_target.ts";

/** What the platform can take back, as the resources of a client know it. */
export function undoableBy(client: PlanTarget): Undoable {
  return {
    canArchive: (kind) => client.resource(kind).archivable,
    canEmpty: (kind, field) => client.resource(kind).clearable?.includes(field) ?? false,
  };
}
