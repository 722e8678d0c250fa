import { command, group } from "../../shell/command.ts";
import { TOUCH_EXPERIMENTS } from "../../shell/options/experiment_options.ts";
import { withFile, withProfileAndStore } from "../../shell/options/file_and_profile.ts";

/** The file that is read where none is named. */
const FILE = { what: "pacing file", name: "pacing.yaml" };

const runs = () => import("./pacing_runs.ts");

export const pacingCommand = group(
  "pacing",
  {
    summary: "Spread a budget evenly over a month or other dates",
    details:
      "Budgets apply to a portfolio, labels, campaigns or the whole profile. Compares spend with an even line, " +
      "using stored campaign reports and today's budget usage. Changes daily budgets in limited steps, and " +
      "pauses campaigns only if the file allows it.",
    examples: [
      ["adsctl pacing init", "write a commented starter file"],
      ["adsctl pacing show -m US", "show planned and actual spend, and the forecast"],
      ["adsctl pacing plan -m US", "plan daily budgets for review"],
      ["adsctl pacing run -m US", "alert, and adjust budgets as the file allows; for hourly cron"],
    ],
    library: "await runPacing(profile, { file, store })",
  },
  [
    command(
      (kit) =>
        kit.leaf("init", {
          summary: "Write a commented starter file",
          examples: [["adsctl pacing init --out november.yaml", "choose another file name"]],
        })
          .option("--out <file>", `new file (default: ${FILE.name})`),
      async (options, context) => await (await runs()).runInit(options, context),
    ),
    command((kit) =>
      withFile(
        kit.leaf("check", {
          summary: "Check a pacing file and list every mistake",
          details: "Prints mistakes as file:line: message. Does not read the account.",
          examples: [["adsctl pacing check", `check ${FILE.name}`]],
          library: 'await loadPacing("pacing.yaml")',
        }),
        FILE,
      ), async (file, _options, context) => await (await runs()).runCheck({ file }, context)),
    command((kit) =>
      withProfileAndStore(withFile(
        kit.leaf("show", {
          summary: "Chart planned and actual spend, with today's target and the forecast",
          examples: [
            ["adsctl pacing show -m US", "chart each budget"],
            ["adsctl pacing show -m US --json", "print every day as JSON"],
          ],
          library: "await readPacing(profile, { file, store })",
        }),
        FILE,
      )), async (file, options, context) => await (await runs()).runShow({ ...options, file }, context)),
    command(
      (kit) =>
        withProfileAndStore(withFile(
          kit.leaf("plan", {
            summary: "Plan daily budgets that bring spend back on track",
            details:
              "Lowers budgets of the worst sellers first, or raises the best sellers that run out of budget, each by at " +
              "most max_step. Saves the plan and sends nothing.",
            examples: [["adsctl pacing plan -m US", "then: adsctl plan apply ID"]],
            library: "await planPacing(profile, { file, store })",
          }),
          FILE,
        ))
          .option(...TOUCH_EXPERIMENTS)
          .option("--out <file>", "file for the plan (default: the plan folder)"),
      async (file, options, context) => await (await runs()).runPlan({ ...options, file }, context),
    ),
    command(
      (kit) =>
        withProfileAndStore(withFile(
          kit.leaf("run", {
            summary: "Raise alerts, and lower budgets or pause if the file allows it",
            details:
              "Changes budgets once a day. Restores lowered budgets and paused campaigns when spend allows and at the " +
              "start of the next period, unless someone changed them since. Exit code 3 if there are new alerts or " +
              "refused changes.",
            examples: [["adsctl pacing run -m US", "run hourly from cron"]],
            library: "await runPacing(profile, { file, store })",
          }),
          FILE,
        )).option(...TOUCH_EXPERIMENTS),
      async (file, options, context) => await (await runs()).runOnce({ ...options, file }, context),
    ),
  ],
);
