import { AccountFiles } from "../../../../account/files/account_files.ts";
import { planFrom } from "../../../../operations/plans/account_files.ts";
import { command } from "../../shell/command.ts";
import { connectProfile } from "../../shell/connect/connect.ts";
import { operationInput } from "../../shell/options/operation_input.ts";
import { operationLeaf } from "../../shell/operation_leaf.ts";
import { isForMany } from "../../shell/options/many_profiles.ts";
import { TOUCH_EXPERIMENTS } from "../../shell/options/experiment_options.ts";
import { wantsData } from "../../shell/output/wants_data.ts";
import { UsageError } from "../../shell/io/cli_error.ts";
import { stylesFor } from "../../shell/output/styles.ts";
import { marketFrom } from "../account/diff.ts";
import { filesOfMany } from "../account/profile_files.ts";
import { onlyInAccountLines } from "../account/diff_text.ts";
import { finishAllowed, sayDenied } from "../../shell/finish_plan.ts";
import { planRollout } from "./rollout/plan_rollout.ts";
import { allProfilesOption, exceptOption, profilesOption } from "../../shell/options/market_options.ts";

interface FromOptions {
  readonly prune?: true;
  readonly note?: string;
  readonly skipDenied?: true;
}

export const planFromCommand = command(
  (kit) =>
    operationLeaf<[path: string], FromOptions>(kit, planFrom, {
      examples: [
        ["adsctl plan from .plans/plan-123.draft.json", "plan edits of the console's grid"],
        ["adsctl plan from ./account -m CA --prune", "also archive entities removed from the files"],
        [
          "adsctl plan from ./account --all-profiles --out ./rollout",
          "plan every profile as one rollout",
        ],
      ],
    })
      .option(...TOUCH_EXPERIMENTS)
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
          const input = { files, prune, note, skip_denied: options.skipDenied };
          const allowed = await planFrom.run({ profile, signal, anyProfile: true }, input);
          await sayDenied(allowed, context);
          return { plan: allowed.plan };
        },
      });
    }
    const files = await AccountFiles.load(folder);
    const input = await operationInput(planFrom, options, { files });
    const profile = await connectProfile(marketFrom(options, files), context);
    const work = progress.work({ noun: "entity" });
    const onRead = (done: number): void => work.count({ done });
    const { diff, ...allowed } = await planFrom.run({ profile, signal, onRead }, input);
    await work.end();
    const code = await finishAllowed(allowed, { out, context });
    if (!wantsData(context) && !globals.quiet && diff.extras.length > 0) {
      const lines = onlyInAccountLines(diff, stylesFor(io.stderr, context), prune);
      await io.stderr.write(`\n${lines.join("\n")}`);
    }
    return code;
  },
);
