export function chunks<T>(items: readonly T[], size: number): T[][] {
  const parts: T[][] = [];
  for (let at = 0; at < items.length; at += size) parts.push(items.slice(at, at + size));
  return parts;
}

export function* groups<T>(items: Iterable<T>, size: number): Generator<T[]> {
  let batch: T[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

export function combinations<K extends string>(
  lists: Readonly<Partial<Record<K, readonly string[] | null | undefined>>>,
  limits: Readonly<Partial<Record<K, number>>>,
): Partial<Record<K, string[]>>[] {
  let combined: Partial<Record<K, string[]>>[] = [{}];
  for (const [key, list] of Object.entries(lists) as [K, readonly string[] | null | undefined][]) {
    if (list === undefined || list === null) continue;
    const parts = chunks(list, limits[key] ?? Infinity);
    combined = combined.flatMap((done) => parts.map((part) => ({ ...done, [key]: part })));
  }
  return combined;
}

export async function* asyncChunks<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
