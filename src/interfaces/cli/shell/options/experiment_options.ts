import {
  checkHoldBack,
  HOLD_BACK_FIELDS,
  holdBackOf as holdBackOfInput,
} from "../../../../operations/model/hold_back.ts";
import type { ExperimentUnitKind, HoldBack } from "../../../../plans/model/experiment.ts";
import { UsageError } from "../io/cli_error.ts";
import { commandSpelling, fieldInput } from "./field_options.ts";

// An interface would not do: commander's own type of options has an index.
export type ExperimentOptions = {
  readonly holdBack?: number;
  readonly seed?: string;
  readonly holdBackUnit?: ExperimentUnitKind;
  readonly holdBackWeeks?: number;
};

export const TOUCH_EXPERIMENTS = [
  "--touch-experiments",
  "change items that other plans hold back, which ends their experiment",
] as const;

export function holdBackOf(options: ExperimentOptions): HoldBack | undefined {
  const input = fieldInput(HOLD_BACK_FIELDS, options);
  try {
    checkHoldBack(input, commandSpelling(HOLD_BACK_FIELDS));
  } catch (error) {
    throw error instanceof RangeError ? new UsageError(error.message, { cause: error }) : error;
  }
  return holdBackOfInput(input);
}

/** For many profiles, whole profiles are drawn unless other units are requested. */
export function dividedHoldBack(
  holdBack: HoldBack | undefined,
): { readonly ofProfiles?: HoldBack; readonly inPlans?: HoldBack } {
  if (holdBack === undefined) return {};
  return holdBack.unit === undefined || holdBack.unit === "profile"
    ? { ofProfiles: holdBack }
    : { inPlans: holdBack };
}
