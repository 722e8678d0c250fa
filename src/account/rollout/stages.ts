import { ConfigurationError } from "../../errors.ts";

/** A number of profiles, or a share of all of them: `3`, `10%`. */
export type Portion = number | `${number}%`;

/**
 * Cuts a list into stages: each portion is the size of one stage, and the last one is repeated for what is left.
 *
 * @param serial Sizes of the stages, for example `[1, "10%", "100%"]`.
 * @throws {ConfigurationError} for a size that is neither a number nor a share.
 */
export function stagesOf<Item>(items: readonly Item[], serial: readonly Portion[]): Item[][] {
  const stages: Item[][] = [];
  for (let at = 0, stage = 0; at < items.length; stage++) {
    const portion = serial[Math.min(stage, serial.length - 1)] ?? "100%";
    const size = Math.max(1, Math.floor(countOf(portion, items.length)));
    stages.push(items.slice(at, at + size));
    at += size;
  }
  return stages;
}

/** How many of so many items a portion is; not rounded. */
export function countOf(portion: Portion, total: number): number {
  const text = String(portion).trim();
  const [, number, percent] = /^(\d+(?:\.\d+)?)(%?)$/.exec(text) ?? [];
  if (number === undefined || (percent === "%" && Number(number) > 100)) {
    throw new ConfigurationError(`Cannot use "${text}": expected a number such as 3, or a share such as 10%`);
  }
  return percent === "%" ? total * Number(number) / 100 : Number(number);
}

/** Reads portions from a text: `1,10%,100%`. */
export function parsePortions(text: string): Portion[] {
  return text.split(",").map((part) => {
    const portion = part.trim() as Portion;
    countOf(portion, 1);
    return portion;
  });
}
