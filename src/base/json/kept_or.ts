const MAX_KEPT = 1000;

/** Returns a cached value, or makes and caches a new one. The cache is cleared at 1,000 values. */
export function keptOr<Value>(kept: Map<string, Value>, key: string, make: () => Value): Value {
  let value = kept.get(key);
  if (value === undefined) {
    value = make();
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(key, value);
  }
  return value;
}

/** Returns a function that loads something with its first call. After a failure, the next call loads it again. */
export function loadedOnce<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loading: Promise<Value> | undefined;
  return () =>
    loading ??= load().catch((error) => {
      loading = undefined;
      throw error;
    });
}
