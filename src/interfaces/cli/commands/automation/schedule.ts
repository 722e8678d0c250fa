import { marketOption } from "../../shell/options/profile_options.ts";
import { Option } from "@commander-js/extra-typings";
import { command, group } from "../../shell/command.ts";
import { positiveInteger } from "../../shell/arguments/parse_values.ts";
import { EFFECT_FIGURES } from "../../../../store/figures/experiment_outcome.ts";
import { share } from "../../shell/arguments/parse_values.ts";
import { TOUCH_EXPERIMENTS } from "../../shell/options/experiment_options.ts";
import { withFile, withProfileAndStore } from "../../shell/options/file_and_profile.ts";

/** The file that is read where none is named. */
const FILE = { what: "a file of schedules", name: "schedules.yaml" };

const learning = () => import("./schedule_learning.ts");
const runs = () => import("./run_schedules.ts");

export const scheduleCommand = group(
  "schedule",
  {
    summary: "Change bids, budgets, placements and states by hour of the week",
    details:
      "A schedule is a state and not a pair of events: each tick reads what is live, plans the difference to what the hour " +
      "wants, and applies it through the policy. Nothing has to be put back at the end of a window, and a tick that was " +
      "lost is mended by the next.",
    examples: [
      ["adsctl schedule init", "write a commented file to start from"],
      ["adsctl schedule start -m US", "show what the schedules would change now, and begin"],
      [
        "adsctl schedule run -m US",
        "bring the account to what this hour wants; for cron, every quarter of an hour",
      ],
    ],
    library: 'await tickSchedules(profile, { schedules, state: "ads.sqlite" })',
  },
  [
    command(
      (kit) =>
        kit.leaf("init", {
          summary: "Write a commented file of schedules to start from",
          examples: [["adsctl schedule init --out nights.yaml", "write it under a name of its own"]],
        })
          .option("--out <file>", `a file that does not exist yet (default: ${FILE.name})`),
      async (options, context) => await (await runs()).runInit(options, context),
    ),
    command((kit) =>
      withFile(
        kit.leaf("check", {
          summary: "Check a file of schedules, all at once",
          details: "Every fault is printed as file:line: message. Nothing is read of the account.",
          examples: [["adsctl schedule check", `check ${FILE.name}`]],
          library: 'await loadSchedules("schedules.yaml")',
        }),
        FILE,
      ), async (file, _options, context) => await (await runs()).runCheck({ file }, context)),
    command(
      (kit) =>
        withFile(
          kit.leaf("show", {
            summary: "Draw the factor of each hour of the week",
            examples: [["adsctl schedule show", "a map of seven days by 24 hours for each schedule"]],
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
            summary: "Show a week per campaign: amounts, writes or rules, money at risk",
            details:
              "Nothing is sent. --json adds the grid of factors and the money at risk by day and hour.",
            examples: [["adsctl schedule plan -m US", "what the schedules would do in a week"]],
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
            summary: "Learn the grid of a schedule from orders a click by hour",
            details:
              "Reads hours of the stream from the store, or from reports (new) for the last 14 days. Hours of the week with fewer than " +
              "75 clicks take the value of their block of four hours or of their day; all are drawn towards these, and no factor " +
              "is further from 1 than --cap.",
            examples: [
              ["adsctl schedule learn nights -m US", "draw the grid and its figures"],
              ["adsctl schedule learn nights -m US --write", "and put it into schedules.yaml"],
            ],
            library: "learnGrid(hours)",
          }).argument("<name>", "name of a schedule").argument("[file]", FILE.what, FILE.name),
        )
          .option("--days <n>", "days of the stream before today (default: 30)", positiveInteger)
          .option("--cap <share>", "largest distance of a factor from 1: 30% or 0.3 (default: 30%)", share)
          .option("--again", "learn also from campaigns whose budget or state was changed in these days")
          .option("--write", "put the grid into the file, with its figures as comments"),
      async (name, file, options, context) =>
        await (await learning()).runLearn({ ...options, name, file }, context),
    ),
    command((kit) =>
      withProfileAndStore(
        kit.leaf("outcome", {
          summary: "Tell what a schedule did, by weeks on and off that were drawn",
          details:
            "For a schedule with experiment: { from: 2026-12-07, weeks: 12, seed: any }, whose factor is 1 in the weeks that are " +
            "drawn as off. Weeks on are compared with weeks off in pairs, without the first day of each, once all their orders " +
            "are in; six pairs are the fewest that can show anything. Shows the calendar too. Only reads.",
          examples: [["adsctl schedule outcome nights -m US", "did the nights change sales?"]],
          library: "await scheduleOutcome(store, { schedule, profileId, campaignIds, today })",
        }).argument("<name>", "name of a schedule").argument("[file]", FILE.what, FILE.name),
      )
        .addOption(
          new Option("--figure <figure>", "figure that the first word is about (default: sales)").choices(
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
            summary: "Show what the schedules would change now, and begin with it",
            details:
              "Also lets schedules go on that were stopped. From then on run adsctl schedule run every quarter of an hour.",
            examples: [[
              "adsctl schedule start -m US",
              "the schedules of schedules.yaml for the profile of the United States",
            ]],
          }),
          FILE,
        ))
          .option("--yes", "begin without asking")
          .option(...TOUCH_EXPERIMENTS),
      async (file, options, context) => await (await runs()).runStart({ ...options, file }, context),
    ),
    command(
      (kit) =>
        withProfileAndStore(withFile(
          kit.leaf("run", {
            summary: "Bring the account to what this hour wants",
            details:
              "Reads what is live and sends only what differs. What somebody else changed since the last tick is left alone, " +
              "adopted or overwritten, as foreign_edits of the schedule says. Two ticks of a profile never run at once.",
            examples: [
              ["adsctl schedule run -m US", "for cron"],
              ["adsctl schedule run -m US --dry-run", "show what would be sent"],
            ],
            library: 'await tickSchedules(profile, { schedules, state: "ads.sqlite" })',
          }),
          FILE,
        ))
          .option("--dry-run", "show what would be sent, and send nothing")
          .option(...TOUCH_EXPERIMENTS),
      async (file, options, context) => await (await runs()).runTick({ ...options, file }, context),
    ),
    command((kit) =>
      withProfileAndStore(withFile(
        kit.leaf("status", {
          summary: "Show the bases that schedules keep, and what each was left at",
          examples: [
            ["adsctl schedule status -m US", "what is moved now, and what is left alone"],
            ["adsctl schedule status -m US --history", "what happened to the bases, the newest first"],
            [
              "adsctl schedule status -m US --rules",
              "rules of the platform: wanted, live, changed by others, missing",
            ],
          ],
          library: "await rulesOfSchedules(profile, state)",
        }),
        FILE,
      ))
        .option("--history", "what happened to the bases, the newest first")
        .option(
          "--rules",
          "rules of the platform that schedules wrote: wanted, live, changed by others, missing",
        ), async (file, options, context) => await (await runs()).runStatus({ ...options, file }, context)),
    command(
      (kit) =>
        withProfileAndStore(
          kit.leaf("base", {
            summary: "Decide about something that somebody else changed, or set its base",
            details: "Without --set the base stays, and the next tick writes what the hour wants.",
            examples: [[
              "adsctl schedule base 203850071499491 -m US --set 0.80",
              "its base is 0.80 from now on",
            ]],
            library: 'await decideBase(profile, { state: "ads.sqlite", id, base: 0.8 })',
          }).argument("<id>", "id of the keyword, target, ad group or campaign"),
        )
          .option("--set <amount>", "base in the currency of the market"),
      async (id, options, context) => await (await runs()).runBase({ ...options, id }, context),
    ),
    command(
      (kit) =>
        withProfileAndStore(
          kit.leaf("stop", {
            summary: "Put every base back, and leave the account alone until start",
            details:
              "Reads again after the last write: what is not as it was is reported, and its base is kept.",
            examples: [
              ["adsctl schedule stop -m US", "all schedules of the profile"],
              ["adsctl schedule stop nights -m US", "one of them"],
            ],
            library: 'await stopSchedules(profile, { state: "ads.sqlite", names: ["nights"] })',
          }).argument("[names...]", "schedules to stop (default: all of them)"),
        )
          .option("--yes", "stop without asking"),
      async (names, options, context) => await (await runs()).runStop({ ...options, names }, context),
    ),
  ],
);
