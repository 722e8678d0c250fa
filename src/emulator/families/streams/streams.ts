import type { Clock } from "../../core/clock.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Quirks } from "../../core/quirks.ts";
import { MessageQueue, uuid } from "./message_queue.ts";
import { decimalsOf } from "../../core/marketplaces.ts";
import type { EmulatorState } from "../../state/emulator_state.ts";
import type { ProfileState } from "../../state/profile_state.ts";
import { HourlyTraffic } from "./hourly_traffic.ts";
import { PUBLISHED, streamRecords } from "./stream_records.ts";
import { DeliveredObjects } from "./delivered_objects.ts";
import {
  activeSince,
  asSubscription,
  type Subscription,
  SUBSCRIPTIONS,
  subscriptionStatus,
} from "./subscription.ts";

const HOUR = 3_600_000;
const RETENTION = 4 * 24 * HOUR;
const ARN = /^arn:[a-z-]+:sqs:[a-z0-9-]+:(\d{12}):([A-Za-z0-9_-]{1,80})$/;

interface Placed {
  readonly profile: ProfileState;
  readonly subscription: Subscription;
}

/**
 * Publishes each complete hour to confirmed queues and to buckets of delivery streams. Both are in memory; after a
 * restart, undeleted queue messages and the last four days of delivery streams are published again under the same ids.
 */
export class Streams {
  readonly #parts: { state: EmulatorState; clock: Clock; quirks: Quirks; url: string };
  readonly #queues = new Map<string, MessageQueue>();
  readonly #traffic = new Map<string, HourlyTraffic>();
  readonly #asked = new Set<string>();
  readonly objects = new DeliveredObjects();

  constructor(parts: { state: EmulatorState; clock: Clock; quirks: Quirks; url: string }) {
    this.#parts = parts;
  }

  queue(account: string, name: string): MessageQueue {
    const key = `${account}/${name}`;
    let queue = this.#queues.get(key);
    if (queue === undefined) {
      this.#queues.set(key, queue = new MessageQueue(`${this.#parts.state.seed} ${key}`));
    }
    return queue;
  }

  forget(): void {
    this.#queues.clear();
    this.#traffic.clear();
    this.#asked.clear();
    this.objects.clear();
  }

  confirm(token: string): string | undefined {
    const now = this.#parts.clock.now();
    const found = this.#subscriptions().find(({ subscription }) => subscription.confirmationToken === token);
    if (found === undefined) return undefined;
    const { profile, subscription } = found;
    const status = subscriptionStatus(subscription, now);
    if (status === "PENDING_CONFIRMATION") {
      keep(profile, { ...subscription, confirmedAt: now, updatedAt: now });
    } else if (status !== "ACTIVE") return undefined;
    return `${topicOf(subscription)}:${subscription.subscriptionId}`;
  }

  publish(): void {
    const { clock, quirks } = this.#parts;
    const now = clock.now();
    for (const { profile, subscription } of this.#subscriptions()) {
      const status = subscriptionStatus(subscription, now);
      const { deliveryStream } = subscription;
      if (deliveryStream !== undefined && status === "ACTIVE") {
        const name = deliveryStream.deliveryStreamArn.replace(/^.*\//, "");
        for (const [hour, records] of this.#hours(profile, subscription)) {
          this.objects.deliver(name, records, { hour, at: clock.now(), quirks });
        }
      }
      const queue = this.#queueOf(subscription);
      if (queue === undefined) continue;
      if (status === "PENDING_CONFIRMATION") this.#askForConfirmation(queue, subscription);
      if (status !== "ACTIVE") continue;
      for (const [hour, records] of this.#hours(profile, subscription)) {
        for (const record of records) {
          queue.send(notification(subscription, record, hour), clock.now(), quirks);
        }
      }
    }
  }

  noteDrained(): void {
    for (const { profile, subscription } of this.#subscriptions()) {
      const reached = this.#traffic.get(subscription.subscriptionId)?.reached;
      if (reached === undefined || !this.#queueOf(subscription)?.isEmpty) continue;
      if (subscription.drainedThrough !== reached) {
        keep(profile, { ...subscription, drainedThrough: reached });
      }
    }
  }

  *#hours(
    profile: ProfileState,
    subscription: Subscription,
  ): Generator<readonly [hour: number, records: readonly string[]]> {
    const { clock, state } = this.#parts;
    const { subscriptionId, dataSetId, drainedThrough } = subscription;
    const dataset = PUBLISHED[dataSetId];
    if (dataset === undefined) return;
    const now = Math.floor(clock.now() / HOUR) * HOUR;
    const from = Math.floor((activeSince(subscription) ?? 0) / HOUR) * HOUR;
    let traffic = this.#traffic.get(subscriptionId);
    if (traffic === undefined || traffic.reached > now) {
      const reached = Math.max(drainedThrough ?? from, now - RETENTION);
      traffic = new HourlyTraffic(profile, { family: dataset.family, seed: state.seed, from, reached });
      this.#traffic.set(subscriptionId, traffic);
    }
    traffic.forgetEntities();
    const unit = 10 ** decimalsOf(profile.record.countryCode);
    for (let to = traffic.reached + HOUR; to <= now; to += HOUR) {
      const records = streamRecords(traffic.advance(to), {
        dataset: dataSetId,
        profile: profile.record,
        unit,
        publication: `${subscriptionId} ${to}`,
      });
      yield [to, records.map((record) => JSON.stringify(record))];
    }
  }

  #askForConfirmation(queue: MessageQueue, subscription: Subscription): void {
    if (this.#asked.has(subscription.subscriptionId)) return;
    this.#asked.add(subscription.subscriptionId);
    const { clock, quirks, url } = this.#parts;
    const topic = topicOf(subscription);
    const { confirmationToken: token, createdAt } = subscription;
    const message = {
      Type: "SubscriptionConfirmation",
      MessageId: uuid(`confirm ${token}`),
      Token: token,
      TopicArn: topic,
      Message: `You have chosen to subscribe to the topic ${topic}. To confirm the subscription, visit the ` +
        "SubscribeURL included in this message.",
      SubscribeURL: `${url}/queue/confirm?Action=ConfirmSubscription&TopicArn=${
        encodeURIComponent(topic)
      }&Token=${token}`,
      Timestamp: new Date(createdAt).toISOString(),
    };
    queue.send(JSON.stringify(message), clock.now(), quirks);
  }

  #queueOf({ queueArn }: Subscription): MessageQueue | undefined {
    const [, account, name] = ARN.exec(queueArn ?? "") ?? [];
    return account === undefined || name === undefined ? undefined : this.queue(account, name);
  }

  /** Only changed profiles, because generating the others would take seconds. */
  #subscriptions(): Placed[] {
    return this.#parts.state.profiles().filter((profile) => profile.isLoaded).flatMap((profile) =>
      profile.collection(SUBSCRIPTIONS).all().map((entity) => ({
        profile,
        subscription: asSubscription(entity),
      }))
    );
  }
}

function notification(subscription: Subscription, message: string, time: number): string {
  return JSON.stringify({
    Type: "Notification",
    MessageId: uuid(`message ${subscription.subscriptionId} ${message}`),
    TopicArn: topicOf(subscription),
    Message: message,
    Timestamp: new Date(time).toISOString(),
  });
}

function topicOf({ dataSetId, queueArn = "" }: Subscription): string {
  const [, partition, , region, account] = queueArn.split(":");
  return `arn:${partition}:sns:${region}:${account}:${dataSetId}`;
}

function keep(profile: ProfileState, subscription: Subscription): void {
  profile.collection(SUBSCRIPTIONS).replace(subscription as unknown as JsonObject);
}
