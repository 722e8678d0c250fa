/**
 * Items of lists that are gone through while a step runs: a measure of its work that does not depend on the machine. Loops
 * over indexes, maps and texts are not counted.
 */
export async function visited(step: () => unknown): Promise<number> {
  let count = 0;
  const names = [
    "filter",
    "find",
    "findIndex",
    "some",
    "every",
    "map",
    "flatMap",
    "forEach",
    "includes",
    "indexOf",
  ];
  const own = Array.prototype as unknown as Record<PropertyKey, (...args: unknown[]) => unknown>;
  const kept = new Map([...names, Symbol.iterator].map((name) => [name, own[name]!]));
  for (const [name, method] of kept) {
    own[name] = function (this: unknown[], ...args) {
      count += this.length;
      return method.apply(this, args);
    };
  }
  try {
    await step();
  } finally {
    for (const [name, method] of kept) own[name] = method;
  }
  return count;
}
