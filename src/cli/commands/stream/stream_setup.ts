import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { refusingBadInput, UsageError } from "../../core/errors/cli_error.ts";
import type { CommandKit } from "../../core/command.ts";
import type { CliContext } from "../../core/context.ts";
import { EXIT } from "../../core/errors/exit_codes.ts";
import { lazyImport } from "../../core/lazy_import.ts";
import { withAds } from "../../core/connect.ts";
import {
  accountNameOption,
  accountTypeOption,
  chosenProfile,
  marketOption,
  type MarketOptions,
  wantedMarket,
} from "../../options/market_options.ts";
import { separated } from "../../options/parse_values.ts";
import { printJson, wantsData } from "../../output/print_rows.ts";
import { finishPlan } from "../plan/finish_plan.ts";
import { type QueueOption, queueOption, wantedArn } from "./stream_queue.ts";

/** Options of {@linkcode runStreamSetup}. */
export interface StreamSetupOptions extends MarketOptions, QueueOption {
  /** Ids of datasets. */
  readonly dataset?: readonly string[];
  /** Notes that stay with the subscriptions. */
  readonly notes?: string;
  readonly out?: string;
}

/** `adsctl stream setup`. */
export function streamSetupCommand(kit: CommandKit): CommandUnknownOpts {
  return kit.leaf("setup", {
    summary: "Plan subscriptions of a profile to datasets of the stream",
    details:
      "Nothing is sent: adsctl plan apply makes the subscriptions. Datasets that are delivered to the queue already are " +
      "left out. The queue must be a standard queue that the platform may send to; a request to confirm each " +
      "subscription comes as a message and holds for two days: adsctl stream confirm.",
    examples: [
      [
        "adsctl stream setup -m US --dataset sp-traffic,sp-conversion --queue arn:aws:sqs:us-east-1:123456789012:hourly",
        "Sponsored Products, by the hour",
      ],
      [
        "adsctl stream setup -m US --dataset sb-traffic,sb-conversion,sd-traffic",
        "to the queue of PLATFORM_ADS_QUEUE",
      ],
    ],
    library: "const { plan } = await planSubscriptions(profile, { datasets, queueArn })",
  })
    .addOption(marketOption())
    .addOption(accountTypeOption())
    .addOption(accountNameOption())
    .option(
      "--dataset <ids>",
      "datasets, separated by commas: sp-traffic, sp-conversion, sb-traffic, ...",
      separated,
    )
    .addOption(queueOption())
    .option("--notes <text>", "notes that stay with the subscriptions, at most 128 characters")
    .option("--out <path>", "file or folder for the plan; otherwise plan-<id>.json in this folder")
    .action((options, self) => kit.run((context) => runStreamSetup(options, context), self));
}

/** Plans subscriptions. */
export async function runStreamSetup(options: StreamSetupOptions, context: CliContext): Promise<number> {
  const { io, globals, interruption: { signal } } = context;
  const { dataset: datasets = [], notes, out } = options;
  if (datasets.length === 0) {
    throw new UsageError("Cannot subscribe: give --dataset, for example --dataset sp-traffic,sp-conversion");
  }
  if (notes !== undefined && notes.length > 128) {
    throw new UsageError(`Cannot use --notes: it has ${notes.length} characters, 128 are allowed`);
  }
  wantedMarket(options, context);
  const { planSubscriptions, checkDatasets } = await lazyImport<
    typeof import("../../../store/stream/subscriptions.ts")
  >("../store/stream/subscriptions");
  await refusingBadInput(() => checkDatasets(datasets));
  return await withAds(context, async (ads) => {
    const queueArn = await wantedArn(options, context, ads);
    const client = await chosenProfile(ads, options, context);
    const { plan, existing } = await planSubscriptions(client, { datasets, queueArn, notes, signal });
    if (!globals.quiet) {
      for (const { dataSetId, status } of existing) {
        await io.stderr.write(`${dataSetId} is subscribed to already: ${status}\n`);
      }
    }
    if (plan !== undefined) return await finishPlan(plan, { client, out, context });
    if (wantsData(context)) await printJson({ changes: [], file: null }, context);
    else if (!globals.quiet) await io.stderr.write("Nothing to change, so no plan was saved\n");
    return EXIT.done;
  });
}
