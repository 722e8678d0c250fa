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
