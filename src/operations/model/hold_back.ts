import { EXPERIMENT_UNITS, type HoldBack } from "../../plans/model/experiment.ts";
import type { Fields, InputOf } from "./field.ts";
import type { Spelling } from "./operation.ts";

export const HOLD_BACK_FIELDS = {
  hold_back: { type: "share", help: "random share to leave unchanged, for comparison" },
  seed: { type: "text", help: "seed for the random choice, to repeat it", isRare: true },
  hold_back_unit: {
    type: "choice",
    choices: EXPERIMENT_UNITS,
    help: "unit of the random choice",
    otherwise: "campaigns if budgets limit them, profiles for several profiles",
    value: "unit",
    isRare: true,
  },
  hold_back_weeks: {
    type: "whole",
    min: 1,
    help: "weeks during which later plans leave these items unchanged",
    otherwise: "4",
    isRare: true,
  },
} as const satisfies Fields;

export type HoldBackInput = InputOf<typeof HOLD_BACK_FIELDS>;

export function holdBackOf(input: HoldBackInput): HoldBack | undefined {
  const { hold_back: share, seed, hold_back_unit: unit, hold_back_weeks: weeks } = input;
  return share === undefined ? undefined : { share, seed, unit, weeks };
}

/** @throws {RangeError} for hold-back options without a share, and for an invalid share. */
export function checkHoldBack(input: HoldBackInput, { field }: Spelling): void {
  const { hold_back: share, seed, hold_back_unit: unit, hold_back_weeks: weeks } = input;
  if (share === undefined && (seed ?? unit ?? weeks) !== undefined) {
    throw new RangeError(
      `Cannot use ${field("seed")}, ${field("hold_back_unit")} or ${field("hold_back_weeks")} without ${
        field("hold_back")
      }`,
    );
  }
  if (share !== undefined && !(share > 0 && share < 1)) {
    throw new RangeError(`Cannot hold back ${share}: it is not a share such as 25% or 0.25`);
  }
}
