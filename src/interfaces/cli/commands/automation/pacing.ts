import { command, group } from "../../shell/command.ts";
import { TOUCH_EXPERIMENTS } from "../../shell/options/experiment_options.ts";
import { withFile, withProfileAndStore } from "../../shell/options/file_and_profile.ts";

/** The file that is read where none is named. */
const FILE = { what: "a file of pacing", name: "pacing.yaml" };

const runs = () => import("./pacing_runs.ts");

export const pacingCommand = group(
  "pacing",
  {
    summary: "Spread a budget evenly over a month or other dates",
    details:
      "An amount is for a portfolio, labels, campaigns or the whole profile. Its spend is compared with an ideal line by " +
      "stored reports on campaigns and by today's budget usage. Daily budgets move in bounded steps; campaigns are paused only " +
      "where the file allows it.",
    examples: [
      ["adsctl pacing init", "write a commented file to start from"],
      ["adsctl pacing show -m US", "ideal against actual, and the forecast"],
      ["adsctl pacing plan -m US", "plan daily budgets for a person to apply"],
      ["adsctl pacing run -m US", "alert, and do what the file allows; for cron, once an hour"],
    ],
    library: "await runPacing(profile, { file, store })",
  },
  [
    command(
      (kit) =>
        kit.leaf("init", {
          summary: "Write a commented file of pacing to start from",
          examples: [["adsctl pacing init --out november.yaml", "write it under a name of its own"]],
        })
          .option("--out <file>", `a file that does not exist yet (default: ${FILE.name})`),
      async (options, context) => await (await runs()).runInit(options, context),
    ),
    command((kit) =>
      withFile(
        kit.leaf("check", {
          summary: "Check a file of pacing, all at once",
          details: "Every fault is printed as file:line: message. Nothing is read of the account.",
          examples: [["adsctl pacing check", `check ${FILE.name}`]],
          library: 'await loadPacing("pacing.yaml")',
        }),
        FILE,
      ), async (file, _options, context) => await (await runs()).runCheck({ file }, context)),
    command((kit) =>
      withProfileAndStore(withFile(
        kit.leaf("show", {
          summary: "Draw ideal against actual spend, with what a day needs and the forecast",
          examples: [
            ["adsctl pacing show -m US", "each amount as a line"],
            ["adsctl pacing show -m US --json", "with every day of the line"],
          ],
          library: "await readPacing(profile, { file, store })",
        }),
        FILE,
      )), async (file, options, context) => await (await runs()).runShow({ ...options, file }, context)),
    command(
      (kit) =>
        withProfileAndStore(withFile(
          kit.leaf("plan", {
            summary: "Plan daily budgets that bring the spend back to the line",
            details:
              "Lowers the worst sellers first, or raises campaigns that run out of budget, the best sellers first; each by " +
              "max_step at most. The plan is saved and nothing is sent.",
            examples: [["adsctl pacing plan -m US", "then: adsctl plan apply ID"]],
            library: "await planPacing(profile, { file, store })",
          }),
          FILE,
        ))
          .option(...TOUCH_EXPERIMENTS)
          .option("--out <file>", "file of the plan; otherwise where other plans are"),
      async (file, options, context) => await (await runs()).runPlan({ ...options, file }, context),
    ),
    command(
      (kit) =>
        withProfileAndStore(withFile(
          kit.leaf("run", {
            summary: "Alert, and lower budgets or pause where the file allows it",
            details:
              "Budgets move once a day. What was lowered or paused is put back when there is room again and when the next period " +
              "begins, unless somebody changed it since. Ends with 3 when there are new alerts or changes that were refused.",
            examples: [["adsctl pacing run -m US", "for cron, once an hour"]],
            library: "await runPacing(profile, { file, store })",
          }),
          FILE,
        )).option(...TOUCH_EXPERIMENTS),
      async (file, options, context) => await (await runs()).runOnce({ ...options, file }, context),
    ),
  ],
);
