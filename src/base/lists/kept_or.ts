const MAX_KEPT = 1000;

/**
 * The value that was kept for a key, or the one that is made now. Past 1,000 values all are forgotten: what is kept is made
 * again at little cost.
 */
export function keptOr<Value>(kept: Map<string, Value>, key: string, make: () => Value): Value {
  let value = kept.get(key);
  if (value === undefined) {
    value = make();
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(key, value);
  }
  return value;
}
