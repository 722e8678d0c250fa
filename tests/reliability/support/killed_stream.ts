import { MessageQueue } from "../../../src/emulator/families/streams/message_queue.ts";
import type { StreamMessage } from "../../../src/store/stream/read_message.ts";
import type { StreamSource } from "../../../src/store/stream/stream_source.ts";
import type { StreamBatch, StreamTables, StreamWritten } from "../../../src/store/model/stream_tables.ts";
import type { SeededRandom } from "../../support/seeded_random.ts";

/** The consumer was killed. */
export class Killed extends Error {}

/** Seconds for which received messages are kept from others. */
const VISIBILITY = 30;

/**
 * A queue in virtual time that loses responses and consumers: messages come twice, late, in any order, and again when they
 * were not deleted in time.
 */
export class UnreliableQueue {
  /** The time, in milliseconds since the epoch. */
  now = Date.parse("2026-11-01T00:00:00Z");
  readonly #queue: MessageQueue;
  readonly #random: SeededRandom;
  /** How likely a consumer is killed at each step. */
  killing = 0;

  /** @param seed Equal seeds deliver alike. */
  constructor(seed: string, random: SeededRandom) {
    this.#queue = new MessageQueue(seed);
    this.#random = random;
  }

  /** Puts messages on it. */
  send(bodies: readonly string[]): void {
    for (const body of bodies) {
      this.#queue.send(body, this.now, {
        queueDuplicates: 0.15,
        queueDelaySeconds: this.#random.pick([0, 5, 600]),
      });
    }
  }

  /** True when every message was deleted. */
  get isEmpty(): boolean {
    return this.#queue.isEmpty;
  }

  /** Its messages, until there is none to receive now. */
  source(): StreamSource {
    return { name: "queue", deliveries: () => this.#deliveries() };
  }

  /** A store whose transactions are killed before they begin, within, or after their commit. */
  killed(stream: StreamTables): { stream: StreamTables } {
    const write = async (batch: StreamBatch): Promise<StreamWritten> => {
      this.#maybeKill();
      if (this.#isKilled()) return await stream.write(brokenOff(batch, this.#random));
      const written = await stream.write(batch);
      this.#maybeKill();
      return written;
    };
    return {
      stream: {
        write,
        putHours: (hours) => stream.putHours(hours),
        accounts: () => stream.accounts(),
        putAccounts: (accounts) => stream.putAccounts(accounts),
        objects: (addresses) => stream.objects(addresses),
        forgetObjects: (range, there) => stream.forgetObjects(range, there),
        confirmations: () => stream.confirmations(),
        confirm: (url, at) => stream.confirm(url, at),
      },
    };
  }

  async *#deliveries(): ReturnType<StreamSource["deliveries"]> {
    for (;;) {
      this.#maybeKill();
      const messages = this.#queue.receive(this.now, {
        max: this.#random.integer(1, 10),
        visibility: VISIBILITY,
      });
      this.#maybeKill();
      if (messages.length === 0) return;
      this.now += this.#random.integer(0, 8000);
      yield {
        messages: messages.map(({ messageId, body }): StreamMessage => ({ id: messageId, body })),
        acknowledge: () => {
          let left = 0;
          for (const { receiptHandle } of messages) {
            this.#maybeKill();
            // The queue does not delete every message of a batch.
            if (this.#random.next() < 0.05) left++;
            else this.#queue.delete(receiptHandle);
          }
          return Promise.resolve(left);
        },
        end: () => {},
      };
    }
  }

  #isKilled(): boolean {
    return this.#random.next() < this.killing;
  }

  #maybeKill(): void {
    if (this.#isKilled()) throw new Killed("killed");
  }
}

/** The batch, of which some record cannot be written: what was written before it is taken back. */
function brokenOff(batch: StreamBatch, random: SeededRandom): StreamBatch {
  const records = batch.records.map(({ layout, rows }) => {
    const broken = [...rows];
    const place = random.integer(0, rows.length);
    return {
      layout,
      rows: Object.assign(broken, {
        *[Symbol.iterator]() {
          yield* rows.slice(0, place);
          throw new Killed("killed within the transaction");
        },
      }),
    };
  });
  return { ...batch, records };
}
