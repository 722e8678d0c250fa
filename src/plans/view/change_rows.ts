import type { Change, ChangeRow, EntityFields } from "../model/change.ts";
import { type Difference, differences, own } from "../model/differences.ts";

/**
 * One row for each field that is sent; of an object-valued field, one for each of its parts that changes. Nothing that is
 * sent goes without a row, whatever a plan file says was there before.
 */
export function changeRows(changes: readonly Change[]): ChangeRow[] {
  return changes.flatMap((change) => {
    const { kind, label } = change;
    return shownFields(change).map((part) => ({ kind, id: change.id ?? "", label, ...part }));
  });
}

/** The fields of a change that a reader sees. */
export function shownFields({ op, before, after }: Change): Difference[] {
  const only = op === "update" ? onlyValue(before, after) : undefined;
  if (only !== undefined) return [only];
  // What does not exist yet has nothing before.
  if (op === "create") return differences({}, after);
  if (op === "call") return callFields(before, after);
  const sent = op === "archive" ? { ...after, state: archivedAs(after) } : after;
  const names = [...new Set([...Object.keys(sent), ...Object.keys(before)])];
  return names.flatMap((field) => {
    const [from, to] = [own(before, field), own(sent, field)];
    const found = differences(from, to, field);
    return found.length > 0 || to === undefined ? found : [{ field, before: from, after: to }];
  });
}

/** The one plain value that most updates change; `undefined` where it is otherwise. */
function onlyValue(before: EntityFields, after: EntityFields): Difference | undefined {
  let only: string | undefined;
  for (const field in after) {
    if (only !== undefined || typeof after[field] === "object") return undefined;
    only = field;
  }
  if (only === undefined) return undefined;
  for (const field in before) if (field !== only) return undefined;
  return { field: only, before: own(before, only), after: after[only] };
}

/** Of a call, the operation is its label, and the values of the path are in its request. */
function callFields(before: EntityFields, call: EntityFields): Difference[] {
  const { operation: _, path_params: __, ...after } = call;
  return differences(before, after);
}

/** Brands keywords write it in lower case. */
function archivedAs({ state }: EntityFields): unknown {
  return String(state).toUpperCase() === "ARCHIVED" ? state : "ARCHIVED";
}
