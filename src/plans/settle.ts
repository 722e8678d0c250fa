import { sameValue } from "../internal/canonical_json.ts";
import type { Change, EntityFields } from "./change.ts";
import type { ChangeStatus } from "./journal_reading.ts";
import type { PlanResource, PlanTarget } from "./plan_target.ts";

/** A change whose outcome was unknown, after a look at the account. */
export type Settled =
  | ChangeStatus
  /** The account shows neither the old values nor the new ones. */
  | { readonly state: "unclear"; readonly why: string };

/**
 * Settles the changes whose outcome is unknown by reading the account; the others stay as they are.
 *
 * @param statuses How far each change got, by position.
 */
export async function settle(
  changes: readonly Change[],
  statuses: readonly ChangeStatus[],
  { client, signal }: { client: PlanTarget; signal?: AbortSignal | undefined },
): Promise<Settled[]> {
  const settled: Settled[] = [...statuses];
  const taken = new Set(statuses.map((status) => status.state === "done" ? status.id : undefined));
  const open = changes.map((change, at) => ({ change, at })).filter(({ at }) =>
    statuses[at]!.state === "unknown"
  );
  for (const [kind, group] of Map.groupBy(open, ({ change }) => change.kind)) {
    const resource = client.resource(kind);
    const created = group.filter(({ change }) => change.op === "create");
    const others = group.filter(({ change }) => change.op !== "create");
    if (created.length > 0) {
      const items = created.map(({ change }) => change.after);
      const found = await resource.findEqual(items, { archived: true, signal });
      created.forEach(({ at }, index) => {
        const status = statuses[at] as ChangeStatus & { state: "unknown" };
        const ids = found[index]!.filter((id) => !status.lookalikes.includes(id) && !taken.has(id));
        if (ids[0] !== undefined) taken.add(ids[0]);
        settled[at] = ids[0] === undefined ? { state: "not_sent" } : { state: "done", id: ids[0] };
      });
    }
    if (others.length > 0) {
      const found = await resource.getMany(others.map(({ change }) => change.id!), { signal });
      for (const { change, at } of others) {
        settled[at] = settleExisting(change, found.get(change.id!), resource);
      }
    }
  }
  return settled;
}

function settleExisting(change: Change, entity: EntityFields | undefined, resource: PlanResource): Settled {
  if (entity === undefined) return { state: "unclear", why: "the platform no longer returns it" };
  const now = resource.comparable(entity);
  const holds = (values: EntityFields): boolean =>
    Object.keys(change.after).every((field) => sameValue(folded(now[field]), folded(values[field])));
  if (holds(change.after)) return { state: "done", id: change.id! };
  if (holds(change.before)) return { state: "not_sent" };
  return { state: "unclear", why: "it holds neither the old values nor the new ones" };
}

/** States are written in either case, depending on the API. */
function folded(value: unknown): unknown {
  return typeof value === "string" ? value.toUpperCase() : value;
}
