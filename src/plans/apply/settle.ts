import { sameValue } from "../../base/json/canonical_json.ts";
import type { Change, EntityFields } from "../model/change.ts";
import { changeGraph, withRefs } from "../model/change_ref.ts";
import { holds } from "../state/drift.ts";
import type { ChangeStatus } from "./journal_reading.ts";
import { plannedCall } from "../model/planned_call.ts";
import type { PlanResource, PlanTarget } from "../model/plan_target.ts";

export type Settled =
  | ChangeStatus
  /** The account shows neither the old values nor the new ones. */
  | { readonly state: "unclear"; readonly why: string };

export async function settle(
  changes: readonly Change[],
  statuses: readonly ChangeStatus[],
  { client, signal }: { client: PlanTarget; signal?: AbortSignal | undefined },
): Promise<Settled[]> {
  const settled: Settled[] = [...statuses];
  const taken = new Set(
    statuses.map((status) => status.state === "done" || status.state === "partial" ? status.id : undefined),
  );
  const open = changes.flatMap((change, at) => {
    const status = statuses[at];
    return status?.state === "unknown" ? [{ at, change, lookalikes: status.lookalikes }] : [];
  });
  const { positions } = changeGraph(changes);
  // Nothing is sent before what it refers to is known to be done, so the ids are there.
  const idOf = (ref: string): string | undefined => {
    const status = settled[positions.get(ref) ?? -1];
    return status?.state === "done" ? status.id : undefined;
  };
  for (const { at, change } of open) {
    if (change.op === "call") settled[at] = await settleCall(change, { client, signal });
  }
  const entities = open.filter(({ change }) => change.op !== "call");
  for (const [kind, group] of Map.groupBy(entities, ({ change }) => change.kind)) {
    const resource = client.resource(kind);
    const created = group.filter(({ change }) => change.op === "create");
    const others = group.flatMap(({ at, change }) =>
      change.id === null ? [] : [{ at, change, id: change.id }]
    );
    if (created.length > 0) {
      const items = created.map(({ change }) => withRefs(change.after, idOf));
      const found = await resource.findEqual(items, { archived: true, signal });
      created.forEach(({ at, lookalikes }, index) => {
        const id = found[index]?.find((id) => !lookalikes.includes(id) && !taken.has(id));
        taken.add(id);
        settled[at] = id === undefined ? { state: "not_sent" } : { state: "done", id };
      });
    }
    if (others.length > 0) {
      const found = await resource.getMany(others.map(({ id }) => id), { signal });
      for (const { at, change, id } of others) {
        const resolved = { ...change, after: withRefs(change.after, idOf) };
        settled[at] = settleExisting(resolved, { id, entity: found.get(id), resource });
      }
    }
  }
  return settled;
}

async function settleCall(
  change: Change,
  { client, signal }: { client: PlanTarget; signal: AbortSignal | undefined },
): Promise<Settled> {
  const call = plannedCall(change);
  const now = call === undefined ? undefined : await client.calls?.read(call, { signal });
  if (call === undefined || now === undefined) {
    return { state: "unclear", why: "no known operation reads the changed entities" };
  }
  if (now.body !== undefined && sameValue(now.body, call.body)) return { state: "done", id: now.id };
  if (sameValue(now, change.before)) return { state: "not_sent" };
  return { state: "unclear", why: "the account holds neither the old values nor the new ones" };
}

function settleExisting(
  { op, ...change }: Change,
  { id, entity, resource }: { id: string; entity: EntityFields | undefined; resource: PlanResource },
): Settled {
  if (entity === undefined) return { state: "unclear", why: "the platform no longer returns it" };
  const now = resource.comparable(entity);
  const [before, after] = [resource.comparable(change.before), resource.comparable(change.after)];
  if (holds(now, after)) return { state: "done", id };
  // Archiving what is not archived can only be missing; the archive of what a plan created has no old values either.
  if (op === "archive" || holds(now, before, Object.keys(after))) return { state: "not_sent" };
  return { state: "unclear", why: "it holds neither the old values nor the new ones" };
}
