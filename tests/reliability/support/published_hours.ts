import { AwsClient } from "aws4fetch";
import type { Emulator } from "../../../src/emulator/mod.ts";
import type { Warehouse } from "../../../src/store/mod.ts";

/** A record of the stream as the emulator sends it. */
type PublishedRecord = Readonly<Record<string, string | number>>;

/** Figures of an hour of a dataset, by their names. */
export type Hours = Map<string, Record<string, number>>;

/** Receives from the emulator's queue without the code that is tested. */
export class PublishedHours {
  readonly #emulator: Emulator;
  readonly #signer: AwsClient;
  readonly #records = new Map<string, PublishedRecord>();

  /** @param emulator Its queue is called "hourly". */
  constructor(emulator: Emulator) {
    const { accessKeyId, secretAccessKey } = emulator.queue();
    this.#emulator = emulator;
    this.#signer = new AwsClient({
      accessKeyId,
      secretAccessKey,
      service: "sqs",
      region: "us-east-1",
      retries: 0,
    });
  }

  /** How many records were looked at so far. */
  get count(): number {
    return this.#records.size;
  }

  /**
   * Looks at everything that can be received, leaves it there, and visits the addresses that confirm a subscription.
   *
   * @param pass Lets the time pass for which what was looked at is kept from others.
   */
  async look(
    pass = (seconds: number): Promise<void> => Promise.resolve(this.#emulator.advance(seconds)),
  ): Promise<void> {
    for (;;) {
      const { Messages: messages = [] } = await this.#call("ReceiveMessage", {
        MaxNumberOfMessages: 10,
        VisibilityTimeout: 30,
      });
      if (messages.length === 0) break;
      for (const { Body: body, ReceiptHandle: receipt } of messages) {
        const { Type: type, Message: message, SubscribeURL: url } = JSON.parse(body);
        if (type === "SubscriptionConfirmation") {
          await (await this.#emulator.fetch(url)).body?.cancel();
          await this.#call("DeleteMessage", { ReceiptHandle: receipt });
        } else {
          const record = JSON.parse(message) as PublishedRecord;
          this.#records.set(String(record["idempotency_id"]), record);
        }
      }
    }
    await pass(31);
  }

  /** What the hours of a dataset come to. */
  hours(dataset: string, figures: readonly string[]): Hours {
    const hours: Hours = new Map();
    for (const record of this.#records.values()) {
      if (record["dataset_id"] !== dataset) continue;
      const hour = new Date(String(record["time_window_start"])).toISOString();
      const sums = hours.get(hour) ?? Object.fromEntries(figures.map((name) => [name, 0]));
      for (const name of figures) sums[name] = cents((sums[name] ?? 0) + Number(record[name] ?? 0));
      hours.set(hour, sums);
    }
    return new Map([...hours].sort(([a], [b]) => a < b ? -1 : 1));
  }

  async #call(
    action: string,
    fields: Readonly<Record<string, unknown>>,
  ): Promise<{ Messages?: { Body: string; ReceiptHandle: string }[] }> {
    const { url } = this.#emulator.queue();
    const request = await this.#signer.sign(url, {
      method: "POST",
      headers: { "content-type": "application/x-amz-json-1.0", "x-amz-target": `Queue.${action}` },
      body: JSON.stringify({ QueueUrl: url, ...fields }),
    });
    return await (await this.#emulator.fetch(request)).json();
  }
}

/** What the store has of the hours of a dataset. */
export async function storedHours(
  store: Warehouse,
  dataset: string,
  figures: readonly string[],
): Promise<Hours> {
  const { rows } = await store.query(
    `SELECT starts_at, ${figures.map((name) => `sum(${name}) AS ${name}`).join(", ")}
     FROM ${dataset.replace("-", "_")}_hourly GROUP BY starts_at ORDER BY starts_at`,
    [],
    { maxRows: Infinity },
  );
  return new Map(rows.map((row) => [
    new Date(String(row["starts_at"])).toISOString(),
    Object.fromEntries(figures.map((name) => [name, cents(Number(row[name]))])),
  ]));
}

/** An amount without what sums of fractions leave behind. */
function cents(amount: number): number {
  return Math.round(amount * 100) / 100;
}
