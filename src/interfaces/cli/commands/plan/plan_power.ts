import { InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { dayIn } from "../../../../base/time/calendar.ts";
import { timeZoneOf } from "../../../../base/markets/markets.ts";
import { EFFECT_FIGURES } from "../../../../store/figures/experiment_outcome.ts";
import { type DrawnProfiles, drawnProfiles } from "../../../../account/rollout/rollout_experiment.ts";
import { isRollout } from "../../../../account/rollout/rollout_file.ts";
import type { ChangePlan } from "../../../../plans/change_plan/change_plan.ts";
import { EXIT, refusingBadInput, UsageError } from "../../shell/io/cli_error.ts";
import { command } from "../../shell/command.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { readPlan, refusing } from "../../shell/find_plan.ts";
import { openRollout } from "./rollout/open_rollout.ts";
import { powerLines } from "../../../../operations/reads/power_lines.ts";
import { openStore } from "../../shell/connect/open_store.ts";
import { share } from "../../shell/options/parse_values.ts";
import { positiveInteger } from "../../shell/options/parse_values.ts";
import { storeOption } from "../../shell/options/store_option.ts";
import { printJson, wantsData } from "../../shell/output/print_rows.ts";
import { writeText } from "../../shell/output/write_text.ts";

export const planPowerCommand = command(
  (kit) =>
    kit.leaf("power", {
      summary: "Estimate the chance of detecting a plan's effect, before applying it",
      details:
        "Simulates the experiment many times on stored data: chooses a random part as --hold-back does, applies " +
        "the effect to the others, and compares them as plan outcome does. Assumes no distribution. Reads nothing " +
        "from the platform.",
      examples: [
        [
          "adsctl plan power plan.json --effect 10% --weeks 4",
          "estimate the chance of detecting +10 % in four weeks",
        ],
        ["adsctl plan power plan.json --effect 5% --figure clicks --json", "as data"],
      ],
      library: 'await planPower(store, { plan, today: "2026-11-24", effect: 0.1, weeks: 4 })',
    })
      .argument(
        "<plan>",
        "the plan file, the id of the plan, or the folder of a rollout that holds profiles back",
      )
      .addOption(storeOption())
      .option("--effect <share>", "effect to find: 10% or -5% (default: 10%)", effect)
      .option(
        "--weeks <n>",
        "weeks after applying (default: the plan's, otherwise 4)",
        positiveInteger,
      )
      .option(
        "--hold-back <share>",
        "share to hold back, if the plan holds nothing back (default: 25%)",
        share,
      )
      .addOption(
        new Option("--figure <figure>", "figure to compare (default: sales)").choices(EFFECT_FIGURES),
      ),
  async (file, options, context) => {
    const { effect, weeks, figure, holdBack } = options;
    const { plan, profiles: rollout } = await isRollout(file)
      ? await rolloutOf(file, context)
      : { plan: await readPlan(file, context), profiles: undefined };
    const { planPower } = await import("../../../../store/figures/plan_power.ts");
    const today = dayIn(timeZoneOf(plan), context.io.now());
    const store = await openStore(options, context);
    const power = await refusingBadInput(() =>
      planPower(store, { plan, today, effect, weeks, figure, share: holdBack, rollout })
    );
    if (wantsData(context)) await printJson(power, context);
    else await writeText(powerLines(power).map((line) => `${line}\n`).join(""), context);
    return EXIT.done;
  },
);

async function rolloutOf(
  folder: string,
  context: CliContext,
): Promise<{ plan: ChangePlan; profiles: DrawnProfiles }> {
  const rollout = await openRollout(folder, context);
  const drawn = await refusing(() => drawnProfiles(rollout));
  if (drawn !== undefined) return drawn;
  throw new UsageError(`The rollout "${folder}" holds no profiles back: name one of its plans`);
}

function effect(text: string): number {
  const [, sign = "", number, percent] = /^([+-]?)(\d+(?:\.\d+)?)\s*(%?)$/.exec(text.trim()) ?? [];
  const value = Number(number) / (percent === "%" ? 100 : 1) * (sign === "-" ? -1 : 1);
  if (number === undefined || value === 0 || value <= -1) {
    throw new InvalidArgumentError("It is not an effect such as 10% or -5%.");
  }
  return value;
}
