import { fieldsOf } from "../../base/json/fields_of.ts";
import { idKey } from "../../base/json/id_of.ts";
import type { Region } from "../../base/markets/markets.ts";
import { nearest } from "../../base/text/nearest.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import { ConfigurationError } from "../../errors.ts";
import { ChangePlan } from "../../plans/change_plan/change_plan.ts";
import { PageTokens } from "../../platform/transport/page_tokens.ts";
import { DATASET_LAYOUTS } from "../model/dataset_layout.ts";

/** A delivery stream (Firehose), and the roles that subscriptions to it need. */
export interface DeliveryStream {
  /** ARN of the delivery stream: `arn:aws:firehose:REGION:ACCOUNT:deliverystream/NAME`. */
  readonly deliveryStreamArn: string;
  /** ARN of the role that puts messages into the delivery stream. */
  readonly subscriptionRoleArn: string;
  /** ARN of the role with which the platform subscribes the delivery stream and passes on the other role. */
  readonly subscriberRoleArn: string;
}

const STREAM = /^arn:([a-z-]+):firehose:([a-z0-9-]+):(\d{12}):deliverystream\/[A-Za-z0-9_.-]{1,64}$/;
const ROLE = /^arn:([a-z-]+):iam::(\d{12}):role\/[\w+=,.@/-]{1,200}$/;
const MAX_LENGTH = 255;

const HOMES: Readonly<Record<Region, string>> = { NA: "us-east-1", EU: "eu-west-1", FE: "us-west-2" };

function checkDeliveryStream(stream: DeliveryStream, region: Region): void {
  const { deliveryStreamArn, subscriptionRoleArn, subscriberRoleArn } = stream;
  const problems: string[] = [];
  const [, , home, account] = STREAM.exec(deliveryStreamArn) ?? [];
  if (home === undefined) {
    problems.push(
      `the delivery stream "${deliveryStreamArn}" is not an ARN such as ` +
        "arn:aws:firehose:us-east-1:123456789012:deliverystream/hourly",
    );
  } else if (home !== HOMES[region]) {
    problems.push(`the delivery stream is in ${home}, and profiles of ${region} deliver to ${HOMES[region]}`);
  }
  for (
    const [name, arn] of [["subscription", subscriptionRoleArn], ["subscriber", subscriberRoleArn]] as const
  ) {
    const [, , owner] = ROLE.exec(arn) ?? [];
    if (owner === undefined) {
      problems.push(`the ${name} role "${arn}" is not an ARN such as arn:aws:iam::123456789012:role/${name}`);
    } else if (account !== undefined && owner !== account) {
      problems.push(`the ${name} role belongs to account ${owner}, the delivery stream to ${account}`);
    }
  }
  for (const arn of Object.values(stream)) {
    if (String(arn).length > MAX_LENGTH) problems.push(`an ARN has over ${MAX_LENGTH} characters`);
  }
  if (problems.length > 0) {
    throw new ConfigurationError(`Cannot subscribe the delivery stream: ${problems.join("; ")}`);
  }
}

/** A subscription to a dataset of the hourly stream, as the platform lists it. */
export interface StreamSubscription {
  /** Id of the subscription on the platform. */
  readonly subscriptionId: string;
  /** Id of the dataset, for example `sp-traffic`. */
  readonly dataSetId: string;
  /** Status: ACTIVE, PENDING_CONFIRMATION, ... */
  readonly status: string;
  /** ARN of the destination queue; `undefined` for other destinations. */
  readonly queueArn: string | undefined;
  /** ARN of the delivery stream; `undefined` for other destinations. */
  readonly deliveryStreamArn: string | undefined;
  /** When the subscription was created, ISO 8601. */
  readonly createdDate: string;
}

/** Dataset and destination of a subscription. */
export interface SubscriptionRequest {
  /** Ids of datasets, for example `sp-traffic`. */
  readonly datasets: readonly string[];
  /** ARN of the queue that records are delivered to. */
  readonly queueArn?: string | undefined;
  /** Delivery stream that records are delivered to, in place of a queue. */
  readonly deliveryStream?: DeliveryStream | undefined;
  /** Notes stored with the subscriptions, at most 128 characters. */
  readonly notes?: string | undefined;
  /** Aborts the requests in flight. */
  readonly signal?: AbortSignal | undefined;
}

const LIVE = ["ACTIVE", "PENDING_CONFIRMATION", "PROVISIONING"];

/**
 * The subscriptions of a profile.
 *
 * @throws {PlatformAdsError} when the platform repeats a page.
 * @example
 * ```ts
 * import type { ProfileClient } from "@platform/ads";
 * import { listSubscriptions } from "@platform/ads/store";
 *
 * async function datasets(us: ProfileClient): Promise<string[]> {
 *   return (await listSubscriptions(us)).map(({ dataSetId, status }) => `${dataSetId} ${status}`);
 * }
 * ```
 */
