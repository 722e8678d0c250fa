import { isObject } from "../../base/json/fields_of.ts";

type Fields = Record<string, unknown>;

const ITEM_KEY = "placement";

/**
 * Merges an update at every depth. List items with a placement are merged by it, because the platform keeps placements
 * that an update omits. Other lists are replaced, and `null` clears a value.
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

/**
 * Prepares a former value so that an update restores it. Placements added since then get 0 %, because updates keep
 * placements that they omit.
 */
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

/** A removed adjustment equals 0 %. */
function withoutPercentage(item: Fields): Fields {
  return { ...item, percentage: 0 };
}

function isKeyedList(value: unknown): value is Fields[] {
  return Array.isArray(value) && value.every((item) => isObject(item) && typeof item[ITEM_KEY] === "string");
}
