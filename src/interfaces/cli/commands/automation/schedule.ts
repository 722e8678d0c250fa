import { marketOption } from "../../shell/options/profile_options.ts";
import { Option } from "@commander-js/extra-typings";
import { command, group } from "../../shell/command.ts";
import { positiveInteger } from "../../shell/arguments/parse_values.ts";
import { EFFECT_FIGURES } from "../../../../store/figures/experiment_outcome.ts";
import { share } from "../../shell/arguments/parse_values.ts";
import { TOUCH_EXPERIMENTS } from "../../shell/options/experiment_options.ts";
import { withFile, withProfileAndStore } from "../../shell/options/file_and_profile.ts";

/** The file that is read where none is named. */
const FILE = { what: "schedule file", name: "schedules.yaml" };

const learning = () => import("./schedule_learning.ts");
const runs = () => import("./run_schedules.ts");

export const scheduleCommand = group(
  "schedule",
  {
    summary: "Change bids, budgets, placements and states by hour of the week",
    details:
      "A schedule describes the wanted state for each hour of the week. Each run reads the live values, plans " +
      "the difference, and applies it within the policy. Missed runs need no repair, because the next run sets " +
      "the current values.",
    examples: [
      ["adsctl schedule init", "write a commented starter file"],
      ["adsctl schedule start -m US", "show the current changes, and start"],
      [
        "adsctl schedule run -m US",
        "apply the current hour; for cron, every 15 minutes",
      ],
    ],
    library: 'await tickSchedules(profile, { schedules, state: "ads.sqlite" })',
  },
  [
    command(
      (kit) =>
        kit.leaf("init", {
          summary: "Write a commented starter file",
          examples: [["adsctl schedule init --out nights.yaml", "choose another file name"]],
        })
          .option("--out <file>", `new file (default: ${FILE.name})`),
      async (options, context) => await (await runs()).runInit(options, context),
    ),
    command((kit) =>
      withFile(
        kit.leaf("check", {
          summary: "Check a schedule file and list every mistake",
          details: "Prints mistakes as file:line: message. Does not read the account.",
          examples: [["adsctl schedule check", `check ${FILE.name}`]],
          library: 'await loadSchedules("schedules.yaml")',
        }),
        FILE,
      ), async (file, _options, context) => await (await runs()).runCheck({ file }, context)),
    command(
      (kit) =>
        withFile(
          kit.leaf("show", {
            summary: "Draw the factors by hour of the week",
            examples: [["adsctl schedule show", "draw each schedule as 7 days by 24 hours"]],
            library: "factorAt(schedule, moment)",
          }),
          FILE,
        ).addOption(marketOption()),
      async (file, options, context) => await (await runs()).runShow({ ...options, file }, context),
    ),
    command(
      (kit) =>
        withProfileAndStore(withFile(
          kit.leaf("plan", {
            summary: "Preview a week by campaign: amounts, writes or rules, money at risk",
            details: "Sends nothing. --json adds factors and money at risk by day and hour.",
            examples: [["adsctl schedule plan -m US", "preview one week"]],
            library: "await planWeek(profile, { schedules, store })",
          }),
          FILE,
        )).option(...TOUCH_EXPERIMENTS),
      async (file, options, context) => await (await learning()).runPlanWeek({ ...options, file }, context),
    ),
    command(
      (kit) =>
        withProfileAndStore(
          kit.leaf("learn", {
            summary: "Learn a schedule's grid from hourly conversion rates",
            details:
              "Uses hourly stream data from the store, or the last 14 days from new reports. Hours of the week with " +
              "fewer than 75 clicks use the value of their four-hour block or day, and all values are smoothed towards " +
              "it. --cap limits the distance from 1.",
            examples: [
              ["adsctl schedule learn nights -m US", "show the grid and its data"],
              ["adsctl schedule learn nights -m US --write", "write it to schedules.yaml"],
            ],
            library: "learnGrid(hours)",
          }).argument("<name>", "schedule name").argument("[file]", FILE.what, FILE.name),
        )
          .option("--days <n>", "days of stream data before today (default: 30)", positiveInteger)
          .option("--cap <share>", "maximum distance of factors from 1: 30% or 0.3 (default: 30%)", share)
          .option("--again", "include campaigns whose budget or state changed in this period")
          .option("--write", "write the grid to the file, with its data as comments"),
      async (name, file, options, context) =>
        await (await learning()).runLearn({ ...options, name, file }, context),
    ),
    command((kit) =>
      withProfileAndStore(
        kit.leaf("outcome", {
          printsRows: true,
          summary: "Measure a schedule's effect from random on and off weeks",
          details:
            "For a schedule with experiment: { from: 2026-12-07, weeks: 12, seed: any }, which uses factor 1 in " +
            "randomly chosen off weeks. Compares on and off weeks in pairs, without the first day of each week, once " +
            "all orders are in. Needs at least six pairs. Shows the calendar too. Read-only.",
          examples: [["adsctl schedule outcome nights -m US", "measure the effect of nights on sales"]],
          library: "await scheduleOutcome(store, { schedule, profileId, campaignIds, today })",
        }).argument("<name>", "schedule name").argument("[file]", FILE.what, FILE.name),
      )
        .addOption(
          new Option("--figure <figure>", "figure for the verdict (default: sales)").choices(
            EFFECT_FIGURES,
          ),
        ), async (name, file, options, context) => {
      const { runScheduleOutcome } = await import("./schedule_experiment.ts");
      return await runScheduleOutcome({ ...options, name, file }, context);
    }),
    command(
      (kit) =>
        withProfileAndStore(withFile(
          kit.leaf("start", {
            summary: "Show the current changes, and start the schedules",
            details: "Also resumes stopped schedules. Afterwards, run adsctl schedule run every 15 minutes.",
            examples: [[
              "adsctl schedule start -m US",
              "start the schedules in schedules.yaml for the US profile",
            ]],
          }),
          FILE,
        ))
          .option("--yes", "start without asking")
          .option(...TOUCH_EXPERIMENTS),
      async (file, options, context) => await (await runs()).runStart({ ...options, file }, context),
    ),
    command(
      (kit) =>
        withProfileAndStore(withFile(
          kit.leaf("run", {
            summary: "Apply the scheduled values of the current hour",
            details:
              "Reads the live values and sends only differences. Values changed by others since the last run are kept, " +
              "adopted or overwritten, as foreign_edits in the schedule says. Only one run per profile at a time.",
            examples: [
              ["adsctl schedule run -m US", "for cron"],
              ["adsctl schedule run -m US --dry-run", "show the changes without sending them"],
            ],
            library: 'await tickSchedules(profile, { schedules, state: "ads.sqlite" })',
          }),
          FILE,
        ))
          .option("--dry-run", "show the changes without sending them")
          .option(...TOUCH_EXPERIMENTS),
      async (file, options, context) => await (await runs()).runTick({ ...options, file }, context),
    ),
    command((kit) =>
      withProfileAndStore(withFile(
        kit.leaf("status", {
          printsRows: true,
          summary: "Show base values and last written values",
          examples: [
            ["adsctl schedule status -m US", "list scheduled entities, and those left unchanged"],
            ["adsctl schedule status -m US --history", "list base changes, newest first"],
            [
              "adsctl schedule status -m US --rules",
              "list platform rules: wanted, live, changed by others, missing",
            ],
          ],
          library: "await rulesOfSchedules(profile, state)",
        }),
        FILE,
      ))
        .option("--history", "list base changes, newest first")
        .option(
          "--rules",
          "list platform rules written by schedules: wanted, live, changed by others, missing",
        ), async (file, options, context) => await (await runs()).runStatus({ ...options, file }, context)),
    command(
      (kit) =>
        withProfileAndStore(
          kit.leaf("base", {
            printsRows: true,
            summary: "Resolve a change by someone else, or set a base value",
            details: "Without --set, keeps the base, and the next run writes the scheduled value.",
            examples: [[
              "adsctl schedule base 203850071499491 -m US --set 0.80",
              "set the base to 0.80",
            ]],
            library: 'await decideBase(profile, { state: "ads.sqlite", id, base: 0.8 })',
          }).argument("<id>", "id of the keyword, target, ad group or campaign"),
        )
          .option("--set <amount>", "base amount in the market's currency"),
      async (id, options, context) => await (await runs()).runBase({ ...options, id }, context),
    ),
    command(
      (kit) =>
        withProfileAndStore(
          kit.leaf("stop", {
            summary: "Restore all base values, and stop until the next start",
            details:
              "Reads the values again at the end, and reports any that were not restored; their bases are kept.",
            examples: [
              ["adsctl schedule stop -m US", "stop all schedules of the profile"],
              ["adsctl schedule stop nights -m US", "stop one schedule"],
            ],
            library: 'await stopSchedules(profile, { state: "ads.sqlite", names: ["nights"] })',
          }).argument("[names...]", "schedules to stop (default: all)"),
        )
          .option("--yes", "stop without asking"),
      async (names, options, context) => await (await runs()).runStop({ ...options, names }, context),
    ),
  ],
);
