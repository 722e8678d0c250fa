import { ConfigurationError } from "../../errors.ts";
import type { Sleep } from "../../base/time/sleep.ts";

/** A bucket and a prefix in it. */
export interface BucketAddress {
  /** Address of the service, without the bucket. */
  readonly origin: string;
  readonly region: string;
  readonly bucket: string;
  /** Beginning of all paths, without slashes at its ends; empty for the whole bucket. */
  readonly prefix: string;
}

/** Keys that requests to a bucket are signed with. */
export interface BucketCredentials {
  /** Public part of the key; it is sent with every request. */
  readonly accessKeyId: string;
  /** Key of the signatures; it is never sent. */
  readonly secretAccessKey: string;
  /** Sent with requests of keys that expire. */
  readonly sessionToken?: string | undefined;
}

/** Keys, region and address of a bucket; a folder needs none of them. */
export interface OpenBucketOptions {
  /** Keys of a user who may use the objects of the bucket. */
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

/** True for an address with a scheme, such as `s3://`; false for a path. */
export function hasScheme(address: string): boolean {
  return /^[a-z][a-z\d+]+:\/\//i.test(address);
}

/**
 * The bucket at `s3://BUCKET/PREFIX`, and the keys for it.
 *
 * @param use What it is for, such as `open a lake`; `may`: what its user must be allowed to do.
 * @throws {ConfigurationError} for an address of another kind, and without credentials.
 */
export function bucketAddress(
  address: string,
  { credentials, region = "us-east-1", endpoint, wireWord = "platform" }: OpenBucketOptions,
  { use, may }: { readonly use: string; readonly may: string },
): { readonly address: BucketAddress; readonly credentials: BucketCredentials } {
  const [, bucket, prefix = ""] = BUCKET.exec(address) ?? [];
  if (bucket === undefined) {
    throw new ConfigurationError(
      `Cannot ${use} at "${address}": expected the path of a folder, or s3://BUCKET/PREFIX`,
    );
  }
  if (credentials === undefined) {
    throw new ConfigurationError(
      `Cannot ${use} at ${address}: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set. Set the keys of a user ` +
        `who may ${may}`,
    );
  }
  const origin = (endpoint ?? `https://s3.${region}.${wireWord}aws.com`).replace(/\/+$/, "");
  return {
    address: { origin, region, bucket, prefix: prefix.replace(/^\/+|\/+$/g, "") },
    credentials,
  };
}
