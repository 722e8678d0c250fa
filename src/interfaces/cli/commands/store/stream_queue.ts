import { Option } from "@commander-js/extra-typings";
import type { PlatformAds } from "../../../../client/platform_ads.ts";
import { readVariables } from "../../../../platform/connection/connection_from_env.ts";
import type { StreamQueue } from "../../../../store/stream/open_queue.ts";
import { queueAddress, type QueueSettings } from "../../../../store/stream/queue_address.ts";
import type { OpenBucketOptions } from "../../../../store/stream/bucket_address.ts";
import { UsageError } from "../../shell/io/cli_error.ts";
import type { CliContext } from "../../shell/context/context.ts";

interface QueueOption {
  readonly queue?: string;
}

const DEMO = { account: "000000000000", name: "hourly", key: "emulator" } as const;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

export function queueOption(): Option<"--queue <queue>"> {
  return new Option("--queue <queue>", "address or ARN of the queue; otherwise PLATFORM_ADS_QUEUE");
}

export async function namedQueue(
  { queue }: QueueOption,
  context: CliContext,
  ads: PlatformAds | undefined,
): Promise<string | undefined> {
  if (queue !== undefined) return queue;
  if (context.globals.demo && ads !== undefined) {
    return `${demoOrigin(ads)}/queue/${DEMO.account}/${DEMO.name}`;
  }
  return (await environment(context))["PLATFORM_ADS_QUEUE"];
}

export async function wantedArn(
  options: QueueOption,
  context: CliContext,
  ads: PlatformAds | undefined,
): Promise<string> {
  const named = await namedQueue(options, context, ads);
  if (named === undefined) throw noQueue();
  return queueAddress(named, await settings(context, ads)).arn;
}

export async function openNamedQueue(
  options: QueueOption & { readonly receivers?: number | undefined },
  context: CliContext,
  ads: PlatformAds | undefined,
): Promise<StreamQueue> {
  const named = await namedQueue(options, context, ads);
  if (named === undefined) throw noQueue();
  const { io, globals } = context;
  const values = await environment(context);
  const isDemo = globals.demo && options.queue === undefined;
  const accessKeyId = isDemo ? DEMO.key : values["AWS_ACCESS_KEY_ID"];
  const secretAccessKey = isDemo ? DEMO.key : values["AWS_SECRET_ACCESS_KEY"];
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new UsageError(
      "Cannot read the queue: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set. Set the keys of a user allowed to " +
        "receive and delete its messages",
    );
  }
  const { openQueue } = await import("../../../../store/stream/open_queue.ts");
  return await openQueue(named, {
    ...await settings(context, ads),
    credentials: {
      accessKeyId,
      secretAccessKey,
      sessionToken: isDemo ? undefined : values["AWS_SESSION_TOKEN"],
    },
    receivers: options.receivers,
    fetch: io.fetch,
    sleep: io.sleep,
  });
}

/** Loopback origins of a running emulator, whose subscription confirmations may be visited. */
export function loopbackOrigins(ads: PlatformAds | undefined, queue: string | undefined): string[] {
  const addresses = [
    ...Object.values(ads?.platform.regions ?? {}).map((region) => region?.baseUrl),
    queue,
  ];
  const origins = addresses.flatMap((address) => {
    if (address === undefined || !URL.canParse(address)) return [];
    const { hostname, origin } = new URL(address);
    return LOOPBACK.test(hostname) ? [origin] : [];
  });
  return [...new Set(origins)];
}

export async function wireWord(context: CliContext, ads: PlatformAds | undefined): Promise<string> {
  return ads?.platform.wireWord ?? (await environment(context))["PLATFORM_ADS_WIRE_WORD"] ?? "platform";
}

export function demoBucket(ads: PlatformAds): OpenBucketOptions {
  return {
    endpoint: `${demoOrigin(ads)}/bucket`,
    credentials: { accessKeyId: DEMO.key, secretAccessKey: DEMO.key },
  };
}

async function settings(context: CliContext, ads: PlatformAds | undefined): Promise<QueueSettings> {
  const values = await environment(context);
  return {
    wireWord: await wireWord(context, ads),
    region: values["AWS_REGION"] ?? values["AWS_DEFAULT_REGION"],
    endpoint: values["AWS_ENDPOINT_URL_SQS"] ?? values["AWS_ENDPOINT_URL"],
  };
}

/** Returns the environment of the command. The demo account ignores the dotenv file. */
export async function environment(
  { io, globals }: CliContext,
): Promise<Readonly<Record<string, string | undefined>>> {
  if (globals.demo) return io.env;
  return await readVariables({
    env: io.env,
    ...(globals.envFile === undefined ? {} : { envFile: globals.envFile }),
  });
}

function demoOrigin(ads: PlatformAds): string {
  return new URL(ads.baseUrl("NA")).origin;
}

function noQueue(): UsageError {
  return new UsageError(
    "Cannot choose a queue: add --queue with its address or ARN, or set PLATFORM_ADS_QUEUE",
  );
}
