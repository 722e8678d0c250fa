import { createHash } from "node:crypto";
import { Random } from "../../core/random.ts";

interface DeliveryQuirks {
  /** From 0 to 1. */
  readonly queueDuplicates: number;
  readonly queueDelaySeconds: number;
}

interface ReceivedMessage {
  readonly messageId: string;
  readonly receiptHandle: string;
  readonly body: string;
  readonly receiveCount: number;
  readonly sentAt: number;
}

interface Held {
  readonly messageId: string;
  readonly body: string;
  readonly sentAt: number;
  visibleAt: number;
  receiveCount: number;
}

const DAY = 86_400_000;
const RETENTION = 4 * DAY;

/** Standard queue: at-least-once delivery in any order; undeleted messages return after their visibility timeout. */
export class MessageQueue {
  readonly #messages = new Map<string, Held>();
  readonly #random: Random;
  #sent = 0;

  constructor(seed: string) {
    this.#random = new Random(`queue ${seed}`);
  }

  send(body: string, now: number, { queueDuplicates, queueDelaySeconds }: DeliveryQuirks): void {
    const copies = this.#random.chance(queueDuplicates) ? 2 : 1;
    for (let copy = 0; copy < copies; copy++) {
      const messageId = uuid(`${this.#sent++} ${body}`);
      const visibleAt = now + this.#random.next() * queueDelaySeconds * 1000;
      this.#messages.set(messageId, { messageId, body, sentAt: now, visibleAt, receiveCount: 0 });
    }
  }

  receive(now: number, { max, visibility }: { max: number; visibility: number }): ReceivedMessage[] {
    const found: Held[] = [];
    for (const message of this.#messages.values()) {
      if (now - message.sentAt > RETENTION) this.#messages.delete(message.messageId);
      else if (message.visibleAt <= now) found.push(message);
      // Enough to choose from: a standard queue promises no order, and nearly keeps it.
      if (found.length >= 5 * max) break;
    }
    return this.#random.shuffled(found).slice(0, max).map((message) => {
      message.receiveCount++;
      message.visibleAt = now + visibility * 1000;
      const { messageId, body, receiveCount, sentAt } = message;
      return { messageId, receiptHandle: `${messageId}#${receiveCount}`, body, receiveCount, sentAt };
    });
  }

  /** Also true if the message was already deleted; false for an unknown receipt. */
  delete(receiptHandle: string): boolean {
    const messageId = messageOf(receiptHandle);
    if (messageId !== undefined) this.#messages.delete(messageId);
    return messageId !== undefined;
  }

  changeVisibility(receiptHandle: string, now: number, seconds: number): boolean {
    const message = this.#messages.get(messageOf(receiptHandle) ?? "");
    if (message === undefined || message.visibleAt <= now || message.receiveCount === 0) return false;
    message.visibleAt = now + seconds * 1000;
    return true;
  }

  counts(now: number): { visible: number; inFlight: number; delayed: number } {
    let [visible, inFlight, delayed] = [0, 0, 0];
    for (const { visibleAt, receiveCount } of this.#messages.values()) {
      if (visibleAt <= now) visible++;
      else if (receiveCount > 0) inFlight++;
      else delayed++;
    }
    return { visible, inFlight, delayed };
  }

  get isEmpty(): boolean {
    return this.#messages.size === 0;
  }
}

export function uuid(text: string): string {
  const digits = createHash("sha256").update(text).digest("hex");
  return [[0, 8], [8, 12], [12, 16], [16, 20], [20, 32]].map(([from, to]) => digits.slice(from, to)).join(
    "-",
  );
}

function messageOf(receiptHandle: string): string | undefined {
  return /^([0-9a-f-]{36})#\d+$/.exec(receiptHandle)?.[1];
}
