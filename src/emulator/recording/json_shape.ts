import { isObject } from "../core/json.ts";

/** JSON types by path: `keywords[].bid` of a list of keywords. */
export type JsonShape = ReadonlyMap<string, ReadonlySet<string>>;

/** A difference of two shapes. */
export interface ShapeDifference {
  /** Path of the field. */
  readonly path: string;
  /** Types on the one side; `absent` for none. */
  readonly left: string;
  /** Types on the other side; `absent` for none. */
  readonly right: string;
}

/** The shape of values taken together. */
export function shapeOf(values: readonly unknown[]): JsonShape {
  const shape = new Map<string, Set<string>>();
  for (const value of values) gather(value, "", shape);
  return shape;
}

/** Fields that only one side has where both have what they stand in, and fields of different types; `null` is of any type. */
export function shapeDifferences(left: JsonShape, right: JsonShape): ShapeDifference[] {
  const found: ShapeDifference[] = [];
  for (const path of new Set([...left.keys(), ...right.keys()])) {
    const [here, there] = [left.get(path), right.get(path)];
    if (here === undefined || there === undefined) {
      // What an empty list would hold is not known.
      if (path.endsWith("[]")) continue;
      const other = here === undefined ? left : right;
      if (other.get(parentOf(path))?.has("object")) {
        found.push({ path, left: named(here), right: named(there) });
      }
      continue;
    }
    const [a, b] = [here, there].map((types) => [...types].filter((type) => type !== "null"));
    if (a!.length > 0 && b!.length > 0 && !a!.some((type) => b!.includes(type))) {
      found.push({ path, left: named(here), right: named(there) });
    }
  }
  return found;
}

function gather(value: unknown, path: string, shape: Map<string, Set<string>>): void {
  const types = shape.get(path) ?? new Set();
  shape.set(path, types.add(typeOf(value)));
  if (Array.isArray(value)) { for (const part of value) gather(part, `${path}[]`, shape); }
  else if (isObject(value)) {
    for (const [name, part] of Object.entries(value)) {
      gather(part, path === "" ? name : `${path}.${name}`, shape);
    }
  }
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value === "bigint" ? "number" : typeof value;
}

/** The object that a field stands in. */
function parentOf(path: string): string {
  const dot = path.lastIndexOf(".");
  return dot < 0 ? "" : path.slice(0, dot);
}

function named(types: ReadonlySet<string> | undefined): string {
  return types === undefined ? "absent" : [...types].sort().join(" or ");
}
