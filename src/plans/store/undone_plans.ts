import { PlanPlaces } from "./plan_places.ts";
import type { PlanStatus, StoredPlan } from "./plan_status.ts";
import { readRecord } from "./read_record.ts";
import { restored } from "./undo_chain.ts";

type Undone = NonNullable<Extract<PlanStatus, { state: "applied" }>["undone"]>;

/** Last undo of each plan, by its id: whichever plan reversed it, under any id. */
export async function undoneIn(plans: readonly StoredPlan[]): Promise<ReadonlyMap<string, Undone>> {
  const undone = new Map<string, Undone>();
  for (const one of plans) {
    if (!("plan" in one) || one.plan.reverses === null || one.status.state !== "applied") continue;
    const result = await readRecord(new PlanPlaces(PlanPlaces.folderOf(one.path)).result(one.id));
    if (result === undefined || !restored(result)) continue;
    const { plan: { reverses }, status: { at }, id } = one;
    if (at >= (undone.get(reverses)?.at ?? "")) undone.set(reverses, { at, by: id });
  }
  return undone;
}

/** Marks the plans that were undone by others of the list, which may be of several folders. */
export async function withUndone(plans: readonly StoredPlan[]): Promise<StoredPlan[]> {
  const undone = await undoneIn(plans);
  return plans.map((one) => {
    if (!("status" in one) || one.status.state !== "applied" || one.status.undone !== undefined) return one;
    const by = undone.get(one.id);
    return by === undefined ? one : { ...one, status: { ...one.status, undone: by } };
  });
}
