/**
 * Rejects unknown options, because a misspelled filter would match everything.
 *
 * @throws {TypeError} naming the known options.
 */
export function checkOptions(options: object, known: readonly string[], what: string): void {
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new TypeError(
    `Cannot ${what} by "${unknown}": there is no such option. Expected one of ${known.join(", ")}`,
  );
}

/**
 * Rejects values that are not arrays. Strings are iterable, so `"12"` would otherwise become the ids 1 and 2.
 *
 * @throws {TypeError} when the value is not an array.
 */
export function checkList(value: unknown, what: string): void {
  if (Array.isArray(value)) return;
  throw new TypeError(`Cannot use ${JSON.stringify(value) ?? String(value)} as ${what}: it is not a list`);
}
