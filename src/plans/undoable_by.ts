import type { Undoable } from "./inverse.ts";
import type { PlanTarget } from "./plan_target.ts";

/** Operations that can be undone, as the resources of a client know them. */
export function undoableBy(client: PlanTarget): Undoable {
  return {
    canArchive: (kind) => client.resource(kind).archivable,
    canEmpty: (kind, field) => client.resource(kind).clearable?.includes(field) ?? false,
  };
}
