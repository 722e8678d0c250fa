import type { EffectRange, OutcomeVerdict } from "../../store/figures/experiment_outcome.ts";

/** Verdicts of comparisons as people read them. */
export const VERDICT_WORDS: Readonly<Record<OutcomeVerdict, string>> = {
  more: "More",
  less: "Less",
  no_difference: "No difference found",
  too_small: "Too small to tell",
  too_early: "Too early",
  not_known: "Not known",
};

/** `+9.6 %   +2.4 % to +14.4 %`: an effect and its interval. */
export function comparisonRange({ effect, low, high }: EffectRange): string {
  return `${signedShare(effect).padStart(7)}   ${signedShare(low)} to ${
    high === null ? "any" : signedShare(high)
  }`;
}

/** `+9.6 %`; `unknown` for none. */
export function signedShare(share: number | null): string {
  return share === null ? "unknown" : `${share < 0 ? "-" : "+"}${Math.abs(share * 100).toFixed(1)} %`;
}
