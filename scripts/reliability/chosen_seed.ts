/** Number of seeds: a run names one by up to nine digits. */
export const SEEDS = 1_000_000_000;

/**
 * The seed of a whole run: the one that is given, else a new one each time.
 *
 * @throws {RangeError} when the text is not a whole number of up to nine digits.
 */
export function chosenSeed(given: string | undefined): number {
  if (given === undefined) return crypto.getRandomValues(new Uint32Array(1))[0]! % SEEDS;
  if (/^\d{1,9}$/.test(given)) return Number(given);
  throw new RangeError(`Cannot use the seed "${given}": it is not a whole number of up to nine digits`);
}
