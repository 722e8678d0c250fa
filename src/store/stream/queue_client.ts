import { AwsClient } from "aws4fetch";
import { ConfigurationError, PlatformAdsError } from "../../errors.ts";
import { chunks } from "../../base/json/chunks.ts";
import { pause, realSleep, type Sleep } from "../../base/time/clock.ts";
import { elements, elementText } from "../../base/text/xml_elements.ts";
import type { QueueAddress } from "./queue_address.ts";

/** Credentials of a queue's reader. */
export interface QueueCredentials {
  /** Public part of the key; it is sent with every request. */
  readonly accessKeyId: string;
  /** Secret key for signatures; never sent. */
  readonly secretAccessKey: string;
  /** Session token, sent with the requests of temporary keys. */
  readonly sessionToken?: string | undefined;
}

interface QueueClientOptions {
  readonly address: QueueAddress;
  readonly credentials: QueueCredentials;
  readonly fetch?: typeof globalThis.fetch | undefined;
  readonly sleep?: Sleep | undefined;
}

export interface QueueMessage {
  readonly id: string;
  readonly receipt: string;
  readonly body: string;
}

/** Approximate numbers of messages in a queue. */
export interface QueueCounts {
  /** Number of messages waiting to be received. */
  readonly waiting: number;
  /** Number of messages received but not yet acknowledged. */
  readonly inFlight: number;
}

const VERSION = "2012-11-05";
const MAX_BATCH = 10;
const MAX_TRIES = 8;
const [FIRST_DELAY, MAX_DELAY] = [0.5, 20];
const TIMEOUT = 30;
const BUSY = /Throttl|OverLimit|Unavailable|InternalFailure|InternalError|RequestTimeout/i;

export class QueueClient {
  readonly #options: QueueClientOptions;
  readonly #signer: AwsClient;
  readonly #sleep: Sleep;

  constructor(options: QueueClientOptions) {
    this.#options = options;
    const { sleep = realSleep } = options;
    this.#sleep = sleep;
    const { accessKeyId, secretAccessKey, sessionToken } = options.credentials;
    this.#signer = new AwsClient({
      accessKeyId,
      secretAccessKey,
      ...(sessionToken === undefined ? {} : { sessionToken }),
      service: "sqs",
      region: options.address.region,
    });
  }

  /**
   * Receives up to ten messages.
   *
   * @param options `wait`: seconds for the first message. `visibility`: seconds until others may receive them.
   */
  async receive(
    { wait, visibility, signal }: { wait: number; visibility: number; signal?: AbortSignal | undefined },
  ): Promise<QueueMessage[]> {
    const xml = await this.#call({
      Action: "ReceiveMessage",
      MaxNumberOfMessages: String(MAX_BATCH),
      WaitTimeSeconds: String(wait),
      VisibilityTimeout: String(visibility),
    }, { signal, seconds: wait + TIMEOUT });
    return elements(xml, "Message").map((message) => ({
      id: elementText(message, "MessageId"),
      receipt: elementText(message, "ReceiptHandle"),
      body: elementText(message, "Body"),
    }));
  }

  async delete(messages: readonly QueueMessage[]): Promise<number> {
    const remaining = await Promise.all(
      Array.from(chunks(messages, MAX_BATCH), async (part) => {
        let left: readonly QueueMessage[] = part;
        for (let attempt = 1;; attempt++) {
          const failed = await this.#batch("DeleteMessageBatch", left, {});
          left = left.filter((_, index) => failed.has(index));
          if (left.length === 0 || attempt === 3) return left.length;
          await this.#sleep(FIRST_DELAY * attempt);
        }
      }),
    );
    return remaining.reduce((sum, count) => sum + count, 0);
  }

  async changeVisibility(messages: readonly QueueMessage[], seconds: number): Promise<void> {
    await Promise.all(
      Array.from(
        chunks(messages, MAX_BATCH),
        (part) => this.#batch("ChangeMessageVisibilityBatch", part, { VisibilityTimeout: String(seconds) }),
      ),
    );
  }

  async counts(signal?: AbortSignal): Promise<QueueCounts> {
    const xml = await this.#call({ Action: "GetQueueAttributes", "AttributeName.1": "All" }, { signal });
    const values = new Map(
      elements(xml, "Attribute").map((
        each,
      ) => [elementText(each, "Name"), Number(elementText(each, "Value"))]),
    );
    return {
      waiting: (values.get("ApproximateNumberOfMessages") ?? 0) +
        (values.get("ApproximateNumberOfMessagesDelayed") ?? 0),
      inFlight: values.get("ApproximateNumberOfMessagesNotVisible") ?? 0,
    };
  }

  async #batch(
    action: string,
    messages: readonly QueueMessage[],
    fields: Readonly<Record<string, string>>,
  ): Promise<ReadonlySet<number>> {
    const entries = messages.flatMap(({ receipt }, index) => {
      const name = `${action}RequestEntry.${index + 1}`;
      return [
        [`${name}.Id`, String(index)],
        [`${name}.ReceiptHandle`, receipt],
        ...Object.entries(fields).map(([field, value]) => [`${name}.${field}`, value]),
      ];
    });
    const xml = await this.#call({ Action: action, ...Object.fromEntries(entries) }, {});
    return new Set(elements(xml, "BatchResultErrorEntry").map((entry) => Number(elementText(entry, "Id"))));
  }

  async #call(
    fields: Readonly<Record<string, string>>,
    { signal, seconds = TIMEOUT }: { signal?: AbortSignal | undefined; seconds?: number },
  ): Promise<string> {
    for (let attempt = 1;; attempt++) {
      const failure = await this.#send(fields, { signal, seconds });
      if (typeof failure === "string") return failure;
      signal?.throwIfAborted();
      if (!failure.passes || attempt === MAX_TRIES) throw failure.error;
      await this.#sleep(Math.min(MAX_DELAY, FIRST_DELAY * 2 ** (attempt - 1)), signal);
    }
  }

  async #send(
    fields: Readonly<Record<string, string>>,
    { signal, seconds }: { signal: AbortSignal | undefined; seconds: number },
  ): Promise<string | { error: Error; passes: boolean }> {
    const { address: { url }, fetch = globalThis.fetch } = this.#options;
    const request = await this.#signer.sign(url, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ ...fields, Version: VERSION }).toString(),
    });
    const limit = AbortSignal.timeout(seconds * 1000);
    let status: number;
    let xml: string;
    try {
      const response = await fetch(request, {
        signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      });
      status = response.status;
      xml = await response.text();
    } catch (cause) {
      const message = `Cannot reach queue ${url}: ${cause instanceof Error ? cause.message : String(cause)}`;
      return { error: new PlatformAdsError(message, { cause }), passes: true };
    }
    if (status === 200) return xml;
    const code = elementText(xml, "Code") || `status ${status}`;
    const message = `Cannot use queue ${url}: ${code}: ${
      elementText(xml, "Message") || "no reason was given"
    }`;
    const passes = status >= 500 || status === 429 || BUSY.test(code);
    return { error: passes ? new PlatformAdsError(message) : new ConfigurationError(message), passes };
  }

  async pause(seconds: number, signal?: AbortSignal): Promise<void> {
    await pause(seconds, { signal, sleep: this.#sleep });
  }
}
