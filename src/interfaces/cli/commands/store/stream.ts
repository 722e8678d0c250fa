import type { DeliveryStream } from "../../../../store/stream/subscriptions.ts";
import { command, group } from "../../shell/command.ts";
import { streamConsumeCommand } from "./stream_consume.ts";
import { streamReconcileCommand } from "./stream_reconcile.ts";
import { streamStatusCommand } from "./stream_status.ts";
import { EXIT, refusingBadInput, UsageError } from "../../shell/io/cli_error.ts";
import { connectAds } from "../../shell/connect/connect.ts";
import { chosenProfile, wantedMarket } from "../../shell/options/market_options.ts";
import { separated } from "../../shell/options/parse_values.ts";
import { printJson, printRows, wantsData } from "../../shell/output/print_rows.ts";
import { finishPlan } from "../../shell/finish_plan.ts";
import {
  loopbackOrigins,
  namedQueue,
  openNamedQueue,
  queueOption,
  wantedArn,
  wireWord,
} from "./stream_queue.ts";
import { visibleText } from "../../../../base/text/visible_text.ts";
import { confirm, ensureCanAsk } from "../../shell/context/confirm.ts";
import { openStore } from "../../shell/connect/open_store.ts";
import { storeOption } from "../../shell/options/store_option.ts";
import { connectIfPossible } from "./connect_if_possible.ts";
import { say } from "../../shell/output/write_text.ts";
const streamSetupCommand = command(
  (kit) =>
    kit.profileLeaf("setup", {
      summary: "Plan subscriptions to stream datasets for a profile",
      details:
        "Sends nothing; adsctl plan apply creates the subscriptions. Skips datasets already delivered to the " +
        "queue. The queue must be a standard queue that the platform can send to. Each subscription sends a " +
        "confirmation request to the queue, valid for two days: see adsctl store stream confirm. A delivery stream " +
        "(Firehose) needs no confirmation, but two roles in its account: --subscription-role may put records into " +
        "it (firehose:PutRecord, firehose:PutRecordBatch) and is assumed by sns; --subscriber-role may call " +
        "sns:Subscribe, sns:Unsubscribe and iam:PassRole on the first, and is assumed by the platform. The " +
        "stream must be in us-east-1 (NA), eu-west-1 (EU) or us-west-2 (FE). Read its bucket with store stream run " +
        "--from.",
      examples: [
        [
          "adsctl store stream setup -m US --dataset sp-traffic,sp-conversion --queue arn:aws:sqs:us-east-1:123456789012:hourly",
          "plan hourly Sponsored Products data",
        ],
        [
          "adsctl store stream setup -m US --dataset sb-traffic,sb-conversion,sd-traffic",
          "use the queue of PLATFORM_ADS_QUEUE",
        ],
        [
          "adsctl store stream setup -m US --dataset sp-traffic --firehose arn:aws:firehose:us-east-1:123456789012:deliverystream/hourly --subscription-role arn:aws:iam::123456789012:role/hourly-sns --subscriber-role arn:aws:iam::123456789012:role/hourly-platform",
          "deliver to a bucket through a delivery stream",
        ],
      ],
      library: "const { plan } = await planSubscriptions(profile, { datasets, queueArn })",
    })
      .option(
        "--dataset <ids>",
        "datasets, separated by commas: sp-traffic, sp-conversion, sb-traffic, ...",
        separated,
      )
      .addOption(queueOption())
      .option("--firehose <arn>", "delivery stream in place of a queue, with both roles")
      .option("--subscription-role <arn>", "role that puts messages into the delivery stream")
      .option("--subscriber-role <arn>", "role by which the platform subscribes the delivery stream")
      .option("--notes <text>", "notes for the subscriptions, up to 128 characters")
      .option("--out <path>", "file or folder for the plan (default: plan-<id>.json)"),
  async (options, context) => {
    const { io, globals, interruption: { signal } } = context;
    const { dataset: datasets = [], notes, out } = options;
    if (datasets.length === 0) {
      throw new UsageError(
        "Cannot subscribe: add --dataset, for example --dataset sp-traffic,sp-conversion",
      );
    }
    if (notes !== undefined && notes.length > 128) {
      throw new UsageError(`Cannot use --notes: it has ${notes.length} characters, at most 128 are allowed`);
    }
    const deliveryStream = namedStream(options);
    wantedMarket(options, context);
    const { planSubscriptions, checkDatasets } = await import("../../../../store/stream/subscriptions.ts");
    await refusingBadInput(() => checkDatasets(datasets));
    const ads = await connectAds(context, { listenDemo: true });
    const queueArn = deliveryStream === undefined ? await wantedArn(options, context, ads) : undefined;
    const client = await chosenProfile(ads, options, context);
    const { plan, existing } = await refusingBadInput(() =>
      planSubscriptions(client, { datasets, queueArn, deliveryStream, notes, signal })
    );
    if (!globals.quiet) {
      for (const { dataSetId, status } of existing) {
        await io.stderr.write(`${dataSetId} is subscribed to already: ${status}\n`);
      }
    }
    if (plan !== undefined) return await finishPlan(plan, { out, context });
    if (wantsData(context)) await printJson({ changes: [], file: null }, context);
    else if (!globals.quiet) await io.stderr.write("Nothing to change, so no plan was saved\n");
    return EXIT.done;
  },
);

