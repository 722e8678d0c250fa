import { type DriftedField, PlanDriftError } from "../../errors.ts";
import { sameValue } from "../../internal/canonical_json.ts";
import type { Change, EntityFields } from "../change.ts";
import type { PlacedChange } from "../change_result.ts";
import { differences } from "../differences.ts";
import { plannedCall } from "../planned_call.ts";
import type { PlanResource, PlanTarget } from "../plan_target.ts";

/** The reading part of a plan's client. */
export interface ReadTarget extends Pick<PlanTarget, "calls"> {
  /** The resource behind a kind. */
  resource(kind: string): Pick<PlanResource, "idField" | "getMany" | "comparable" | "labelOf">;
}

/** How the entity of a change differs from what the plan saw. */
export interface Drift {
  /** The fields that no longer hold their `before` value. */
  readonly fields: readonly DriftedField[];
  /** True when the entity is as the change would make it. */
  readonly already: boolean;
}

/**
 * Re-reads every entity that changes touch and finds those that no longer hold their `before` values.
 *
 * @param client The client of the profile.
 * @returns The drift by the position of the change in its plan.
 */
export async function findDrift(
  changes: readonly PlacedChange[],
  client: ReadTarget,
  options: { signal?: AbortSignal | undefined } = {},
): Promise<Map<number, Drift>> {
  const drifted = new Map<number, Drift>();
  const existing = changes.flatMap(({ at, change }) =>
    change.id === null || change.op === "create" ? [] : [{ at, change, id: change.id }]
  );
  for (const [kind, group] of Map.groupBy(existing, ({ change }) => change.kind)) {
    const resource = client.resource(kind);
    const found = await resource.getMany([...new Set(group.map(({ id }) => id))], options);
    for (const { at, change, id } of group) {
      const entity = found.get(id);
      if (entity === undefined) {
        const field = { kind, id, field: resource.idField, expected: id, actual: undefined };
        drifted.set(at, { fields: [field], already: false });
        continue;
      }
      const now = resource.comparable(entity);
      const fields = driftedFields(change, { id, now });
      if (fields.length > 0) drifted.set(at, { fields, already: holds(now, change.after) });
    }
  }
  for (const { at, change } of changes) {
    const drift = await callDrift(change, client, options);
    if (drift !== undefined) drifted.set(at, drift);
  }
  return drifted;
}

/** A call drifted where what it writes over is no longer what the plan saw. */
async function callDrift(
  change: Change,
  client: Pick<PlanTarget, "calls">,
  options: { signal?: AbortSignal | undefined },
): Promise<Drift | undefined> {
  const call = plannedCall(change);
  if (call === undefined || Object.keys(change.before).length === 0) return undefined;
  const now = await client.calls?.read(call, options) ?? {};
  const fields = differences(change.before, now).map(({ field, before, after }): DriftedField => ({
    kind: change.kind,
    id: call.operation,
    field,
    expected: before,
    actual: after,
  }));
  if (fields.length === 0) return undefined;
  return { fields, already: now.body !== undefined && sameValue(now.body, call.body) };
}

function driftedFields(change: Change, { id, now }: { id: string; now: EntityFields }): DriftedField[] {
  const names = Object.keys(change.op === "archive" ? change.before : change.after);
  return names.flatMap((field) => {
    const [expected, actual] = [change.before[field], now[field]];
    return sameValue(expected ?? undefined, actual ?? undefined)
      ? []
      : [{ kind: change.kind, id, field, expected, actual }];
  });
}

/** True when an entity has all of the values; states are written in either case, depending on the API. */
export function holds(entity: EntityFields, values: EntityFields, fields = Object.keys(values)): boolean {
  return fields.every((field) => sameValue(folded(entity[field]), folded(values[field])));
}

function folded(value: unknown): unknown {
  return typeof value === "string" ? value.toUpperCase() : value ?? undefined;
}

/** The error for fields that drifted. */
export function driftError(planId: string, drifted: readonly DriftedField[]): PlanDriftError {
  const [first] = drifted;
  const more = drifted.length > 1 ? ` and ${drifted.length - 1} more` : "";
  const what = first === undefined ? "" : ` ${driftText(first)}${more}.`;
  return new PlanDriftError(
    `Cannot apply plan ${planId}: the account changed since it was made.${what} Make a new plan`,
    drifted,
  );
}

/** `sp.keywords 9: "bid" was 1 and is 2`. */
export function driftText({ kind, id, field, expected, actual }: DriftedField): string {
  return `${kind} ${id}: "${field}" was ${valueText(expected)} and is ${valueText(actual)}`;
}

function valueText(value: unknown): string {
  return JSON.stringify(value) ?? "absent";
}
