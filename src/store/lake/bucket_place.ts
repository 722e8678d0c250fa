import { createHash } from "node:crypto";
import { openAsBlob } from "node:fs";
import { tmpdir } from "node:os";
import { StoreError } from "../model/store_error.ts";
import type { BucketCall, BucketClient } from "../stream/bucket_client.ts";
import type { LakePlace, LakeText } from "./lake_place.ts";

export function bucketPlace(bucket: BucketClient): LakePlace {
  const address = bucket.name;
  const put = async (path: string, call: Omit<BucketCall, "method">): Promise<Response> => {
    const response = await bucket.call(path, { method: "PUT", ...call });
    await response.body?.cancel();
    return response;
  };

  return {
    address,
    workFolder: () => Promise.resolve(tmpdir()),
    readText: async (path): Promise<LakeText | undefined> => {
      const response = await bucket.call(path, { method: "GET", understood: [404] });
      const text = await response.text();
      if (response.status === 404) return undefined;
      const version = response.headers.get("etag");
      if (version === null) throw new StoreError(`Cannot use ${address}: it gives ${path} no ETag`);
      return { text, version };
    },
    writeText: async (path, text) => void await put(path, { body: text }),
    replaceText: async (path, text, version) => {
      const headers = version === undefined ? { "if-none-match": "*" } : { "if-match": version };
      // 412: another version; 409: another one is being written; 404: it was removed meanwhile.
      return (await put(path, { body: text, headers, understood: [404, 409, 412] })).ok;
    },
    put: async (path, file) => void await put(path, { body: () => openAsBlob(file.path) }),
    measure: async (path) => {
      const response = await bucket.call(path, { method: "GET", understood: [404] });
      if (response.status === 404) {
        await response.body?.cancel();
        return undefined;
      }
      const hash = createHash("sha256");
      let bytes = 0;
      for await (const part of response.body ?? []) {
        hash.update(part);
        bytes += part.length;
      }
      return { bytes, sha256: hash.digest("hex") };
    },
    remove: async (paths) => {
      for (const path of paths) {
        const response = await bucket.call(path, { method: "DELETE", understood: [404] });
        await response.body?.cancel();
      }
    },
    list: async function* () {
      for await (const page of bucket.list()) yield* page.map(({ path }) => path);
    },
  };
}
