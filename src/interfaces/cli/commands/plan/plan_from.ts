import { AccountFiles } from "../../../../account/files/account_files.ts";
import { diffAccount } from "../../../../account/diff/diff_account.ts";
import { command } from "../../shell/command.ts";
import { connectProfile } from "../../shell/connect/connect.ts";
import { isForMany } from "../../shell/options/many_profiles.ts";
import { TOUCH_EXPERIMENTS } from "../../shell/options/experiment_options.ts";
import { wantsData } from "../../shell/output/wants_data.ts";
import { stylesFor } from "../../shell/terminal/styles.ts";
import { marketFrom } from "../account/diff.ts";
import { filesOfMany } from "../account/profile_files.ts";
import { onlyInAccountLines } from "../account/diff_text.ts";
import { allowedPart, finishPlan } from "../../shell/plans/finish_plan.ts";
import { planRollout } from "./rollout/plan_rollout.ts";
import { allProfilesOption, exceptOption, profilesOption } from "../../shell/options/profile_options.ts";

export const planFromCommand = command(
  (kit) =>
    kit.profileLeaf("from", {
      summary: "Plan what brings an account to what its files say, without sending it",
      details:
        "What the files add is created, parents first; what they change is updated; what only the account has is left " +
        "alone, or archived with --prune. A new name of what the lock file knows is a change of its name. Every problem of " +
        "the files is reported by file, line and field, and nothing is planned then.",
      examples: [
        ['adsctl plan from ./account -m CA --note "Spring"', "plan creates and changes"],
        ["adsctl plan from ./account -m CA --prune", "and archive what the files no longer have"],
        [
          "adsctl plan from ./account --all-profiles --out ./rollout",
          "a plan for every profile, to apply as one",
        ],
      ],
      library:
        'await (await diffAccount(profile, await AccountFiles.load("./account"))).plan({ prune: true })',
    })
      .argument("<folder>", "folder of the account files")
      .option("--prune", "archive what the account has and the files do not; archiving is permanent")
      .option(...TOUCH_EXPERIMENTS)
      .option("--skip-denied", "leave out what the policy denies, and plan the rest")
      .option("--note <text>", "why; stays with the plan")
      .addOption(profilesOption("a plan for each, in one rollout"))
      .addOption(allProfilesOption("a plan for each whose market the files are for, in one rollout"))
      .addOption(exceptOption())
      .option(
        "--out <path>",
        "file or folder for the plan, otherwise plan-<id>.json in this folder; folder of a rollout, otherwise rollout",
      ),
  async (folder, options, context) => {
    const { io, globals, interruption, progress } = context;
    const { prune = false, note, out } = options;
    const { signal } = interruption;
    if (isForMany(options)) {
      const filesOf = await filesOfMany(folder);
      return await planRollout({ ...options, note }, context, {
        make: async (profile) => {
          const files = await filesOf(profile);
          if ("leftOut" in files) return files;
          const diff = await diffAccount(profile, files, { anyProfile: true, signal });
          const plan = await diff.plan({ prune, note, signal });
          return { plan: options.skipDenied ? await allowedPart(plan, profile, context) : plan };
        },
      });
    }
    const files = await AccountFiles.load(folder);
    files.checkEdited();
    const profile = await connectProfile(marketFrom(options, files), context);
    const work = progress.work({ noun: "entity" });
    const diff = await diffAccount(profile, files, {
      signal,
      onRead: (done) => work.count({ done }),
    });
    await work.end();
    const plan = await diff.plan({ prune, note, signal });
    const code = await finishPlan(plan, { client: profile, skipDenied: options.skipDenied, out, context });
    if (!wantsData(context) && !globals.quiet && diff.extras.length > 0) {
      const lines = onlyInAccountLines(diff, stylesFor(io.stderr, context), prune);
      await io.stderr.write(`\n${lines.join("\n")}`);
    }
    return code;
  },
);
