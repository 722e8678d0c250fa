import { isObject } from "../../base/json/fields_of.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Identifies list items in paths such as `dynamicBidding.placementBidding.PLACEMENT_TOP`. */
const ITEM_KEY = "placement";
const ITEM_VALUE = "percentage";

export function editedValue(entity: Fields, path: string): unknown {
  let value: unknown = entity;
  for (const step of path.split(".")) {
    if (Array.isArray(value)) {
      value = value.filter(isObject).find((item) => item[ITEM_KEY] === step)?.[ITEM_VALUE];
    } else if (isObject(value) && Object.hasOwn(value, step)) value = value[step];
    else return undefined;
  }
  return value;
}

export function withValue(entity: Fields, path: string, value: unknown): Record<string, unknown> {
  const [step = "", ...rest] = path.split(".");
  if (rest.length === 0) {
    const { [step]: _, ...others } = entity;
    return value === undefined ? others : { ...entity, [step]: value };
  }
  const now = entity[step];
  const [next = ""] = rest;
  if (rest.length === 1 && (Array.isArray(now) || (now === undefined && step === "placementBidding"))) {
    const others = (now ?? []) as readonly unknown[];
    const at = others.findIndex((item) => isObject(item) && item[ITEM_KEY] === next);
    const item = { ...Object(others[at]), [ITEM_KEY]: next, [ITEM_VALUE]: value };
    if (value === undefined) return { ...entity, [step]: others.filter((_, place) => place !== at) };
    return { ...entity, [step]: at < 0 ? [...others, item] : others.with(at, item) };
  }
  return { ...entity, [step]: withValue(isObject(now) ? now : {}, rest.join("."), value) };
}

/** Falls back to the whole field if an edit cannot hold the nested value. */
export function changedPaths(before: Fields, after: Fields): string[] {
  return Object.keys(after).flatMap((field) => pathsIn(before[field], after[field], field));
}

function pathsIn(before: unknown, after: unknown, path: string): string[] {
  if (JSON.stringify(before ?? null) === JSON.stringify(after ?? null)) return [];
  if (isObject(after) && (before === undefined || isObject(before))) {
    const inner = Object.keys(after).flatMap((name) =>
      pathsIn(before?.[name], after[name], `${path}.${name}`)
    );
    return inner.length > 0 ? inner : [path];
  }
  if (isItems(after) && (before === undefined || isItems(before))) {
    const names = after.map((item) => String(item[ITEM_KEY]));
    const inner = names.flatMap((name) =>
      pathsIn(
        editedValue({ list: before ?? [] }, `list.${name}`),
        editedValue({ list: after }, `list.${name}`),
        `${path}.${name}`,
      )
    );
    // An item that is gone is no value of another.
    return before === undefined || before.every((item) => names.includes(String(item[ITEM_KEY])))
      ? inner
      : [path];
  }
  return [path];
}

function isItems(value: unknown): value is Record<string, unknown>[] {
  return Array.isArray(value) && value.length > 0 &&
    value.every((item) =>
      isObject(item) && Object.keys(item).every((name) => [ITEM_KEY, ITEM_VALUE].includes(name))
    );
}
