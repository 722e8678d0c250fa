const made = new WeakSet<object>();

export function isFrozenJson(value: object): boolean {
  return made.has(value);
}

/**
 * Returns a frozen deep copy without `undefined` fields, so that a review, a request and a plan file hold the same
 * values.
 *
 * @param what Name of the data for the message, such as `change 3`.
 * @param ready Parts frozen by {@linkcode frozenPart}; they are not copied.
 * @throws {TypeError} when the data contains non-JSON values, such as `NaN`, a `bigint` or a function.
 */
export function frozenJson<T>(value: T, what: string, ready: readonly unknown[] = []): T {
  if (typeof value === "object" && value !== null && made.has(value)) return value;
  const copy = frozen(value, { what }, ready) as T;
  if (typeof copy === "object" && copy !== null) made.add(copy);
  return copy;
}

export function frozenPart<T>(value: T, what: string): T {
  return frozen(value, { what }, []) as T;
}

interface Place {
  readonly what?: string;
  readonly within?: Place;
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
