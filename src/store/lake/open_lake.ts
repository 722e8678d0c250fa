import { ConfigurationError } from "../../errors.ts";
import { withPackages } from "../model/optional_packages.ts";
import { bucketAddress, hasScheme, type OpenBucketOptions } from "../stream/bucket_address.ts";
import { folderPlace } from "./folder_place.ts";
import type { LakePlace } from "./lake_place.ts";

/**
 * The lake at an address. Nothing is read or written yet.
 *
 * @param address Path of a folder, or `s3://BUCKET/PREFIX`.
 * @param options For a bucket, with keys that may read, write and delete its objects.
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
export async function openLake(address: string, options: OpenBucketOptions = {}): Promise<LakePlace> {
  if (address.trim() === "") throw new ConfigurationError("Cannot open a lake: its path is empty");
  if (!hasScheme(address)) return folderPlace(address);
  const bucket = bucketAddress(address, options, {
    use: "open a lake",
    may: "read, write and delete its objects",
  });
  const [{ BucketClient }, { bucketPlace }] = await withPackages(
    "a lake in a bucket",
    "aws4fetch",
    () => Promise.all([import("../stream/bucket_client.ts"), import("./bucket_place.ts")]),
  );
  const { fetch, sleep } = options;
  return bucketPlace(new BucketClient(bucket.address, { credentials: bucket.credentials, fetch, sleep }));
}
