import type { StreamSubscription } from "../../../../store/stream/subscriptions.ts";
import type { QueueCounts } from "../../../../store/stream/queue_client.ts";
import type { PlatformAds } from "../../../../client/platform_ads.ts";
import { command } from "../../shell/command.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { EXIT } from "../../shell/io/cli_error.ts";
import { openStore } from "../../shell/connect/open_store.ts";
import { chosenProfile, type MarketOptions } from "../../shell/options/market_options.ts";
import { storeOption } from "../../shell/options/store_option.ts";
import { printJson, printRows, wantsData } from "../../shell/output/print_rows.ts";
import { namedQueue, openNamedQueue, queueOption } from "./stream_queue.ts";
import { connectIfPossible } from "./connect_if_possible.ts";

const COLUMNS = [
  "dataset",
  "country_code",
  "profile_id",
  "subscription",
  "records",
  "last_hour",
  "behind_minutes",
  "received_at",
];

export const streamStatusCommand = command(
  (kit) =>
    kit.profileLeaf("status", {
      printsRows: true,
      summary: "Show subscriptions, the last stored hour of each dataset, and queued messages",
      details:
        "-m lists the profile's subscriptions (needs a login); a queue counts its messages (needs keys). " +
        "behind_minutes: time since the end of the last stored hour.",
      examples: [
        ["adsctl store stream status -m US", "show subscriptions and stored hours"],
        ["adsctl store stream status --json", "print stored hours as JSON, for a monitor"],
      ],
      library: "const status = await streamStatus(store)",
      fields: COLUMNS,
    })
      .addOption(queueOption())
      .addOption(storeOption()),
  async (options, context) => {
    const { io, globals, interruption: { signal } } = context;
    const { streamStatus } = await import("../../../../store/stream/stream_status.ts");
    const asksPlatform = globals.demo || (options.market ?? io.env["PLATFORM_ADS_MARKET"]) !== undefined;
    const ads = asksPlatform ? await connectIfPossible(context) : undefined;
    const subscriptions = await profileSubscriptions(options, context, ads);
    const hasQueue = await namedQueue(options, context, ads) !== undefined;
    const queue: QueueCounts | undefined = hasQueue
      ? await (await openNamedQueue(options, context, ads)).counts(signal)
      : undefined;
    const store = await openStore(
      { ...options, create: globals.demo || subscriptions !== undefined },
      context,
    );
    const { datasets, rejected, pendingConfirmations } = await streamStatus(store, { now: io.now });
    const rows = datasets.map((row) => ({
      ...row,
      subscription: row.profile_id === subscriptions?.profileId
        ? subscriptions.list.find(({ dataSetId }) => dataSetId === row.dataset)?.status ?? "none"
        : null,
    }));
    const others = (subscriptions?.list ?? []).filter(({ dataSetId }) =>
      !datasets.some((row) => row.dataset === dataSetId && row.profile_id === subscriptions?.profileId)
    ).map(({ dataSetId, status }) => ({
      dataset: dataSetId,
      country_code: subscriptions?.countryCode ?? null,
      profile_id: subscriptions?.profileId ?? "",
      subscription: status,
      records: 0,
      last_hour: null,
      behind_minutes: null,
      received_at: null,
    }));
    if (wantsData(context)) {
      await printJson({
        datasets: [...rows, ...others],
        rejected,
        pending_confirmations: pendingConfirmations,
        queue: queue === undefined ? null : { waiting: queue.waiting, in_flight: queue.inFlight },
      }, context);
      return EXIT.done;
    }
    await printRows(
      [...rows, ...others],
      { columns: COLUMNS, fields: [...COLUMNS, "advertiser_id"] },
      context,
    );
    if (globals.quiet) return EXIT.done;
    const lines = [
      `${rejected} messages cannot be read, ${pendingConfirmations} subscriptions need confirmation`,
    ];
    if (queue !== undefined) {
      lines.push(`On the queue: ${queue.waiting} messages waiting, ${queue.inFlight} in flight`);
    }
    await io.stderr.write(`${lines.join("\n")}\n`);
    return EXIT.done;
  },
);

interface ProfileSubscriptions {
  readonly profileId: string;
  readonly countryCode: string;
  readonly list: readonly StreamSubscription[];
}

async function profileSubscriptions(
  options: MarketOptions,
  context: CliContext,
  ads: PlatformAds | undefined,
): Promise<ProfileSubscriptions | undefined> {
  const market = options.market ?? context.io.env["PLATFORM_ADS_MARKET"];
  if (ads === undefined || !market) return undefined;
  const { listSubscriptions } = await import("../../../../store/stream/subscriptions.ts");
  const profile = await chosenProfile(ads, options, context);
  const list = await listSubscriptions(profile, { signal: context.interruption.signal });
  // Of several to one dataset the newest counts.
  const newest = list.toSorted((a, b) => a.createdDate < b.createdDate ? 1 : -1);
  return { profileId: profile.profileId, countryCode: profile.countryCode, list: newest };
}
