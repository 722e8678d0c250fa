import { withPackages } from "../model/optional_packages.ts";
import { bucketAddress, type OpenBucketOptions } from "./bucket_address.ts";
import type { BucketClient } from "./bucket_client.ts";
import {
  BrokenTransfer,
  type DeliveredObject,
  type ObjectPage,
  objectSource,
  type ObjectSourceOptions,
} from "./object_source.ts";
import type { StreamSource } from "./stream_source.ts";

const ARCHIVED = "InvalidObjectState";
const LAST = "\u{10FFFF}";

/**
 * Opens a bucket that a delivery stream writes to, as a source of messages of the hourly stream. Objects may be
 * gzipped. {@linkcode consumeStream} reads an object once, and again when it is replaced.
 *
 * @param address `s3://BUCKET/PREFIX`.
 * @param options With keys that may list the bucket and read its objects.
 * @throws {ConfigurationError} for an address of another kind, and without credentials. Nothing was sent.
 *
 * @example
 * ```ts
 * import { consumeStream, openBucketSource, type Warehouse } from "@platform/ads/store";
 *
 * async function consume(store: Warehouse, accessKeyId: string, secretAccessKey: string): Promise<number> {
 *   const source = await openBucketSource("s3://hourly/ads", { credentials: { accessKeyId, secretAccessKey } });
 *   return (await consumeStream(store, source)).stored;
 * }
 * ```
 */
export async function openBucketSource(
  address: string,
  options: OpenBucketOptions & ObjectSourceOptions = {},
): Promise<StreamSource> {
  const named = bucketAddress(address, options, {
    use: "read messages",
    may: "list the bucket and read its objects",
  });
  const { BucketClient } = await withPackages(
    "a bucket",
    "aws4fetch",
    () => import("./bucket_client.ts"),
  );
  const { fetch, sleep } = options;
  const bucket = new BucketClient(named.address, { credentials: named.credentials, fetch, sleep });
  return objectSource({
    name: bucket.name,
    pages: (signal) => pagesOf(bucket, signal),
    open: (object, signal) => open(bucket, object, signal),
  }, options);
}

async function* pagesOf(bucket: BucketClient, signal: AbortSignal | undefined): AsyncGenerator<ObjectPage> {
  const root = `${bucket.name}/`;
  let after = root;
  let held: ObjectPage["objects"] | undefined;
  const page = (objects: ObjectPage["objects"], upTo: string): ObjectPage => {
    const range = { after, upTo };
    after = upTo;
    return { objects, range };
  };
  for await (const objects of bucket.list(signal)) {
    // The last page reaches to the end of the prefix, so each waits until another one follows.
    if (held !== undefined) yield page(held, held.at(-1)?.address ?? after);
    held = objects.filter(({ path, bytes }) => bytes !== 0 && !path.endsWith("/"))
      .map(({ path, version, modified }) => ({ address: `${root}${path}`, name: path, version, modified }));
  }
  yield page(held ?? [], `${root}${LAST}`);
}

async function open(
  bucket: BucketClient,
  { name, version = "" }: DeliveredObject,
  signal: AbortSignal | undefined,
): Promise<AsyncIterable<Uint8Array> | "gone" | "replaced" | "archived"> {
  const response = await bucket.call(name, {
    method: "GET",
    headers: { "if-match": version },
    understood: [404, 412],
    understoodCodes: [ARCHIVED],
    signal,
  });
  if (response.ok) return content(response, `${bucket.name}/${name}`);
  await response.body?.cancel();
  if (response.status === 403) return "archived";
  return response.status === 404 ? "gone" : "replaced";
}

async function* content({ body }: Response, address: string): AsyncGenerator<Uint8Array> {
  try {
    yield* body ?? [];
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new BrokenTransfer(`Cannot read ${address}: ${reason}`, { cause });
  }
}
