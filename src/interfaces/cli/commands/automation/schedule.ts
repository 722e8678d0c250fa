import { schedules } from "../../../../automation/service/units/schedules.ts";
import { marketOption } from "../../shell/options/market_options.ts";
import { decideScheduleBase } from "../../../../operations/automation/decide_base.ts";
import { learnSchedule } from "../../../../operations/automation/learn_schedule.ts";
import { measureSchedule } from "../../../../operations/automation/measure_schedule.ts";
import { schedulesStatus } from "../../../../operations/automation/schedules_status.ts";
import { planSchedules } from "../../../../operations/automation/plan_schedules.ts";
import { operationLeaf } from "../../shell/operation_leaf.ts";
import { storeOption, type StoreOptions } from "../../shell/options/store_option.ts";
import { command } from "../../shell/command.ts";
import { TOUCH_EXPERIMENTS } from "../../shell/options/experiment_options.ts";
import { withFile, withProfileAndStore } from "./file_and_profile.ts";

const FILE = schedules.file;

const learning = () => import("./schedule_learning.ts");
const runs = () => import("./run_schedules.ts");

export const schedulesShow = command(
  (kit) =>
    withFile(
      kit.leaf("schedules", {
        summary: "Draw the factors by hour of the week",
        examples: [["adsctl auto show schedules", "draw each schedule as 7 days by 24 hours"]],
        library: "factorAt(schedule, moment)",
      }),
      FILE,
    ).addOption(marketOption()),
  async (file, options, context) => await (await runs()).runShow({ ...options, file }, context),
);

export const schedulesPlan = command(
  (kit) =>
    operationLeaf<[file: string], StoreOptions>(kit, planSchedules)
      .addOption(storeOption())
      .option(...TOUCH_EXPERIMENTS),
  async (file, options, context) => await (await learning()).runPlanWeek({ ...options, file }, context),
);

export const learnCommand = command(
  (kit) =>
    operationLeaf<[name: string, file: string], StoreOptions>(kit, learnSchedule, {
      examples: [["adsctl auto learn nights -m CA --write", "write it to schedules.yaml"]],
    })
      .addOption(storeOption())
      .option("--write", "write the grid to the file, with its data as comments"),
  async (name, file, options, context) =>
    await (await learning()).runLearn({ ...options, name, file }, context),
);

export const outcomeCommand = command(
  (kit) =>
    operationLeaf<[name: string, file: string], StoreOptions>(kit, measureSchedule, { printsRows: true })
      .addOption(storeOption()),
  async (name, file, options, context) => {
    const { runScheduleOutcome } = await import("./schedule_experiment.ts");
    return await runScheduleOutcome({ ...options, name, file }, context);
  },
);

export const startCommand = command(
  (kit) =>
    withProfileAndStore(withFile(
      kit.leaf("start", {
        summary: "Show the current changes, and start the schedules",
        details:
          "Also resumes stopped schedules. Afterwards, run adsctl auto run schedules every 15 minutes.",
        examples: [[
          "adsctl auto start -m US",
          "start the schedules in schedules.yaml for the US profile",
        ]],
      }),
      FILE,
    ))
      .option("--yes", "start without asking")
      .option(...TOUCH_EXPERIMENTS),
  async (file, options, context) => await (await runs()).runStart({ ...options, file }, context),
);

export const schedulesRun = command(
  (kit) =>
    withProfileAndStore(withFile(
      kit.leaf("schedules", {
        summary: "Apply the scheduled values of the current hour",
        details:
          "Reads the live values and sends only differences. Values changed by others since the last run are kept, " +
          "adopted or overwritten, as foreign_edits in the schedule says. Only one run per profile at a time.",
        examples: [
          ["adsctl auto run schedules -m US", "for cron"],
          ["adsctl auto run schedules -m US --dry-run", "show the changes without sending them"],
        ],
        library: 'await tickSchedules(profile, { schedules, state: "ads.sqlite" })',
      }),
      FILE,
    ))
      .option("--dry-run", "show the changes without sending them")
      .option(...TOUCH_EXPERIMENTS),
  async (file, options, context) => await (await runs()).runTick({ ...options, file }, context),
);

export const schedulesStatusCommand = command(
  (kit) =>
    operationLeaf<[file: string | undefined], StoreOptions>(kit, schedulesStatus, {
      printsRows: true,
      examples: [
        ["adsctl auto status schedules -m CA --history", "list base changes, newest first"],
        [
          "adsctl auto status schedules -m CA --rules",
          "list platform rules: wanted, live, changed by others, missing",
        ],
      ],
    })
      .addOption(storeOption())
      .option("--history", "list base changes, newest first")
      .option(
        "--rules",
        "list platform rules written by schedules: wanted, live, changed by others, missing",
      ),
  async (file, options, context) =>
    await (await runs()).runStatus({ ...options, ...(file === undefined ? {} : { file }) }, context),
);

export const baseCommand = command(
  (kit) =>
    operationLeaf<[id: string], StoreOptions>(kit, decideScheduleBase, { printsRows: true })
      .addOption(storeOption()),
  async (id, options, context) => await (await runs()).runBase({ ...options, id }, context),
);

export const stopCommand = command(
  (kit) =>
    withProfileAndStore(
      kit.leaf("stop", {
        summary: "Stop schedules: restore all base values until the next start",
        details:
          "Reads the values again at the end, and reports any that were not restored; their bases are kept.",
        examples: [
          ["adsctl auto stop -m US", "stop all schedules of the profile"],
          ["adsctl auto stop nights -m US", "stop one schedule"],
        ],
        library: 'await stopSchedules(profile, { state: "ads.sqlite", names: ["nights"] })',
      }).argument("[names...]", "schedules to stop (default: all)"),
    )
      .option("--yes", "stop without asking"),
  async (names, options, context) => await (await runs()).runStop({ ...options, names }, context),
);
