import type { Clock } from "../../core/clock.ts";
import type { JsonObject } from "../../core/json.ts";
import { decimalsOf } from "../../core/marketplaces.ts";
import type { Quirks } from "../../core/quirks.ts";
import type { EmulatorState } from "../../state/emulator_state.ts";
import type { ProfileRecord } from "../../state/profile_record.ts";
import type { ProfileState } from "../../state/profile_state.ts";
import { type Order, PLACEMENTS } from "../../traffic/clause_day.ts";
import type { Family } from "../../traffic/read_campaigns.ts";
import { DeliveredObjects } from "./delivered_objects.ts";
import { type HourChange, HourlyTraffic, type HourPlace } from "./hourly_traffic.ts";
import { MessageQueue, uuid } from "./message_queue.ts";
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

interface PublishedDataset {
  readonly family: Family;
  readonly isConversion: boolean;
  readonly subject: (place: HourPlace) => JsonObject;
}

const PRODUCTS_WINDOWS = [1, 7, 14, 30];

const KEYWORD = ({ campaign, adGroup, ad, clause, placement }: HourPlace): JsonObject => ({
  campaign_id: campaign.id,
  ad_group_id: adGroup.id,
  ad_id: ad?.id ?? "",
  keyword_id: clause.id,
  placement: PLACEMENTS[placement] ?? PLACEMENTS[0],
});

const BRANDS = ({ campaign, adGroup, ad, clause, placement }: HourPlace): JsonObject => ({
  campaign_id: campaign.id,
  ad_group_id: adGroup.id,
  ad_id: ad?.id ?? "",
  keyword_id: clause.id,
  keyword_text: clause.text,
  keyword_type: clause.type,
  placement_type: PLACEMENTS[placement] ?? PLACEMENTS[0],
});

const PUBLISHED: Readonly<Record<string, PublishedDataset>> = {
  "sp-traffic": {
    family: "sp",
    isConversion: false,
    subject: (place) => ({
      ...KEYWORD(place),
      keyword_text: place.clause.text,
      match_type: place.clause.type,
    }),
  },
  "sp-conversion": { family: "sp", isConversion: true, subject: KEYWORD },
  "sb-traffic": { family: "sb", isConversion: false, subject: BRANDS },
  "sb-conversion": { family: "sb", isConversion: true, subject: BRANDS },
  "sd-traffic": {
    family: "sd",
    isConversion: false,
    subject: ({ campaign, adGroup, ad, clause }) => ({
      campaign_id: campaign.id,
      ad_group_id: adGroup.id,
      ad_id: ad?.id ?? "",
      target_id: clause.id,
      targeting_text: clause.text,
    }),
  },
};

interface RecordSource {
  readonly dataset: string;
  readonly profile: ProfileRecord;
  readonly unit: number;
  readonly publication: string;
}

function streamRecords(changes: Iterable<HourChange>, source: RecordSource): JsonObject[] {
  const { dataset, profile, unit, publication } = source;
  const { family, isConversion, subject } = PUBLISHED[dataset]!;
  const rows = new Map<string, { about: JsonObject; hour: number; sums: Record<string, number> }>();
  for (const change of changes) {
    if ((change.kind === "order") !== isConversion) continue;
    const about = subject(change);
    const key = `${change.hour} ${JSON.stringify(about)}`;
    let row = rows.get(key);
    if (row === undefined) rows.set(key, row = { about, hour: change.hour, sums: {} });
    for (const [name, value] of figures(change, family)) row.sums[name] = (row.sums[name] ?? 0) + value;
  }
  return [...rows].flatMap(([key, { about, hour, sums }]) => {
    if (Object.values(sums).every((sum) => sum === 0)) return [];
    const amounts = Object.entries(sums).map(([name, sum]) => [name, isAmount(name) ? sum / unit : sum]);
    return [{
      idempotency_id: uuid(`${profile.profileId} ${dataset} ${publication} ${key}`),
      dataset_id: dataset,
      marketplace_id: profile.accountInfo.marketplaceStringId,
      currency: profile.currencyCode,
      advertiser_id: profile.accountInfo.id,
      ...about,
      time_window_start: new Date(hour).toISOString().replace(".000Z", "Z"),
      ...Object.fromEntries(amounts),
    }];
  });
}

/** Amounts are in the currency's smallest unit. */
function figures(change: HourChange, family: Family): [string, number][] {
  if (change.kind === "impressions") {
    return [["clicks", 0], ["impressions", change.count], ["cost", 0], ...viewed(family, change.count)];
  }
  const { click, sign } = change;
  if (change.kind === "click") {
    return [["clicks", sign], ["impressions", sign], ["cost", sign * click.cost], ...viewed(family, sign)];
  }
  const { order } = click;
  if (order === undefined) return [];
  return (family === "sp" ? productsPurchase(order) : brandsPurchase(order)).map(([name, value]) => [
    name,
    sign * value,
  ]);
}

function viewed(family: Family, count: number): [string, number][] {
  if (family === "sp") return [];
  return [[family === "sb" ? "viewable_impressions" : "view_impressions", count]];
}

function productsPurchase({ lag, units, sales, promoted }: Order): [string, number][] {
  return PRODUCTS_WINDOWS.flatMap((days): [string, number][] => {
    const isIn = lag <= days ? 1 : 0;
    const isSame = isIn === 1 && promoted ? 1 : 0;
    return [
      [`attributed_conversions_${days}d`, isIn],
      [`attributed_conversions_${days}d_same_sku`, isSame],
      [`attributed_sales_${days}d`, isIn * sales],
      [`attributed_sales_${days}d_same_sku`, isSame * sales],
      [`attributed_units_ordered_${days}d`, isIn * units],
      [`attributed_units_ordered_${days}d_same_sku`, isSame * units],
    ];
  });
}

function brandsPurchase({ units, sales, promoted, newToBrand }: Order): [string, number][] {
  const [same, fresh] = [promoted ? 1 : 0, newToBrand ? 1 : 0];
  return [
    ["attributed_conversions_14d", 1],
    ["attributed_conversions_14d_same_sku", same],
    ["attributed_orders_new_to_brand_14d", fresh],
    ["attributed_sales_14d", sales],
    ["attributed_sales_14d_same_sku", same * sales],
    ["attributed_sales_new_to_brand_14d", fresh * sales],
    ["attributed_units_ordered_14d", units],
    ["attributed_units_ordered_new_to_brand_14d", fresh * units],
  ];
}

function isAmount(name: string): boolean {
  return name === "cost" || name.includes("_sales_");
}
