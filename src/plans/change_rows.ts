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
    return Object.entries(after).flatMap(([name, value]) =>
      differences(before?.[name], value, path === "" ? name : `${path}.${name}`)
    );
  }
  return sameValue(before, after) ? [] : [{ field: path, before, after }];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
