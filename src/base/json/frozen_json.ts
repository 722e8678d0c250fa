/** Deeply frozen objects that need no copy. */
const made = new WeakSet<object>();

/** True for what {@linkcode frozenJson} returned. */
export function isFrozenJson(value: object): boolean {
  return made.has(value);
}

/**
 * A frozen deep copy of JSON data without `undefined` fields: a review, a request and a plan file then hold the same
 * values.
 *
 * @param what What the data is, for the message: `change 3`.
 * @param ready Parts of the data that are frozen already, as by {@linkcode frozenPart}; they are not copied.
 * @throws {TypeError} when it holds something that JSON cannot, such as `NaN`, a `bigint` or a function.
 */
export function frozenJson<T>(value: T, what: string, ready: readonly unknown[] = []): T {
  if (typeof value === "object" && value !== null && made.has(value)) return value;
  const copy = frozen(value, { what }, ready) as T;
  if (typeof copy === "object" && copy !== null) made.add(copy);
  return copy;
}

/** Like {@linkcode frozenJson}, for a part of data to be frozen: only the outermost counts as frozen afterwards. */
export function frozenPart<T>(value: T, what: string): T {
  return frozen(value, { what }, []) as T;
}

/** Place of a value; its text is built only for errors. */
interface Place {
  readonly what?: string;
  readonly within?: Place;
  /** Field or index within it. */
  readonly at?: string | number;
}

function frozen(value: unknown, place: Place, ready: readonly unknown[]): unknown {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (Array.isArray(value)) {
    return Object.freeze(value.map((part, at) => frozen(part ?? null, { within: place, at }, ready)));
  }
  if (typeof value !== "object") {
    throw new TypeError(
      `Cannot plan ${textOf(place)}: ${String(value)} (${typeof value}) is nothing that JSON can hold`,
    );
  }
  if (ready.includes(value) || made.has(value)) return value;
  if ("toJSON" in value && typeof value.toJSON === "function") return frozen(value.toJSON(), place, ready);
  const copy: Record<string, unknown> = {};
  for (const at of Object.keys(value)) {
    const field: unknown = value[at as keyof typeof value];
    if (field === undefined) continue;
    const own = typeof field === "string" ? field : frozen(field, { within: place, at }, ready);
    // Assigned, it would be the prototype of the copy.
    if (at === "__proto__") Object.defineProperty(copy, at, { value: own, enumerable: true });
    else copy[at] = own;
  }
  return Object.freeze(copy);
}

function textOf({ what = "", within, at }: Place): string {
  if (within === undefined) return what;
  return `${textOf(within)}${typeof at === "number" ? `[${at}]` : `.${at}`}`;
}
