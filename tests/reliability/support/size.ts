/** True when the whole suite was asked for, which takes minutes: `deno task reliability`. */
export const WHOLE_SUITE: boolean = Deno.env.get("RELIABILITY") === "full";

/** How much of something a test does: little in the lanes of `deno task test`, much in the whole suite. */
export function amount(short: number, whole: number): number {
  return WHOLE_SUITE ? whole : short;
}

/** The seed of everything random; another one may be given to look further. */
export const SEED: number = Number(Deno.env.get("RELIABILITY_SEED") ?? 20260930);
