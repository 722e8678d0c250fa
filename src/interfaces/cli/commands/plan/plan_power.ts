import type { Command } from "@commander-js/extra-typings";
import { type DrawnProfiles, drawnProfiles } from "../../../../account/rollout/rollout_experiment.ts";
import { isRollout } from "../../../../account/rollout/rollout_file.ts";
import { planPower } from "../../../../operations/reads/plan_power.ts";
import type { ChangePlan } from "../../../../plans/change_plan/change_plan.ts";
import { EXIT, refusingBadInput, UsageError } from "../../shell/io/cli_error.ts";
import { command } from "../../shell/command.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { addFields } from "../../shell/options/field_options.ts";
import { operationDoc, operationInput } from "../../shell/options/operation_input.ts";
import { readPlan, refusing } from "../../shell/find_plan.ts";
import { openRollout } from "./rollout/open_rollout.ts";
import { openStore } from "../../shell/connect/open_store.ts";
import { storeOption, type StoreOptions } from "../../shell/options/store_option.ts";
import { printJson, wantsData } from "../../shell/output/print_rows.ts";
import { writeText } from "../../shell/output/write_text.ts";

export const planPowerCommand = command(
  (kit) =>
    // The types of commander cannot know arguments that are declared elsewhere.
    addFields(
      kit.leaf("power", {
        ...operationDoc(planPower),
        examples: [
          [
            "adsctl plan power plan.json --effect 10% --weeks 4",
            "estimate the chance of detecting +10 % in four weeks",
          ],
          ["adsctl plan power plan.json --effect 5% --figure clicks --json", "as data"],
        ],
      }),
      planPower.input,
    ).addOption(storeOption()) as unknown as Command<[plan: string], Pick<StoreOptions, keyof StoreOptions>>,
  async (file, options, context) => {
    const input = await operationInput(planPower, options, { plan_id: file });
    const { plan, profiles } = await isRollout(file)
      ? await rolloutOf(file, context)
      : { plan: await readPlan(file, context), profiles: undefined };
    const store = await openStore(options, context);
    const power = await refusingBadInput(() =>
      planPower.run({ plan, store, profiles, now: context.io.now() }, input)
    );
    if (wantsData(context)) await printJson(power, context);
    else await writeText((planPower.lines?.(power) ?? []).map((line) => `${line}\n`).join(""), context);
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
