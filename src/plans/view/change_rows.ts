import type { Change, ChangeRow, EntityFields } from "../change.ts";
import { isChangeRef } from "../graph/change_ref.ts";
import { sameValue } from "../../internal/canonical_json.ts";

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

interface Difference {
  field: string;
  before: unknown;
  after: unknown;
}

function shownFields({ op, before, after }: Change): Difference[] {
  // What does not exist yet has nothing before.
  if (op === "create") return differences({}, after);
  const sent = op === "archive" ? { ...after, state: archivedAs(after) } : after;
  const names = [...new Set([...Object.keys(sent), ...Object.keys(before)])];
  return names.flatMap((field) => {
    const [from, to] = [own(before, field), own(sent, field)];
    const found = differences(from, to, field);
    return found.length > 0 || to === undefined ? found : [{ field, before: from, after: to }];
  });
}

/** Brands keywords write it in lower case. */
function archivedAs({ state }: EntityFields): unknown {
  return String(state).toUpperCase() === "ARCHIVED" ? state : "ARCHIVED";
}

function differences(before: unknown, after: unknown, path = ""): Difference[] {
  if (isObject(after) && !isChangeRef(after) && (before === undefined || isObject(before))) {
    // A part that is there before and not after is taken away, which is a change to be shown.
    const names = [...new Set([...Object.keys(after), ...Object.keys(before ?? {})])];
    if (names.length > 0) {
      return names.flatMap((name) =>
        differences(own(before, name), own(after, name), path === "" ? name : `${path}.${name}`)
      );
    }
  }
  return sameValue(before, after) ? [] : [{ field: path, before, after }];
}

/** A field of data from anywhere: `constructor` may be one, and what every object inherits is none. */
function own(fields: EntityFields | undefined, name: string): unknown {
  return fields !== undefined && Object.hasOwn(fields, name) ? fields[name] : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
