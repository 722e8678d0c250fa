import { AwsClient } from "aws4fetch";
import { ConfigurationError } from "../../errors.ts";
import { realSleep, type Sleep } from "../../base/time/clock.ts";
import { elements, elementText } from "../../base/text/xml_elements.ts";
import { StoreError } from "../model/store_error.ts";
import type { BucketAddress, BucketCredentials } from "./bucket_address.ts";

interface BucketOptions {
  readonly credentials: BucketCredentials;
  readonly fetch?: typeof globalThis.fetch | undefined;
  readonly sleep?: Sleep | undefined;
}

export interface BucketObject {
  readonly path: string;
  readonly version: string;
  readonly bytes: number;
  readonly modified: number;
}

export interface BucketCall {
  readonly method: "GET" | "PUT" | "DELETE";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | (() => Promise<Blob>);
  readonly understood?: readonly number[];
  readonly understoodCodes?: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

const MAX_TRIES = 6;
const [FIRST_DELAY, MAX_DELAY] = [0.5, 20];

export class BucketClient {
  readonly name: string;
  readonly #address: BucketAddress;
  readonly #signer: AwsClient;
  readonly #fetch: typeof globalThis.fetch;
  readonly #sleep: Sleep;

  constructor(address: BucketAddress, options: BucketOptions) {
    const { credentials, fetch = globalThis.fetch, sleep = realSleep } = options;
    const { accessKeyId, secretAccessKey, sessionToken } = credentials;
    this.#address = address;
    this.#fetch = fetch;
    this.#sleep = sleep;
    this.name = `s3://${address.bucket}${address.prefix === "" ? "" : `/${address.prefix}`}`;
    this.#signer = new AwsClient({
      accessKeyId,
      secretAccessKey,
      ...(sessionToken === undefined ? {} : { sessionToken }),
      service: "s3",
      region: address.region,
      retries: 0,
    });
  }

  call(path: string, call: BucketCall): Promise<Response> {
    const { origin, bucket, prefix } = this.#address;
    const key = prefix === "" ? path : `${prefix}/${path}`;
    const parts = key.split("/").map((part) => encodeURIComponent(part));
    return this.#send(`${origin}/${bucket}/${parts.join("/")}`, call);
  }

  async *list(signal?: AbortSignal): AsyncGenerator<BucketObject[]> {
    const { origin, bucket, prefix } = this.#address;
    for (let token = "";;) {
      const query = new URLSearchParams({
        "list-type": "2",
        ...(prefix === "" ? {} : { prefix: `${prefix}/` }),
        ...(token === "" ? {} : { "continuation-token": token }),
      });
      const xml = await (await this.#send(`${origin}/${bucket}?${query}`, { method: "GET", signal })).text();
      yield elements(xml, "Contents").map((entry) => ({
        path: elementText(entry, "Key").slice(prefix === "" ? 0 : prefix.length + 1),
        version: elementText(entry, "ETag"),
        bytes: Number(elementText(entry, "Size")),
        modified: Date.parse(elementText(entry, "LastModified")),
      }));
      token = elementText(xml, "NextContinuationToken");
      if (elementText(xml, "IsTruncated") !== "true" || token === "") return;
    }
  }

  async #send(
    url: string,
    { method, headers, body, understood = [], understoodCodes = [], signal }: BucketCall,
  ): Promise<Response> {
    for (let attempt = 1;; attempt++) {
      let problem: string;
      try {
        const content = typeof body === "function" ? await body() : body;
        const response = await this.#fetch(
          await this.#signer.sign(url, {
            method,
            ...(headers === undefined ? {} : { headers }),
            ...(content === undefined ? {} : { body: content }),
          }),
          signal === undefined ? {} : { signal },
        );
        if (response.ok || understood.includes(response.status)) return response;
        const xml = await response.text();
        const code = elementText(xml, "Code") || `status ${response.status}`;
        if (understoodCodes.includes(code)) return new Response(xml, { status: response.status });
        problem = `${code}: ${elementText(xml, "Message") || "no reason was given"}`;
        if (response.status < 500 && response.status !== 429) {
          throw new ConfigurationError(`Cannot use ${this.name}: ${problem}`);
        }
      } catch (error) {
        if (error instanceof ConfigurationError) throw error;
        signal?.throwIfAborted();
        problem = error instanceof Error ? error.message : String(error);
      }
      if (attempt === MAX_TRIES) throw new StoreError(`Cannot reach ${this.name}: ${problem}`);
      await this.#sleep(Math.min(MAX_DELAY, FIRST_DELAY * 2 ** (attempt - 1)), signal);
    }
  }
}
