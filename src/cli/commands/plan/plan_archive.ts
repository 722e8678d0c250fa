import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { refusingBadInput } from "../../core/errors/cli_error.ts";
import type { CommandKit } from "../../core/command.ts";
import type { CliContext } from "../../core/context.ts";
import { findKind, KINDS } from "../../../resources/kinds.ts";
import { readIds } from "../../entities/read_ids.ts";
import {
  accountNameOption,
  accountTypeOption,
  marketOption,
  type MarketOptions,
} from "../../options/market_options.ts";
import { TOUCH_EXPERIMENTS } from "../../options/experiment_options.ts";
import { finishPlan } from "./finish_plan.ts";
import { withProfile } from "../../core/with_profile.ts";

/** Options of {@linkcode runPlanArchive}. */
interface PlanArchiveOptions extends MarketOptions {
  /** Name of the entities. */
  readonly entity: string;
  /** Ids, or one file, or `-`. */
  readonly ids: readonly string[];
  /** Leave out what the policy denies. */
  readonly skipDenied?: true;
  readonly note?: string;
  readonly out?: string;
  /** End with 0 although ids were not found. */
  readonly allowMissing?: true;
}

/** `adsctl plan archive`. */
export function planArchiveCommand(kit: CommandKit): CommandUnknownOpts {
  return kit.leaf("archive", {
    summary: "Plan to archive entities, which is for good, without sending it",
    details:
      "IDS are ids, or one file with an id a line or a column of them, or - for standard input. What is archived " +
      "cannot be brought back, so such a plan has no rollback; to stop something for a while, plan an update to paused.",
    examples: [
      ["adsctl plan archive keywords 123 456 -m US", "two keywords"],
      ["adsctl plan archive negative-keywords stale.csv -m US --note 'Spring cleaning'", "the ids of a file"],
    ],
    library: 'await profile.sp.keywords.planArchive(["123", "456"])',
  })
    .argument("<entity>", "what to archive, for example keywords")
    .argument("<ids...>", "ids, or one file, or -")
    .addOption(marketOption())
    .addOption(accountTypeOption())
    .addOption(accountNameOption())
    .option("--skip-denied", "leave out what the policy denies, and plan the rest")
    .option(...TOUCH_EXPERIMENTS)
    .option("--note <text>", "why; stays with the plan")
    .option("--out <path>", "file or folder for the plan; otherwise plan-<id>.json in this folder")
    .option("--allow-missing", "end with 0 although ids were not found; otherwise with 3")
    .action((entity, ids, options, self) =>
      kit.run((context) => runPlanArchive({ entity, ids, ...options }, context), self)
    );
}

async function runPlanArchive(options: PlanArchiveOptions, context: CliContext): Promise<number> {
  const spec = findKind(options.entity, KINDS, "command");
  const ids = await readIds(options.ids, { spec, io: context.io });
  const saving = { out: options.out, allowMissing: options.allowMissing === true };
  return await withProfile(options, context, async (client) => {
    const { signal } = context.interruption;
    const plan = await refusingBadInput(() =>
      client.resource(spec.kind).planArchive(ids, {
        note: options.note,
        signal,
      })
    );
    return await finishPlan(plan, { client, skipDenied: options.skipDenied, ...saving, context });
  });
}
