import {
  type Command,
  type CommandUnknownOpts,
  InvalidArgumentError,
  Option,
  type OptionValues,
} from "@commander-js/extra-typings";
import {
  EXPERIMENT_UNITS,
  type ExperimentUnitKind,
  type HoldBack,
} from "../../../../plans/model/experiment.ts";
import { UsageError } from "../errors/cli_error.ts";
import { positiveInteger } from "../arguments/parse_values.ts";

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
  const full: CommandUnknownOpts = command
    .option("--hold-back <share>", "leave a drawn share as it is, to compare with: 25%", share)
    .option("--seed <text>", "repeat the draw of --hold-back")
    .addOption(
      new Option(
        "--hold-back-unit <unit>",
        "what is drawn (default: campaigns where their budgets bind, profiles for many profiles)",
      )
        .choices(EXPERIMENT_UNITS),
    )
    .option(
      "--hold-back-weeks <n>",
      "weeks for which later plans leave it alone (default: 4)",
      positiveInteger,
    )
    .option(...TOUCH_EXPERIMENTS);
  // The types of commander cannot add to options that are not known yet.
  return full as Command<Args, Own & ExperimentOptions>;
}

/** Flag and meaning of `--touch-experiments`, for commands that hold nothing back themselves too. */
export const TOUCH_EXPERIMENTS = [
  "--touch-experiments",
  "change what other plans hold back, which voids it",
] as const;

/** Part of a new plan to hold back, as the options say. */
export function holdBackOf(
  { holdBack, seed, holdBackUnit: unit, holdBackWeeks: weeks }: ExperimentOptions,
): HoldBack | undefined {
  if (holdBack !== undefined) return { share: holdBack, seed, unit, weeks };
  if ((seed ?? unit ?? weeks) === undefined) return undefined;
  throw new UsageError("Cannot use --seed, --hold-back-unit or --hold-back-weeks without --hold-back");
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

function share(text: string): number {
  const [, number, percent] = /^(\d+(?:\.\d+)?)\s*(%?)$/.exec(text.trim()) ?? [];
  const value = Number(number) / (percent === "%" ? 100 : 1);
  if (!(value > 0 && value < 1)) throw new InvalidArgumentError("It is not a share such as 25% or 0.25.");
  return value;
}
