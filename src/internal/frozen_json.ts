/** Objects frozen here to the leaves, which need no second copy. */
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
 * @throws {TypeError} when it holds something that JSON cannot, such as `NaN`, a `bigint` or a function.
 */
export function frozenJson<T>(value: T, what: string): T {
  if (typeof value === "object" && value !== null && made.has(value)) return value;
  const copy = frozen(value, what) as T;
  if (typeof copy === "object" && copy !== null) made.add(copy);
  return copy;
}

function frozen(value: unknown, what: string): unknown {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (Array.isArray(value)) {
    return Object.freeze(value.map((part, index) => frozen(part ?? null, `${what}[${index}]`)));
  }
  if (typeof value === "object" && made.has(value)) return value;
  if (typeof value !== "object") {
    throw new TypeError(
      `Cannot plan ${what}: ${String(value)} (${typeof value}) is nothing that JSON can hold`,
    );
  }
  if ("toJSON" in value && typeof value.toJSON === "function") return frozen(value.toJSON(), what);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.freeze(
    Object.fromEntries(fields.map(([name, field]) => [name, frozen(field, `${what}.${name}`)])),
  );
}
