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
