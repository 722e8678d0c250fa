import { type DriftedField, PlanDriftError } from "../errors.ts";
import type { Change } from "./change.ts";
import { sameValue } from "../internal/canonical_json.ts";
import type { PlanTarget } from "./plan_target.ts";

/**
 * Re-reads every entity that changes touch and returns the fields that no longer hold their `before` value.
 *
 * @param client The client of the profile.
 */
export async function findDrift(
  changes: readonly Change[],
  client: PlanTarget,
  options: { signal?: AbortSignal | undefined } = {},
): Promise<DriftedField[]> {
  const drifted: DriftedField[] = [];
  const existing = changes.filter((change) => change.op !== "create");
  for (const [kind, group] of Map.groupBy(existing, (change) => change.kind)) {
    const resource = client.resource(kind);
    const found = await resource.getMany([...new Set(group.map((change) => change.id!))], options);
    for (const change of group) {
      const id = change.id!;
      const entity = found.get(id);
      if (entity === undefined) {
        drifted.push({ kind, id, field: resource.idField, expected: id, actual: undefined });
        continue;
      }
      const now = resource.comparable(entity);
      const fields = change.op === "archive" ? Object.keys(change.before) : Object.keys(change.after);
      for (const field of fields) {
        const expected = change.before[field];
        const actual = now[field];
        if (!sameValue(expected, actual)) drifted.push({ kind, id, field, expected, actual });
      }
    }
  }
  return drifted;
}

/** The error for fields that drifted. */
export function driftError(planId: string, drifted: readonly DriftedField[]): PlanDriftError {
  const first = drifted[0]!;
  const more = drifted.length > 1 ? ` and ${drifted.length - 1} more` : "";
  return new PlanDriftError(
    `Cannot apply plan ${planId}: the account changed since it was made. ${first.kind} ${first.id}: "${first.field}" ` +
      `was ${JSON.stringify(first.expected) ?? "absent"} and is ${
        JSON.stringify(first.actual) ?? "absent"
      }${more}. ` +
      "Make a new plan",
    drifted,
  );
}
