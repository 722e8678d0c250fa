import { fieldsOf } from "../../base/json/fields_of.ts";
import { ConfigurationError } from "../../errors.ts";

/** A number of profiles, or a percentage of all of them: `3`, `10%`. */
export type Portion = number | `${number}%`;

/**
 * Splits items into stages; the last stage size repeats until all items are used.
 *
 * @param serial For example `[1, "10%", "100%"]`.
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

export interface StagedPlan {
  readonly id: string;
  /** Progress of the plan: `failed` means finished without success; `over` also includes plans rejected by a person. */
  readonly state: "open" | "failed" | "over";
}

/**
 * True for a plan that counts as a success of its stage: every change was accepted, or those that failed were left out
 * as its reviewer was shown.
 */
export function hasSucceeded(
  { state, onlyLeftOut }: { readonly state: string; readonly onlyLeftOut?: boolean | undefined },
): boolean {
  return state === "done" || state === "failed" && onlyLeftOut === true;
}

/**
 * True if the only failures of a plan are changes that its reviewer was shown as left out.
 *
 * @param result Contents of its result file.
 */
export function isOnlyLeftOut(result: unknown): boolean {
  const { changes } = fieldsOf(result);
  return Array.isArray(changes) && changes.length > 0 && changes.every((change: unknown) => {
    const { outcome, error, left_out } = fieldsOf(change);
    return outcome !== "unknown" && (error === undefined || left_out === true);
  });
}

export interface NextStage {
  readonly stage: number;
  readonly open: readonly string[];
  /** Reason why the rollout stopped; `undefined` if it continues or is complete. */
  readonly stopped: string | undefined;
}

/**
 * Returns the first unfinished stage, unless too many plans in it or in earlier stages failed.
 *
 * @param plans In the order of application.
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

export function countOf(portion: Portion, total: number): number {
  const text = String(portion).trim();
  const [, number, percent] = /^(\d+(?:\.\d+)?)(%?)$/.exec(text) ?? [];
  if (number === undefined || (percent === "%" && Number(number) > 100)) {
    throw new ConfigurationError(`Cannot use "${text}": expected a number such as 3, or a share such as 10%`);
  }
  return percent === "%" ? total * Number(number) / 100 : Number(number);
}

export function parsePortions(text: string): Portion[] {
  return text.split(",").map((part) => {
    const portion = part.trim() as Portion;
    countOf(portion, 1);
    return portion;
  });
}
