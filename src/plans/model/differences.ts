import { isObject } from "../../base/json/is_object.ts";
import { sameValue } from "../../base/json/canonical_json.ts";
import type { EntityFields } from "./change.ts";
import { isChangeRef } from "./change_ref.ts";

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
