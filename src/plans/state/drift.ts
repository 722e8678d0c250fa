import { type DriftedField, PlanDriftError, PlatformAdsError } from "../../errors.ts";
import { sameValue } from "../../base/json/canonical_json.ts";
import type { Change, EntityFields } from "../model/change.ts";
import type { PlacedChange } from "../model/change_result.ts";
import { differences } from "../model/differences.ts";
import { type PlannedCall, plannedCall } from "../model/planned_call.ts";
import type { PlanResource } from "../model/plan_target.ts";
import type { AccountReading } from "./account_reading.ts";
import { Unread } from "../model/prior_state.ts";

export interface Drift {
  readonly fields: readonly DriftedField[];
  readonly already: boolean;
}

export function findDrift(
  changes: readonly PlacedChange[],
  account: Pick<AccountReading, "entity" | "call">,
  client: { resource(kind: string): Pick<PlanResource, "idField" | "comparable"> },
): Map<number, Drift> {
  const drifted = new Map<number, Drift>();
  for (const { at, change } of changes) {
    const call = plannedCall(change);
    const drift = call === undefined
      ? entityDrift(change, account, client)
      : callDrift(change, { call, account });
    if (drift !== undefined) drifted.set(at, drift);
  }
  return drifted;
}

function entityDrift(
  change: Change,
  account: Pick<AccountReading, "entity">,
  client: Parameters<typeof findDrift>[2],
): Drift | undefined {
  const { kind, op, id } = change;
  if (id === null || op === "create") return undefined;
  const resource = client.resource(kind);
  const entity = wasRead(account.entity(kind, id));
  if (entity === undefined) {
    return {
      fields: [{ kind, id, field: resource.idField, expected: id, actual: undefined }],
      already: false,
    };
  }
  const now = resource.comparable(entity);
  const [before, after] = [resource.comparable(change.before), resource.comparable(change.after)];
  const fields = driftedFields({ ...change, before, after }, { id, now });
  return fields.length === 0 ? undefined : { fields, already: holds(now, after) };
}

function callDrift(
  change: Change,
  { call, account }: { call: PlannedCall; account: Pick<AccountReading, "call"> },
): Drift | undefined {
  const { undo: _, ...seen } = change.before;
  if (Object.keys(seen).length === 0) return undefined;
  const { undo: __, ...now } = wasRead(account.call(change)) ?? {};
  const fields = differences(seen, now).map(({ field, before, after }): DriftedField => ({
    kind: change.kind,
    id: call.operation,
    field,
    expected: before,
    actual: after,
  }));
  if (fields.length === 0) return undefined;
  return { fields, already: now.body !== undefined && sameValue(now.body, call.body) };
}

function wasRead<Value>(looked: Value | Unread): Value {
  if (looked instanceof Unread) {
    throw looked.cause ?? new PlatformAdsError(`Cannot check for drift: ${looked.why}`);
  }
  return looked;
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

export function holds(entity: EntityFields, values: EntityFields, fields = Object.keys(values)): boolean {
  return fields.every((field) => sameValue(folded(entity[field]), folded(values[field])));
}

function folded(value: unknown): unknown {
  return typeof value === "string" ? value.toUpperCase() : value ?? undefined;
}

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