export async function listSubscriptions(
  profile: ProfileClient,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<StreamSubscription[]> {
  const found: StreamSubscription[] = [];
  const tokens = new PageTokens("list the subscriptions of the stream");
  let token: string | undefined;
  do {
    const { subscriptions, nextToken } = fieldsOf(
      await profile.call("platform-marketing-stream:ListStreamSubscriptions", undefined, {
        query: token === undefined ? {} : { startingToken: token },
        ...(signal === undefined ? {} : { signal }),
      }),
    );
    const page: readonly unknown[] = Array.isArray(subscriptions) ? subscriptions : [];
    found.push(...page.map((each) => subscriptionOf(fieldsOf(each))));
    token = tokens.next(nextToken, page);
  } while (token !== undefined);
  return found;
}

/**
 * Plans the subscriptions of a profile to datasets. Datasets that are already delivered to the queue or the delivery
 * stream are left out. A queue has to confirm its subscriptions ({@linkcode confirmSubscriptions}), a delivery stream
 * does not.
 *
 * @throws {ConfigurationError} for a dataset that is not published, for a delivery stream that cannot be one of the
 * profile's region, and unless there is one destination. Nothing was sent.
 *
 * @example
 * ```ts
 * import type { ProfileClient } from "@platform/ads";
 * import { planSubscriptions } from "@platform/ads/store";
 *
 * async function subscribe(us: ProfileClient): Promise<void> {
 *   const queueArn = "arn:aws:sqs:us-east-1:123456789012:hourly";
 *   const { plan } = await planSubscriptions(us, { datasets: ["sp-traffic", "sp-conversion"], queueArn });
 *   console.log(plan?.toMarkdown());
 * }
 * ```
 */
export async function planSubscriptions(
  profile: ProfileClient,
  { datasets, queueArn, deliveryStream, notes, signal }: SubscriptionRequest,
): Promise<{ plan: ChangePlan | undefined; existing: readonly StreamSubscription[] }> {
  checkDatasets(datasets);
  if ((queueArn === undefined) === (deliveryStream === undefined)) {
    throw new ConfigurationError("Cannot subscribe: expected either a queue or a delivery stream");
  }
  if (deliveryStream !== undefined) checkDeliveryStream(deliveryStream, profile.region);
  const arn = queueArn ?? deliveryStream?.deliveryStreamArn;
  const live = (await listSubscriptions(profile, { signal })).filter((each) =>
    LIVE.includes(each.status) && (each.queueArn ?? each.deliveryStreamArn) === arn &&
    datasets.includes(each.dataSetId)
  );
  const missing = [...new Set(datasets)].filter((name) => !live.some(({ dataSetId }) => dataSetId === name));
  const plans: ChangePlan[] = [];
  for (const dataSetId of missing) {
    const body = {
      // Stays in the plan: however often it is sent, it makes one subscription.
      clientRequestToken: crypto.randomUUID(),
      dataSetId,
      ...(deliveryStream === undefined
        ? { destinationArn: queueArn }
        : { destination: { firehoseDestination: { ...deliveryStream } } }),
      ...(notes === undefined ? {} : { notes }),
    };
    plans.push(
      await profile.planCall("platform-marketing-stream:CreateStreamSubscription", body, {
        note: `Subscribe to ${missing.join(", ")}`,
        ...(signal === undefined ? {} : { signal }),
      }),
    );
  }
  return { plan: plans.length === 0 ? undefined : ChangePlan.merge(plans), existing: live };
}

export function checkDatasets(datasets: readonly string[]): void {
  const known = DATASET_LAYOUTS.map(({ dataset }) => dataset);
  for (const name of datasets) {
    if (known.includes(name)) continue;
    // A dataset of another product holds other figures, however near its name is.
    const own = known.filter((one) => one.split("-")[0] === name.split("-")[0]);
    const near = nearest(name, own.length > 0 ? own : known);
    const hint = near !== undefined
      ? `did you mean "${near}"?`
      : own.length > 0
      ? `datasets of that product: ${own.join(", ")}`
      : `expected one of ${known.join(", ")}`;
    throw new ConfigurationError(
      `Cannot subscribe to dataset "${name}": its fields are not known, so its records could not be summed up; ${hint}`,
    );
  }
}

function subscriptionOf(fields: Readonly<Record<string, unknown>>): StreamSubscription {
  const { status, destinationArn, destination, createdDate } = fields;
  const nested = fieldsOf(destination);
  const arn = destinationArn ?? fieldsOf(nested["sqsDestination"])["queueArn"];
  const stream = fieldsOf(nested["firehoseDestination"])["deliveryStreamArn"];
  return {
    subscriptionId: idKey(fields, "subscriptionId"),
    dataSetId: idKey(fields, "dataSetId"),
    status: String(status),
    queueArn: typeof arn === "string" ? arn : undefined,
    deliveryStreamArn: typeof stream === "string" ? stream : undefined,
    createdDate: String(createdDate),
  };
}
