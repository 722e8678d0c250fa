import type { Change, ChangeRow, EntityFields } from "../change.ts";
import { type Difference, differences, own } from "../differences.ts";

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

function shownFields({ op, before, after }: Change): Difference[] {
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

/** Of a call, the operation is its label, and the values of the path are in its request. */
function callFields(before: EntityFields, call: EntityFields): Difference[] {
  const { operation: _, path_params: __, ...after } = call;
  return differences(before, after);
}

/** Brands keywords write it in lower case. */
function archivedAs({ state }: EntityFields): unknown {
  return String(state).toUpperCase() === "ARCHIVED" ? state : "ARCHIVED";
}
