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
} from "../../plans/experiment/experiment.ts";
import { fileSystem } from "../../runtime/file_system.ts";
import type { HeldElsewhere } from "../../plans/experiment/experiment.ts";
import type { CliContext } from "../core/context.ts";
import { UsageError } from "../core/errors/cli_error.ts";
import { knownStores } from "../core/plan_folders.ts";
import { lazyImport } from "../core/lazy_import.ts";
import { positiveInteger } from "./parse_values.ts";

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
  /** Changes what other plans hold back. */
  readonly touchExperiments?: true;
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

/** Holds back part of a new plan, together with the parts of other plans in the usual folders, by profile. */
export async function heldParts(
  { holdBack, seed, holdBackUnit: unit, holdBackWeeks: weeks, touchExperiments, out }: ExperimentOptions & {
    readonly out?: string | undefined;
  },
  context: CliContext,
): Promise<{ holdBack: HoldBack | undefined; heldFor: (profileId: string) => HeldElsewhere }> {
  if (holdBack === undefined && (seed ?? unit ?? weeks) !== undefined) {
    throw new UsageError("Cannot use --seed, --hold-back-unit or --hold-back-weeks without --hold-back");
  }
  const { experimentsIn, heldBy } = await lazyImport<
    typeof import("../../plans/experiment/running_experiments.ts")
  >("../plans/experiment/running_experiments");
  const files = fileSystem();
  const folders = new Set((await knownStores(context)).map(({ path }) => path));
  if (out !== undefined) folders.add(await files.isDirectory(out) ? out : files.dirname(out));
  const now = context.io.now();
  const begun = touchExperiments
    ? []
    : (await Promise.all([...folders].map((folder) => experimentsIn(folder, now, refuseDamaged)))).flat();
  return {
    holdBack: holdBack === undefined ? undefined : { share: holdBack, seed, unit, weeks },
    heldFor: (profileId) => heldBy(begun, profileId),
  };
}

/** Refuses to plan past a record that no longer says what is held back. */
function refuseDamaged(path: string): never {
  throw new UsageError(
    `Cannot tell what is held back: ${path} was edited or is damaged. Bring it back, or plan with --touch-experiments`,
  );
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
