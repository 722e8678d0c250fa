import type { Command, CommandUnknownOpts, OptionValues } from "@commander-js/extra-typings";
import {
  checkHoldBack,
  HOLD_BACK_FIELDS,
  holdBackOf as holdBackOfInput,
} from "../../../../operations/model/hold_back.ts";
import type { ExperimentUnitKind, HoldBack } from "../../../../plans/model/experiment.ts";
import { UsageError } from "../errors/cli_error.ts";
import { addFields, commandSpelling, fieldInput } from "./field_options.ts";

/** Options of commands that can hold a part of their plan back for comparison. */
export interface ExperimentOptions {
  /** Share to hold back. */
  readonly holdBack?: number;
  /** Makes the draw repeatable. */
  readonly seed?: string;
  /** The entities that are drawn. */
  readonly holdBackUnit?: ExperimentUnitKind;
  /** Weeks for which the part stays as it is. */
  readonly holdBackWeeks?: number;
}

/** Adds the options that hold a part of a plan back for comparison. */
export function withExperimentOptions<Args extends unknown[], Own extends OptionValues>(
  command: Command<Args, Own>,
): Command<Args, Own & ExperimentOptions> {
  const full: CommandUnknownOpts = addFields(command, HOLD_BACK_FIELDS).option(...TOUCH_EXPERIMENTS);
  // The types of commander cannot add to options that are not known yet.
  return full as Command<Args, Own & ExperimentOptions>;
}

/** Flag and meaning of `--touch-experiments`, for commands that hold nothing back themselves too. */
export const TOUCH_EXPERIMENTS = [
  "--touch-experiments",
  "change items that other plans hold back, which ends their experiment",
] as const;

/**
 * Part of a new plan to hold back, as the options say.
 *
 * @throws {UsageError} for options that make no sense.
 */
export function holdBackOf(options: ExperimentOptions): HoldBack | undefined {
  const input = fieldInput(HOLD_BACK_FIELDS, options);
  try {
    checkHoldBack(input, commandSpelling(HOLD_BACK_FIELDS));
  } catch (error) {
    throw error instanceof RangeError ? new UsageError(error.message, { cause: error }) : error;
  }
  return holdBackOfInput(input);
}

/** Divides holding back for many profiles: whole profiles are drawn, unless other units are asked for. */
export function dividedHoldBack(
  holdBack: HoldBack | undefined,
): { readonly ofProfiles?: HoldBack; readonly inPlans?: HoldBack } {
  if (holdBack === undefined) return {};
  return holdBack.unit === undefined || holdBack.unit === "profile"
    ? { ofProfiles: holdBack }
    : { inPlans: holdBack };
}
