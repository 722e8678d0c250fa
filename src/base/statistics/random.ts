import { sha256 } from "../text/sha256.ts";

/** Seed of a draw: the same seed and units always give the same draw. */
export type Seed = string | number;

/** Random number generator; each call returns the next number, from 0 inclusive to 1 exclusive. */
export interface SeededRandom {
  (): number;
  /** Returns a generator of the same numbers from here on. */
  fork(): SeededRandom;
}

/**
 * Returns a reproducible random number generator: sfc32 (Chris Doty-Humphrey, PractRand), seeded from a hash of the
 * text.
 */
export function seededRandom(seed: string): SeededRandom {
  const hash = sha256(seed);
  const next = sfc32(
    [0, 8, 16, 24].map((at) => Number.parseInt(hash.slice(at, at + 8), 16) | 0) as [
      number,
      number,
      number,
      number,
    ],
  );
  for (let warmUp = 0; warmUp < 12; warmUp++) next();
  return next;
}

function sfc32([a, b, c, counter]: readonly [number, number, number, number]): SeededRandom {
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 4294967296;
  };
  return Object.assign(next, { fork: () => sfc32([a, b, c, counter]) });
}

export function seedText(seed: Seed): string {
  if (typeof seed === "number" ? Number.isFinite(seed) : typeof seed === "string" && seed !== "") {
    return String(seed);
  }
  throw new TypeError(
    "Cannot draw: seed is neither a finite number nor a text. Give one, to be able to repeat the draw",
  );
}
