import { isObject } from "../../base/json/is_object.ts";

type Fields = Record<string, unknown>;

/** Field that identifies list items, where they have one. */
const ITEM_KEY = "placement";

/**
 * A value as it will be after an update: fields that the update does not name keep theirs, at every depth. So do items
 * of a list that are told apart by their placement: the platform keeps a placement that an update does not name. Any
 * other list is replaced, and `null` empties what has a value.
 */
export function mergeFields(now: unknown, wanted: unknown): unknown {
  if (wanted === null) return now === undefined ? undefined : null;
  if (isObject(now) && isObject(wanted)) {
    const merged: Fields = { ...now };
    for (const [name, value] of Object.entries(wanted)) {
      const next = mergeFields(now[name], value);
      if (next !== undefined) merged[name] = next;
    }
    return merged;
  }
  if (isKeyedList(now) && isKeyedList(wanted)) {
    const left = Map.groupBy(wanted, (item) => item[ITEM_KEY]);
    const kept = now.flatMap((item) => {
      const key = item[ITEM_KEY];
      const next = left.get(key);
      left.delete(key);
      return next === undefined ? [item] : next.map((one) => mergeFields(item, one));
    });
    return [...kept, ...[...left.values()].flat()];
  }
  return wanted;
}

/** Adds empty values for everything that an update does not name, so that merging the result replaces the object. */
export function replacingFields(now: unknown, wanted: unknown): unknown {
  if (isObject(now) && isObject(wanted)) {
    const lost = Object.keys(now).filter((name) => !(name in wanted)).map((
      name,
    ) => [name, emptied(now[name])]);
    const kept = Object.entries(wanted).map(([name, value]) => [name, replacingFields(now[name], value)]);
    return Object.fromEntries([...lost, ...kept]);
  }
  if (isKeyedList(now) && isKeyedList(wanted)) {
    const named = new Set(wanted.map((item) => item[ITEM_KEY]));
    return [...wanted, ...now.filter((item) => !named.has(item[ITEM_KEY])).map(withoutPercentage)];
  }
  return wanted;
}

/** A former value so that an update restores it: placements that were added since get 0 %, because updates keep them. */
export function restoringFields(now: unknown, former: unknown): unknown {
  if (isObject(now) && isObject(former)) {
    return Object.fromEntries(
      Object.entries(former).map(([name, value]) => [name, restoringFields(now[name], value)]),
    );
  }
  if (isKeyedList(now) && isKeyedList(former)) {
    const named = new Set(former.map((item) => item[ITEM_KEY]));
    return [...former, ...now.filter((item) => !named.has(item[ITEM_KEY])).map(withoutPercentage)];
  }
  return former;
}

function emptied(value: unknown): unknown {
  return isKeyedList(value)
    ? value.map(withoutPercentage)
    : isObject(value)
    ? replacingFields(value, {})
    : null;
}

/** A removed adjustment is one of 0 %. */
function withoutPercentage(item: Fields): Fields {
  return { ...item, percentage: 0 };
}

function isKeyedList(value: unknown): value is Fields[] {
  return Array.isArray(value) && value.every((item) => isObject(item) && typeof item[ITEM_KEY] === "string");
}
