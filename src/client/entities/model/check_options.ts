/**
 * Refuses an unknown option: a misspelt filter that is ignored would let everything through.
 *
 * @param what What the options are for, for the message: `list sp.keywords`.
 * @throws {TypeError} that names the known options.
 */
export function checkOptions(options: object, known: readonly string[], what: string): void {
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new TypeError(
    `Cannot ${what} by "${unknown}": there is no such option. Expected one of ${known.join(", ")}`,
  );
}

/**
 * Refuses what is no list: a text is one of letters to JavaScript, and `"12"` must not become the ids 1 and 2.
 *
 * @param what What the list is of, named in the error.
 * @throws {TypeError} for anything but an array.
 */
export function checkList(value: unknown, what: string): void {
  if (Array.isArray(value)) return;
  throw new TypeError(`Cannot use ${JSON.stringify(value) ?? String(value)} as ${what}: it is not a list`);
}
