import { AccountFiles } from "../../../../account/files/account_files.ts";
import { diffAccount } from "../../../../account/diff/diff_account.ts";
import { command } from "../../shell/command.ts";
import { connectProfile } from "../../shell/connect/connect.ts";
import { isForMany } from "../../shell/options/many_profiles.ts";
import { TOUCH_EXPERIMENTS } from "../../shell/options/experiment_options.ts";
import { wantsData } from "../../shell/output/wants_data.ts";
import { UsageError } from "../../shell/io/cli_error.ts";
import { stylesFor } from "../../shell/output/styles.ts";
import { marketFrom } from "../account/diff.ts";
import { filesOfMany } from "../account/profile_files.ts";
import { onlyInAccountLines } from "../account/diff_text.ts";
import { allowedPart, finishPlan } from "../../shell/plans/finish_plan.ts";
import { planRollout } from "./rollout/plan_rollout.ts";
import { allProfilesOption, exceptOption, profilesOption } from "../../shell/options/market_options.ts";

export const planFromCommand = command(
  (kit) =>
    kit.profileLeaf("from", {
      summary: "Plan the changes from account files or a draft, without sending them",
      details:
        "Creates what the files add, parents first, and updates what they change. Entities found only in the " +
        "account are left unchanged, or archived with --prune. A new name for an entity in the lock file is a " +
        "rename. If the files have problems, each is listed by file, line and field, and nothing is planned. To plan " +
        "edits of the console's grid, give the path that the draft list shows.",
      examples: [
        ['adsctl plan from ./account -m CA --note "Spring"', "plan creates and changes"],
        ["adsctl plan from .plans/plan-123.draft.json", "plan edits of the console's grid"],
        ["adsctl plan from ./account -m CA --prune", "also archive entities removed from the files"],
        [
          "adsctl plan from ./account --all-profiles --out ./rollout",
          "plan every profile as one rollout",
        ],
      ],
      library:
        'await (await diffAccount(profile, await AccountFiles.load("./account"))).plan({ prune: true })',
    })
      .argument("<path>", "folder of the account files, or the file of a draft")
      .option("--prune", "archive entities missing from the files; archiving is permanent")
      .option(...TOUCH_EXPERIMENTS)
      .option("--skip-denied", "plan without the changes that the policy denies")
      .option("--note <text>", "reason, saved in the plan")
      .addOption(profilesOption("one plan per profile, in a rollout"))
      .addOption(allProfilesOption("one plan per profile in the files' market, in a rollout"))
      .addOption(exceptOption())
      .option(
        "--out <path>",
        "file or folder for the plan (default: plan-<id>.json), or folder for a rollout (default: rollout)",
      ),
  async (folder, options, context) => {
    const { io, globals, interruption, progress } = context;
    const { prune = false, note, out } = options;
    const { signal } = interruption;
    const { isDraftFile, planFromDraft } = await import("./plan_from_draft.ts");
    if (isDraftFile(folder)) {
      if (isForMany(options)) {
        throw new UsageError("Cannot plan a draft for many profiles: it is for one");
      }
      return await planFromDraft(folder, options, context);
    }
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
