import { pacing } from "../../../../automation/service/units/pacing.ts";
import { planPacing, showPacing } from "../../../../operations/automation/pacing.ts";
import { command } from "../../shell/command.ts";
import { TOUCH_EXPERIMENTS } from "../../shell/options/experiment_options.ts";
import { operationLeaf } from "../../shell/operation_leaf.ts";
import { storeOption, type StoreOptions } from "../../shell/options/store_option.ts";
import { withFile, withProfileAndStore } from "./file_and_profile.ts";

const FILE = pacing.file;

const runs = () => import("./pacing_runs.ts");

export const pacingShow = command(
  (kit) =>
    operationLeaf<[file: string], StoreOptions>(kit, showPacing, {
      examples: [["adsctl auto show pacing -m US --json", "print every day as JSON"]],
    }).addOption(storeOption()),
  async (file, options, context) => await (await runs()).runShow({ ...options, file }, context),
);

export const pacingPlan = command(
  (kit) =>
    operationLeaf<[file: string], StoreOptions & { out?: string }>(kit, planPacing)
      .addOption(storeOption())
      .option(...TOUCH_EXPERIMENTS)
      .option("--out <file>", "file for the plan (default: the plan folder)"),
  async (file, options, context) => await (await runs()).runPlan({ ...options, file }, context),
);

export const pacingRun = command(
  (kit) =>
    withProfileAndStore(withFile(
      kit.leaf("pacing", {
        summary: "Raise alerts, and lower budgets or pause if the file allows it",
        details:
          "Changes budgets once a day. Restores lowered budgets and paused campaigns when spend allows and at the " +
          "start of the next period, unless someone changed them since. Exit code 3 if there are new alerts or " +
          "refused changes.",
        examples: [["adsctl auto run pacing -m US", "run hourly from cron"]],
        library: "await runPacing(profile, { file, store })",
      }),
      FILE,
    )).option(...TOUCH_EXPERIMENTS),
  async (file, options, context) => await (await runs()).runOnce({ ...options, file }, context),
);
