import type { ConsumeProgress, ConsumeResult } from "../../../../store/stream/consume_stream.ts";
import type { StreamSource } from "../../../../store/stream/stream_source.ts";
import type { Warehouse } from "../../../../store/warehouse/warehouse.ts";
import type { PlatformAds } from "../../../../client/platform_ads.ts";
import { hasScheme } from "../../../../store/stream/bucket_address.ts";
import { bucketSettings } from "./lake_option.ts";
import { EXIT, refusingBadInput, UsageError } from "../../shell/io/cli_error.ts";
import { command } from "../../shell/command.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { openStore } from "../../shell/connect/open_store.ts";
import { positiveInteger } from "../../shell/options/parse_values.ts";
import { counted } from "../../../../base/text/money_text.ts";
import { storeOption } from "../../shell/options/store_option.ts";
import { printJson, wantsData } from "../../shell/output/print_rows.ts";
import { inputPieces, refuseTerminal } from "../../shell/input/read_input.ts";
import { nextCommand } from "../../shell/context/shell_words.ts";
import { demoBucket, openNamedQueue, queueOption } from "./stream_queue.ts";
import { connectIfPossible } from "./connect_if_possible.ts";
import { say } from "../../shell/output/write_text.ts";

export const streamConsumeCommand = command(
  (kit) =>
    kit.leaf("run", {
      summary: "Store stream messages from a queue, a bucket, a folder or standard input",
      details:
        "Messages are deleted from the queue after they are stored. Duplicates add nothing, and unreadable " +
        "messages are kept in the table stream_rejected. Ctrl-C stops after the current messages. You can kill it " +
        "at any time, and run several at once. Standard input is stored every quarter second. --from with a bucket " +
        "or folder reads each file once, plain or gzipped, and again if it changes; the store remembers them. A file " +
        "that ends inside a record is read again until it is 15 minutes old. Keys for queues and buckets: " +
        "AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and optionally AWS_SESSION_TOKEN. Needs the package aws4fetch. " +
        "Time zones come from the login's profiles; without a login, hours are stored in UTC until the zone is " +
        "known.",
      examples: [
        ["adsctl store stream run --queue arn:aws:sqs:us-east-1:123456789012:hourly", "until Ctrl-C"],
        ["adsctl store stream run --once", "store the current messages and stop, for cron"],
        [
          "adsctl store stream run --from exports/2026-11",
          "read files with one JSON record per line, also gzipped",
        ],
        [
          "adsctl store stream run --from s3://hourly/ads --follow",
          "read the files of a delivery stream as they appear",
        ],
        ["tail -F records.jsonl | adsctl store stream run --from -", "follow a file as it is written"],
      ],
      library: "const result = await consumeStream(store, source, { once: true })",
    })
      .addOption(queueOption())
      .option(
        "--from <path>",
        "instead of a queue, read a file, a folder, s3://BUCKET/PREFIX, or - for standard input",
      )
      .option("--follow", "with --from: look for new files every minute, until Ctrl-C")
      .option("--again", "with --from: also read files that were read before")
      .option("--once", "stop when the queue is empty")
      .option("--receivers <n>", "parallel requests to the queue (default: 8)", positiveInteger)
      .addOption(storeOption()),
  async (options, context) => {
    if (options.from !== undefined && options.queue !== undefined) {
      throw new UsageError("Cannot use --from together with --queue: choose one");
    }
    const { from, follow, again, once } = options;
    for (const [name, value] of Object.entries({ follow, again })) {
      if (value && (from === undefined || from === "-")) {
        throw new UsageError(`Cannot use --${name}: add --from with a folder or s3://BUCKET/PREFIX`);
      }
    }
    if (follow && once) throw new UsageError("Cannot use --follow together with --once: choose one");
    const { io, progress, interruption } = context;
    const { consumeStream } = await import("../../../../store/stream/consume_stream.ts");
    const isBucket = from !== undefined && hasScheme(from);
    const isEndless = follow === true || once !== true && from === undefined;
    const given = from === undefined || isBucket ? undefined : await givenSource(from, { follow }, context);
    const ads = await connectIfPossible(context, { shareDemo: isEndless });
    const source = given ??
      (isBucket
        ? await bucketSource(from, { follow, ads }, context)
        : (await openNamedQueue(options, context, ads)).source);
    const store = await openStore({ ...options, create: true }, context);
    await rememberProfiles(store, ads, context);
    const signal = interruption.finishFirst();
    const work = progress.work({ noun: "message", yields: "record" });
    let reached: ConsumeProgress | undefined;
    try {
      const result = await consumeStream(store, source, {
        once: !isEndless,
        again,
        signal: AbortSignal.any([signal, interruption.signal]),
        now: io.now,
        onProgress: (progressed) => {
          reached = progressed;
          work.count({ done: progressed.messages, amount: progressed.stored });
        },
      });
      await work.end();
      return await tellResult(result, { store, isNamed: options.store !== undefined }, context);
    } catch (error) {
      if (options.from === "-") await tellUnstored(reached, context);
      throw error;
    } finally {
      await progress.clear();
    }
  },
);

