import type { Command } from "@commander-js/extra-typings";
import { planFromHistory } from "../../../../operations/plans/plan_from_history.ts";
import { refusingBadInput } from "../../shell/io/cli_error.ts";
import { command } from "../../shell/command.ts";
import { operationInput } from "../../shell/options/operation_input.ts";
import { operationLeaf } from "../../shell/operation_leaf.ts";
import { finishAllowed } from "../../shell/finish_plan.ts";
import { knownStores } from "../../shell/connect/plan_folders.ts";
import { connectProfile } from "../../shell/connect/connect.ts";
import { addPlanOptions, type PlanFileOptions } from "./write_command.ts";

export const planFromHistoryCommand = command(
  (kit) =>
    addPlanOptions(operationLeaf<[], PlanFileOptions>(kit, planFromHistory)) as Command<[], PlanFileOptions>,
  async (options, context) => {
    const input = await operationInput(planFromHistory, options);
    const client = await connectProfile(options, context);
    const { signal } = context.interruption;
    const allowed = await refusingBadInput(() =>
      planFromHistory.run({ profile: client, signal, plans: () => knownStores(context) }, input)
    );
    return await finishAllowed(allowed, { out: options.out, context });
  },
);
