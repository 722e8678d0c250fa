import { createHash } from "node:crypto";
import { openAsBlob } from "node:fs";
import { tmpdir } from "node:os";
import { AwsClient } from "aws4fetch";
import { ConfigurationError } from "../../errors.ts";
import { realSleep, type Sleep } from "../../base/time/sleep.ts";
import { elements, elementText } from "../../base/text/xml_elements.ts";
import { StoreError } from "../model/store_error.ts";
import type { LakePlace, LakeText } from "./lake_place.ts";

/** A bucket and the part of it that is the lake. */
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

interface BucketOptions {
  readonly credentials: BucketCredentials;
  /** @default the runtime's */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Waits between retries. @default real time */
  readonly sleep?: Sleep | undefined;
}

const MAX_TRIES = 6;
/** Delay of the first retry, and maximum, in seconds. */
const [FIRST_DELAY, MAX_DELAY] = [0.5, 20];

interface Call {
  readonly method: "GET" | "PUT" | "DELETE";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | (() => Promise<Blob>);
  /** Statuses other than success that the caller understands. */
  readonly understood?: readonly number[];
}

/** A lake in a bucket, by the protocol of S3. Objects appear whole; the manifest is replaced on a condition. */
export function bucketPlace(
  { origin, region, bucket, prefix }: BucketAddress,
  { credentials, fetch = globalThis.fetch, sleep = realSleep }: BucketOptions,
): LakePlace {
  const { accessKeyId, secretAccessKey, sessionToken } = credentials;
  const signer = new AwsClient({
    accessKeyId,
    secretAccessKey,
    ...(sessionToken === undefined ? {} : { sessionToken }),
    service: "s3",
    region,
    retries: 0,
  });
  const address = `s3://${bucket}${prefix === "" ? "" : `/${prefix}`}`;
  const keyOf = (path: string): string => prefix === "" ? path : `${prefix}/${path}`;
  const urlOf = (key: string): string =>
    `${origin}/${bucket}/${key.split("/").map((part) => encodeURIComponent(part)).join("/")}`;

  const send = async (url: string, { method, headers, body, understood = [] }: Call): Promise<Response> => {
    for (let attempt = 1;; attempt++) {
      let problem: string;
      try {
        const content = typeof body === "function" ? await body() : body;
        const response = await fetch(
          await signer.sign(url, {
            method,
            ...(headers === undefined ? {} : { headers }),
            ...(content === undefined ? {} : { body: content }),
          }),
        );
        if (response.ok || understood.includes(response.status)) return response;
        const xml = await response.text();
        const code = elementText(xml, "Code") || `status ${response.status}`;
        problem = `${code}: ${elementText(xml, "Message") || "no reason was given"}`;
        if (response.status < 500 && response.status !== 429) {
          throw new ConfigurationError(`Cannot use ${address}: ${problem}`);
        }
      } catch (error) {
        if (error instanceof ConfigurationError) throw error;
        problem = error instanceof Error ? error.message : String(error);
      }
      if (attempt === MAX_TRIES) throw new StoreError(`Cannot reach ${address}: ${problem}`);
      await sleep(Math.min(MAX_DELAY, FIRST_DELAY * 2 ** (attempt - 1)));
    }
  };
  const put = async (path: string, call: Omit<Call, "method">): Promise<Response> => {
    const response = await send(urlOf(keyOf(path)), { method: "PUT", ...call });
    await response.body?.cancel();
    return response;
  };

  return {
    address,
    workFolder: () => Promise.resolve(tmpdir()),
    readText: async (path): Promise<LakeText | undefined> => {
      const response = await send(urlOf(keyOf(path)), { method: "GET", understood: [404] });
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
      const response = await send(urlOf(keyOf(path)), { method: "GET", understood: [404] });
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
        const response = await send(urlOf(keyOf(path)), { method: "DELETE", understood: [404] });
        await response.body?.cancel();
      }
    },
    list: async function* () {
      for (let token: string | undefined = "";;) {
        const query = new URLSearchParams({
          "list-type": "2",
          ...(prefix === "" ? {} : { prefix: `${prefix}/` }),
          ...(token === "" ? {} : { "continuation-token": token }),
        });
        const xml = await (await send(`${origin}/${bucket}?${query}`, { method: "GET" })).text();
        for (const entry of elements(xml, "Contents")) {
          yield elementText(entry, "Key").slice(prefix === "" ? 0 : prefix.length + 1);
        }
        token = elementText(xml, "NextContinuationToken");
        if (elementText(xml, "IsTruncated") !== "true" || token === "") return;
      }
    },
  };
}
