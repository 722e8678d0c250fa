import { ConfigurationError } from "../../errors.ts";
import type { Sleep } from "../../base/time/clock.ts";

export interface BucketAddress {
  readonly origin: string;
  readonly region: string;
  readonly bucket: string;
  /** Prefix of the objects, without leading or trailing slashes; empty for the whole bucket. */
  readonly prefix: string;
}

/** Keys for signing requests to a bucket. */
export interface BucketCredentials {
  /** Public part of the key; it is sent with every request. */
  readonly accessKeyId: string;
  /** Secret key for signatures; never sent. */
  readonly secretAccessKey: string;
  /** Session token, sent with the requests of temporary keys. */
  readonly sessionToken?: string | undefined;
}

/** Keys, region and address of a bucket; a folder needs none of them. */
export interface OpenBucketOptions {
  /** Keys of a user with access to the objects of the bucket. */
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

export function hasScheme(address: string): boolean {
  return /^[a-z][a-z\d+]+:\/\//i.test(address);
}

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
