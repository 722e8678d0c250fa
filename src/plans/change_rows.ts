import type { Change, ChangeRow } from "./change.ts";
import { sameValue } from "./canonical_json.ts";

/** One row for each field that the changes touch; fields of an object-valued field get a row each. */
export function changeRows(changes: readonly Change[]): ChangeRow[] {
  return changes.flatMap((change) => {
    const { kind, label } = change;
    return differences(change.before, change.after).map((part) => ({
      kind,
      id: change.id ?? "",
      label,
      ...part,
    }));
  });
}

interface Difference {
  field: string;
  before: unknown;
  after: unknown;
}

function differences(before: unknown, after: unknown, path = ""): Difference[] {
  if (isObject(after) && (before === undefined || isObject(before))) {
    // A part that is there before and not after is taken away, which is a change to be shown.
    const names = [...new Set([...Object.keys(after), ...Object.keys(before ?? {})])];
    if (names.length > 0) {
      return names.flatMap((name) =>
        differences(before?.[name], after[name], path === "" ? name : `${path}.${name}`)
      );
    }
  }
  return sameValue(before, after) ? [] : [{ field: path, before, after }];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
