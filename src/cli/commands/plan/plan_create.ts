import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { refusingBadInput } from "../../core/errors/cli_error.ts";
import type { CommandKit } from "../../core/command.ts";
import type { CliContext } from "../../core/context.ts";
import { findKind, KINDS } from "../../../resources/kinds.ts";
import { createItems } from "../../entities/create_items.ts";
import { parseRecords } from "../../text/parse_records.ts";
import { readInput } from "../../text/read_input.ts";
import {
  accountNameOption,
  accountTypeOption,
  marketOption,
  type MarketOptions,
} from "../../options/market_options.ts";
import { TOUCH_EXPERIMENTS } from "../../options/experiment_options.ts";
import { finishPlan, tellIgnored } from "./finish_plan.ts";
import { withProfile } from "../../core/with_profile.ts";

/** Options of {@linkcode runPlanCreate}. */
interface PlanCreateOptions extends MarketOptions {
  /** Name of the entities. */
  readonly entity: string;
  /** File with the new entities; `-` for standard input. */
  readonly file: string;
  /** Leave out what the policy denies. */
  readonly skipDenied?: true;
  readonly note?: string;
  readonly out?: string;
}

/** `adsctl plan create`. */
export function planCreateCommand(kit: CommandKit): CommandUnknownOpts {
  return kit.leaf("create", {
    summary: "Plan new entities from a file, without sending them",
    details:
      "FILE is CSV with a header row, a JSON array or JSON lines; - is standard input. Undoing the plan, once " +
      "applied, archives what it created.",
    examples: [
      [
        "adsctl plan create keywords new.csv -m US",
        "columns campaignId, adGroupId, keywordText, matchType, state, bid",
      ],
      ["adsctl plan create negative-keywords - -m DE < negatives.jsonl", "from standard input"],
    ],
    library: "await profile.sp.keywords.planCreate(items)",
  })
    .argument("<entity>", "what to create, for example keywords")
    .argument("<file>", "the new entities; - for standard input")
    .addOption(marketOption())
    .addOption(accountTypeOption())
    .addOption(accountNameOption())
    .option("--skip-denied", "leave out what the policy denies, and plan the rest")
    .option(...TOUCH_EXPERIMENTS)
    .option("--note <text>", "why; stays with the plan")
    .option("--out <path>", "file or folder for the plan; otherwise plan-<id>.json in this folder")
    .action((entity, file, options, self) =>
      kit.run((context) => runPlanCreate({ entity, file, ...options }, context), self)
    );
}

/** Plans creates from a file. */
async function runPlanCreate(options: PlanCreateOptions, context: CliContext): Promise<number> {
  const spec = findKind(options.entity, KINDS, "command");
  const records = await parseRecords(await readInput(options.file, context.io));
  const { items, ignored } = createItems(records, spec);
  await tellIgnored(ignored, context);
  return await withProfile(options, context, async (client) => {
    const plan = await refusingBadInput(() =>
      client.resource(spec.kind).planCreate(items, {
        note: options.note,
      })
    );
    return await finishPlan(plan, { client, skipDenied: options.skipDenied, out: options.out, context });
  });
}
