const SMALL_BITS = 46n;
const MASK = (1n << SMALL_BITS) - 1n;
const SMALL_BASE = 1n << 47n;
const BIG_BASE = 1n << 63n;
const MULTIPLIER = 0x2545f4914f6dn;

/**
 * Makes ids as the platform's look: unsigned 64-bit integers without a visible order, every fourth of them past
 * 2^53. Each number below 2^46 gives another id, and with one seed always the same.
 */
export class IdMaker {
  readonly #salt: bigint;

  /** Chooses the sequence by a number. */
  constructor(seed: number) {
    this.#salt = (BigInt(seed >>> 0) * 0x9e3779b97f4a7c15n) & MASK;
  }

  /** The id with this number, as decimal text. */
  at(number: number): string {
    const scrambled = ((BigInt(number) * MULTIPLIER) & MASK) ^ this.#salt;
    return String((number % 4 === 3 ? BIG_BASE : SMALL_BASE) + scrambled);
  }
}
