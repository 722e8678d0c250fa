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

/** A plan of a rollout, as far as it decides what is begun next. */
export interface StagedPlan {
  /** Unlike that of any other plan of the rollout. */
  readonly id: string;
  /** `open` — not over yet; `failed` — over, and not done; `over` — done, or refused by a person. */
  readonly state: "open" | "failed" | "over";
}

/** Next step of a rollout. */
export interface NextStage {
  /** Number of the stage, from 1. */
  readonly stage: number;
  /** Plans of it that are not over; none when the rollout is at its end, or stopped. */
  readonly open: readonly string[];
  /** Why nothing more is begun; `undefined` when it goes on, or every plan is over. */
  readonly stopped: string | undefined;
}

/**
 * The one decision of a rollout, on one machine and on a queue: the first stage that is not over, unless too many plans of
 * it or of one before failed.
 *
 * @param plans In the order in which they are applied.
 * @throws {ConfigurationError} for a size or a share that cannot be used.
 */
export function nextStage(
  plans: readonly StagedPlan[],
  { serial, stopOnFailures }: { readonly serial: readonly Portion[]; readonly stopOnFailures: Portion },
): NextStage {
  const stages = stagesOf(plans, serial);
  for (const [index, own] of stages.entries()) {
    const stage = index + 1;
    const failed = own.filter(({ state }) => state === "failed").length;
    if (failed > countOf(stopOnFailures, own.length)) {
      const stopped =
        `${failed} of the ${own.length} plans of stage ${stage} failed, and at most ${stopOnFailures} may fail`;
      return { stage, open: [], stopped };
    }
    const open = own.filter(({ state }) => state === "open").map(({ id }) => id);
    if (open.length > 0) return { stage, open, stopped: undefined };
  }
  return { stage: stages.length, open: [], stopped: undefined };
}

/** Number of items in a portion of `total`; not rounded. */
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
