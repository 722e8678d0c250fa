import { sameValue } from "../../base/json/canonical_json.ts";
import { isObject } from "../../base/json/fields_of.ts";
import type { Change, ChangeRow, EntityFields } from "./change.ts";
import { isChangeRef } from "./change_ref.ts";

/** Everything sent has a row, regardless of what the plan file claims. */
export function changeRows(changes: readonly Change[]): ChangeRow[] {
  return changes.flatMap((change) => {
    const { kind, label } = change;
    return shownFields(change).map((part) => ({ kind, id: change.id ?? "", label, ...part }));
  });
}

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

function callFields(before: EntityFields, call: EntityFields): Difference[] {
  const { operation: _, path_params: __, ...after } = call;
  const { undo: ___, ...state } = before;
  return differences(state, after);
}

function archivedAs({ state }: EntityFields): unknown {
  return String(state).toUpperCase() === "ARCHIVED" ? state : "ARCHIVED";
}

export interface Difference {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

export function differences(before: unknown, after: unknown, path = ""): Difference[] {
  if (isObject(after) && !isChangeRef(after) && (before === undefined || isObject(before))) {
    // A part that is there before and not after is taken away, which is a change to be shown.
    const names = [...new Set([...Object.keys(after), ...Object.keys(before ?? {})])];
    if (names.length > 0) {
      return names.flatMap((name) =>
        differences(own(before, name), own(after, name), path === "" ? name : `${path}.${name}`)
      );
    }
  }
  if (isObjects(before) && isObjects(after) && before.length === after.length) {
    return after.flatMap((item, index) => differences(before[index], item, `${path}[${index}]`));
  }
  return sameValue(before, after) ? [] : [{ field: path, before, after }];
}

/** Reads an own field of untrusted data: inherited ones such as `constructor` do not count. */
export function own(fields: EntityFields | undefined, name: string): unknown {
  return fields !== undefined && Object.hasOwn(fields, name) ? fields[name] : undefined;
}

function isObjects(value: unknown): value is Record<string, unknown>[] {
  return Array.isArray(value) && value.length > 0 && value.every(isObject);
}