async function givenSource(
  path: string,
  { follow }: { follow: boolean | undefined },
  context: CliContext,
): Promise<StreamSource> {
  const { io } = context;
  if (path !== "-") {
    const { folderSource } = await import("../../../../store/stream/folder_source.ts");
    return await folderSource(path, { follow, sleep: io.sleep });
  }
  const { textSource } = await import("../../../../store/stream/text_source.ts");
  // At once, not when the first piece is read.
  refuseTerminal(io);
  return textSource(inputPieces(io), "-");
}

async function bucketSource(
  address: string,
  { follow, ads }: { follow: boolean | undefined; ads: PlatformAds | undefined },
  context: CliContext,
): Promise<StreamSource> {
  const { globals, io } = context;
  const { openBucketSource } = await import("../../../../store/stream/bucket_source.ts");
  const demo = globals.demo && ads !== undefined ? demoBucket(ads) : {};
  const settings = { ...await bucketSettings(context), ...demo, follow, now: io.now };
  return await refusingBadInput(() => openBucketSource(address, settings));
}

export async function rememberProfiles(
  store: Warehouse,
  ads: PlatformAds | undefined,
  { interruption }: CliContext,
): Promise<void> {
  if (ads === undefined) return;
  const { profileAccounts } = await import("../../../../store/model/profile_accounts.ts");
  const known = new Map((await store.stream.accounts()).map((account) => [JSON.stringify(account), account]));
  const accounts = profileAccounts(await ads.profiles({ signal: interruption.signal }));
  const fresh = accounts.filter((account) => !known.has(JSON.stringify(account)));
  if (fresh.length > 0) await store.stream.putAccounts(fresh);
}

/** Records from a pipe cannot be read again, so unstored ones are reported. */
async function tellUnstored(
  reached: ConsumeProgress | undefined,
  { io, progress }: CliContext,
): Promise<void> {
  await progress.clear();
  await io.stderr.write(
    `${reached === undefined ? "Nothing was stored" : `Before it failed: ${progressLine(reached)}`}. ` +
      "Later input is not stored; send it again, duplicates are ignored\n",
  );
}

function progressLine({ messages, stored, duplicates, rejected }: ConsumeProgress): string {
  return `${messages} messages: ${stored} records stored, ${duplicates} duplicates, ${rejected} set aside`;
}

function objectLines({ read, known, unfinished, gone, archived }: ConsumeResult["objects"]): string[] {
  const parts = [
    ...read > 0 || known > 0 ? [`${counted(read, "file")} read, ${known} read before`] : [],
    ...unfinished > 0 ? [`${unfinished} still being written, read again the next time`] : [],
    ...gone > 0 ? [`${gone} deleted before they could be read`] : [],
    ...archived > 0 ? [`${archived} in an archive, tried again the next time: restore them first`] : [],
  ];
  return parts.length === 0 ? [] : [parts.join("; ")];
}

async function tellResult(
  result: ConsumeResult,
  { store, isNamed }: { store: Warehouse; isNamed: boolean },
  context: CliContext,
): Promise<number> {
  const { io, globals, interruption } = context;
  const { messages, stored, duplicates, rejected, confirmations, unacknowledged, unknownAdvertisers } =
    result;
  if (wantsData(context)) {
    await printJson({
      messages,
      stored,
      duplicates,
      rejected,
      confirmations,
      unacknowledged,
      files: result.objects,
      unknown_advertisers: unknownAdvertisers,
    }, context);
  }
  const lines = [`${progressLine(result)} in ${store.location}`, ...objectLines(result.objects)];
  if (interruption.happened) lines.push("Interrupted: input received so far is stored");
  if (confirmations > 0) {
    lines.push(
      `A subscription needs confirmation:\n  ${nextCommand(["store", "stream", "confirm"], globals)}`,
    );
  }
  if (rejected > 0) {
    const query = "SELECT reason, message_id FROM stream_rejected ORDER BY received_at DESC";
    const place = isNamed ? ["--store", store.location] : [];
    lines.push(
      `To list unreadable messages:\n  ${nextCommand(["query", ...place, query], globals)}`,
    );
  }
  if (unacknowledged > 0) {
    lines.push(`${unacknowledged} messages will be delivered again, without effect`);
  }
  if (unknownAdvertisers.length > 0) {
    lines.push(
      `No profile is known for ${unknownAdvertisers.length} advertisers, so their hours are in UTC: ${
        unknownAdvertisers.slice(0, 5).join(", ")
      }${unknownAdvertisers.length > 5 ? ", ..." : ""}`,
    );
  }
  await say(`${lines.join("\n")}`, { io, globals });
  if (interruption.happened) return EXIT.interrupted;
  return rejected === 0 ? EXIT.done : EXIT.someFailed;
}
