import { ConfigurationError } from "../../errors.ts";
import type { Sleep } from "../../base/time/sleep.ts";
import { withPackages } from "../model/optional_packages.ts";
import type { BucketCredentials } from "./bucket_place.ts";
import { folderPlace } from "./folder_place.ts";
import type { LakePlace } from "./lake_place.ts";

/** Options for opening a lake; a folder needs none. */
export interface OpenLakeOptions {
  /** Keys of a user who may read, write and delete the objects of the bucket. */
  readonly credentials?: BucketCredentials | undefined;
  /** Region of the bucket. @default "us-east-1" */
  readonly region?: string | undefined;
  /** Endpoint of an S3-compatible service, in place of the usual host. */
  readonly endpoint?: string | undefined;
  /** The platform's own word on the wire, which is part of the bucket's host. @default "platform" */
  readonly wireWord?: string | undefined;
  /** Sends requests. @default the runtime's */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Waits between retries. @default real time */
  readonly sleep?: Sleep | undefined;
}

const BUCKET = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/;

/**
 * The lake at an address. Nothing is read or written yet.
 *
 * @param address Path of a folder, or `s3://BUCKET/PREFIX`.
 * @throws {ConfigurationError} for an address of another kind, and for a bucket without credentials.
 *
 * @example
 * ```ts
 * import { openLake } from "@platform/ads/store";
 *
 * const lake = await openLake("s3://figures/ads", {
 *   credentials: { accessKeyId: "reader", secretAccessKey: "..." },
 *   region: "eu-west-1",
 * });
 * console.log(lake.address);
 * ```
 */
export async function openLake(address: string, options: OpenLakeOptions = {}): Promise<LakePlace> {
  if (address.trim() === "") throw new ConfigurationError("Cannot open a lake: its path is empty");
  const scheme = /^([a-z][a-z\d+]+):\/\//i.exec(address)?.[1];
  if (scheme === undefined) return folderPlace(address);
  const [, bucket, prefix = ""] = BUCKET.exec(address) ?? [];
  if (bucket === undefined) {
    throw new ConfigurationError(
      `Cannot open a lake at "${address}": expected the path of a folder, or s3://BUCKET/PREFIX`,
    );
  }
  const { credentials, region = "us-east-1", endpoint, wireWord = "platform", fetch, sleep } = options;
  if (credentials === undefined) {
    throw new ConfigurationError(
      `Cannot open the lake ${address}: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set. Set the keys of a user ` +
        "who may read, write and delete its objects",
    );
  }
  const { bucketPlace } = await withPackages(
    "a lake in a bucket",
    "aws4fetch",
    () => import("./bucket_place.ts"),
  );
  return bucketPlace({
    origin: (endpoint ?? `https://s3.${region}.${wireWord}aws.com`).replace(/\/+$/, ""),
    region,
    bucket,
    prefix: prefix.replace(/^\/+|\/+$/g, ""),
  }, { credentials, fetch, sleep });
}