function namedStream(
  { queue, firehose, subscriptionRole, subscriberRole }: {
    readonly queue?: string;
    readonly firehose?: string;
    readonly subscriptionRole?: string;
    readonly subscriberRole?: string;
  },
): DeliveryStream | undefined {
  const roles = { "--subscription-role": subscriptionRole, "--subscriber-role": subscriberRole };
  const given = Object.entries(roles).filter(([, arn]) => arn !== undefined);
  if (firehose === undefined) {
    if (given.length === 0) return undefined;
    throw new UsageError(`Cannot use ${given.map(([name]) => name).join(", ")}: add --firehose`);
  }
  if (queue !== undefined) throw new UsageError("Cannot use --firehose together with --queue: choose one");
  if (subscriptionRole === undefined || subscriberRole === undefined) {
    const missing = Object.entries(roles).filter(([, arn]) => arn === undefined).map(([name]) => name);
    throw new UsageError(`Cannot subscribe the delivery stream: add ${missing.join(" and ")}`);
  }
  return {
    deliveryStreamArn: firehose,
    subscriptionRoleArn: subscriptionRole,
    subscriberRoleArn: subscriberRole,
  };
}

const streamConfirmCommand = command(
  (kit) =>
    kit.leaf("confirm", {
      printsRows: true,
      summary: "Confirm new subscriptions from requests on the queue",
      details:
        "Stores the messages on the queue first, as store stream run does. Then, after asking, it opens the " +
        "address of each request, but only on the platform's own hosts (sns.REGION.<wireWord>aws.com). Requests " +
        "are valid for two days.",
      examples: [
        [
          "adsctl store stream confirm --queue arn:aws:sqs:us-east-1:123456789012:hourly",
          "receive requests, ask, confirm",
        ],
        ["adsctl store stream confirm --print", "print the addresses, to open them yourself"],
      ],
      library: "const outcomes = await confirmSubscriptions(store)",
    })
      .addOption(queueOption())
      .addOption(storeOption())
      .option("--print", "print the addresses without opening them")
      .option("--yes", "do not ask"),
  async (options, context) => {
    const { io, globals, interruption: { signal } } = context;
    if (!options.print) ensureCanAsk(options.yes, context, "confirming subscriptions");
    const { confirmSubscriptions, pendingConfirmations } = await import(
      "../../../../store/stream/confirm_subscriptions.ts"
    );
    const { consumeStream } = await import("../../../../store/stream/consume_stream.ts");
    const ads = await connectIfPossible(context);
    const queue = await namedQueue(options, context, ads);
    const store = await openStore({ ...options, create: true }, context);
    if (queue !== undefined) {
      const { source } = await openNamedQueue(options, context, ads);
      await consumeStream(store, source, { once: true, signal, now: io.now });
    }
    const pending = await pendingConfirmations(store);
    if (pending.length === 0) {
      await say("No subscriptions to confirm", { io, globals });
      return EXIT.done;
    }
    if (options.print) {
      const rows = pending.map(({ topic, sentAt, url }) => ({ topic, sent_at: sentAt, url }));
      await printRows(rows, { columns: ["topic", "sent_at", "url"] }, context);
      return EXIT.done;
    }
    for (const { topic, url } of pending) {
      const host = URL.canParse(url) ? new URL(url).host : "no host";
      await io.stderr.write(`${visibleText(topic)} by ${visibleText(host)}\n`);
    }
    const count = pending.length === 1 ? "1 subscription" : `${pending.length} subscriptions`;
    if (!options.yes && !await confirm(`Confirm ${count}?`, context)) return EXIT.refused;
    const outcomes = await confirmSubscriptions(store, {
      wireWord: await wireWord(context, ads),
      loopback: loopbackOrigins(ads, queue),
      fetch: io.fetch,
      now: io.now,
      signal,
    });
    const rows = outcomes.map(({ topic, sentAt, outcome, reason = "" }) => ({
      topic,
      sent_at: sentAt,
      outcome,
      reason,
    }));
    await printRows(rows, { columns: ["topic", "sent_at", "outcome", "reason"] }, context);
    return outcomes.every(({ outcome }) => outcome === "confirmed") ? EXIT.done : EXIT.someFailed;
  },
);

export const streamCommand = group(
  "stream",
  {
    summary: "Store hourly figures from the platform's stream",
    examples: [
      [
        "adsctl store stream setup -m US --dataset sp-traffic --queue arn:aws:sqs:us-east-1:123456789012:hourly",
        "plan a subscription",
      ],
      ["adsctl store stream run --once", "store messages from the queue"],
    ],
    library: "await consumeStream(store, source)",
  },
  [
    streamSetupCommand,
    streamConfirmCommand,
    streamConsumeCommand,
    streamStatusCommand,
    streamReconcileCommand,
  ],
);
