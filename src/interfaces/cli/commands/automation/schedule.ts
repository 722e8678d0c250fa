import { UNIT_FILES } from "../../../../automation/service/unit_files.ts";
import { marketOption } from "../../shell/options/profile_options.ts";
import type { Command } from "@commander-js/extra-typings";
import { decideScheduleBase } from "../../../../operations/automation/decide_base.ts";
import { learnSchedule } from "../../../../operations/automation/learn_schedule.ts";
import { scheduleOutcomeOperation } from "../../../../operations/automation/schedule_outcome.ts";
import { schedulesStatus } from "../../../../operations/automation/schedules_status.ts";
import { planSchedules } from "../../../../operations/automation/plan_schedules.ts";
import { addFields } from "../../shell/options/field_options.ts";
import type { MarketOptions } from "../../shell/options/market_options.ts";
import { operationDoc } from "../../shell/options/operation_input.ts";
import type { StoreOptions } from "../../shell/store/store_place.ts";
import { command } from "../../shell/command.ts";
import { TOUCH_EXPERIMENTS } from "../../shell/options/experiment_options.ts";
import { withFile, withProfileAndStore } from "../../shell/options/file_and_profile.ts";

type AccountOptions = Pick<MarketOptions, keyof MarketOptions> & Pick<StoreOptions, keyof StoreOptions>;

const FILE = UNIT_FILES.schedules;

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
    // The types of commander cannot know arguments that are declared elsewhere.
    addFields(
      withProfileAndStore(kit.leaf("schedules", operationDoc(planSchedules))),
      planSchedules.input,
    ).option(...TOUCH_EXPERIMENTS) as unknown as Command<[file: string], AccountOptions>,
  async (file, options, context) => await (await learning()).runPlanWeek({ ...options, file }, context),
);

export const learnCommand = command(
  (kit) =>
    // The types of commander cannot know arguments that are declared elsewhere.
    addFields(
      withProfileAndStore(kit.leaf("learn", {
        ...operationDoc(learnSchedule),
        examples: [
          ["adsctl auto learn nights -m US", "show the grid and its data"],
          ["adsctl auto learn nights -m US --write", "write it to schedules.yaml"],
        ],
      })),
      learnSchedule.input,
    ).option("--write", "write the grid to the file, with its data as comments") as unknown as Command<
      [name: string, file: string],
      AccountOptions & { readonly write?: true }
    >,
  async (name, file, options, context) =>
    await (await learning()).runLearn({ ...options, name, file }, context),
);

export const outcomeCommand = command(
  (kit) =>
    // The types of commander cannot know arguments that are declared elsewhere.
    addFields(
      withProfileAndStore(
        kit.leaf("outcome", { ...operationDoc(scheduleOutcomeOperation), printsRows: true }),
      ),
      scheduleOutcomeOperation.input,
    ) as unknown as Command<[name: string, file: string], AccountOptions>,
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
    // The types of commander cannot know options that are declared elsewhere.
    addFields(
      withProfileAndStore(withFile(
        kit.leaf("schedules", {
          printsRows: true,
          ...operationDoc(schedulesStatus),
          examples: [
            ["adsctl auto status schedules -m US", "list scheduled entities, and those left unchanged"],
            ["adsctl auto status schedules -m US --history", "list base changes, newest first"],
            [
              "adsctl auto status schedules -m US --rules",
              "list platform rules: wanted, live, changed by others, missing",
            ],
          ],
        }),
        FILE,
      )),
      schedulesStatus.input,
    )
      .option("--history", "list base changes, newest first")
      .option(
        "--rules",
        "list platform rules written by schedules: wanted, live, changed by others, missing",
      ) as unknown as Command<
        [file: string],
        AccountOptions & { readonly history?: true; readonly rules?: true }
      >,
  async (file, options, context) => await (await runs()).runStatus({ ...options, file }, context),
);

export const baseCommand = command(
  (kit) =>
    // The types of commander cannot know arguments that are declared elsewhere.
    addFields(
      withProfileAndStore(kit.leaf("base", { ...operationDoc(decideScheduleBase), printsRows: true })),
      decideScheduleBase.input,
    ) as unknown as Command<[id: string], AccountOptions>,
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
