import { seededRandom } from "../../src/base/statistics/random.ts";

/** A maker of synthetic figures. */
export interface Figures {
  /** A number from 0 to 1. */
  uniform(): number;
  /** A standard normal number, by Box and Muller. */
  normal(): number;
  /** A count with this mean: Poisson, for large means by the normal. */
  count(mean: number): number;
}

/** Figures that are the same for the same seed. */
export function figuresOf(seed: string): Figures {
  const uniform = seededRandom(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  return {
    uniform,
    normal,
    count: (mean) => {
      if (mean > 50) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal()));
      let [count, chance] = [0, Math.exp(-mean)];
      let sum = chance;
      const at = uniform();
      while (at > sum && count < 500) {
        count++;
        chance *= mean / count;
        sum += chance;
      }
      return count;
    },
  };
}
