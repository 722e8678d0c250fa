import { PlanPlaces } from "./plan_places.ts";
import type { StoredPlan } from "./plan_status.ts";
import { readRecord } from "./read_record.ts";
import { isDone } from "./undo_chain.ts";

type Readable = Extract<StoredPlan, { readonly status: unknown }>;
type Applied = Readable & { readonly status: { readonly state: "applied" } };

/**
 * Marks the plans of a list that others of it put back whole, under ids of their own: an inverse, or the parts of an
 * undo. Plans that were put back in part stay applied.
 */
export async function withUndone(plans: readonly StoredPlan[]): Promise<StoredPlan[]> {
  const reversing = Map.groupBy(
    plans.filter(isApplied).filter(({ plan }) => plan.reverses !== null),
    ({ plan }) => keyOf(plan.profileId, plan.reverses),
  );
  return await Promise.all(plans.map(async (one) => {
    if (!isApplied(one) || one.status.undone !== undefined) return one;
    const others = reversing.get(keyOf(one.plan.profileId, one.id)) ?? [];
    const [last] = others.toSorted((a, b) => a.status.at < b.status.at ? 1 : -1);
    if (last === undefined) return one;
    const done = new Set((await Promise.all(others.map(doneBy))).flat());
    if (done.size < one.plan.inverse().changes.length) return one;
    return { ...one, status: { ...one.status, undone: { at: last.status.at, by: last.id } } };
  }));
}

function isApplied(one: StoredPlan): one is Applied {
  return "status" in one && one.status.state === "applied";
}

function keyOf(profileId: string, id: string | null): string {
  return `${profileId} ${id}`;
}

/** The changes of an applied plan that were not refused, each by its entity. */
async function doneBy({ id, path, plan }: Applied): Promise<string[]> {
  const result = await readRecord(new PlanPlaces(PlanPlaces.folderOf(path)).result(id));
  const verdicts: unknown = result?.["changes"];
  return plan.changes.flatMap((change, at) =>
    Array.isArray(verdicts) && isDone(verdicts[at])
      ? [`${change.kind} ${change.op} ${change.id ?? `${id} ${at}`}`]
      : []
  );
}
