import type { JsonObject } from "../../core/json.ts";

/** Collection of a profile that keeps its subscriptions. */
export const SUBSCRIPTIONS = "stream.subscriptions";

/** A delivery stream, and the roles by which it is reached. */
export interface DeliveryStream {
  readonly deliveryStreamArn: string;
  readonly subscriptionRoleArn: string;
  readonly subscriberRoleArn: string;
}

/** A subscription as it is kept. */
export interface Subscription {
  readonly subscriptionId: string;
  readonly dataSetId: string;
  readonly queueArn?: string;
  readonly deliveryStream?: DeliveryStream;
  /** Its field of the request, `destination` or `destinationArn`, alone. */
  readonly destination: JsonObject;
  readonly notes?: string;
  /** Set by the caller; ACTIVE and the rest follow from the other fields. */
  readonly isArchived?: boolean;
  readonly clientRequestToken: string;
  /** Token that confirms the subscription. */
  readonly confirmationToken: string;
  /** Milliseconds since the epoch, as all times here. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly confirmedAt?: number;
  /** Up to when everything that was published has been deleted from the queue. */
  readonly drainedThrough?: number;
}

const DAY = 86_400_000;
/** An unconfirmed subscription fails after this time. */
const CONFIRM_WITHIN = 2 * DAY;

/** Reads a kept subscription. */
export function asSubscription(entity: JsonObject): Subscription {
  return entity as unknown as Subscription;
}

/** Milliseconds until a delivery stream is connected. */
const PROVISIONED_AFTER = 30_000;

/** When deliveries begin; `undefined` while that is open. */
export function activeSince({ confirmedAt, deliveryStream, createdAt }: Subscription): number | undefined {
  if (deliveryStream === undefined) return confirmedAt;
  return isPermitted(deliveryStream) ? createdAt + PROVISIONED_AFTER : undefined;
}

/** Roles of another account may not use the delivery stream. */
function isPermitted(stream: DeliveryStream): boolean {
  const owners = Object.values(stream).map((arn) => String(arn).split(":")[4]);
  return new Set(owners).size === 1;
}

/** How a subscription stands at a moment. */
export function subscriptionStatus(
  subscription: Subscription,
  now: number,
): string {
  const { isArchived, confirmedAt, createdAt, queueArn, deliveryStream } = subscription;
  if (isArchived) return "ARCHIVED";
  if (deliveryStream !== undefined) {
    if (now < createdAt + PROVISIONED_AFTER) return "PROVISIONING";
    return activeSince(subscription) === undefined ? "FAILED_PROVISIONING" : "ACTIVE";
  }
  if (confirmedAt !== undefined) return "ACTIVE";
  if (queueArn === undefined) return "PROVISIONING";
  return now - createdAt > CONFIRM_WITHIN ? "FAILED_CONFIRMATION" : "PENDING_CONFIRMATION";
}

/** A subscription as the platform shows it. */
export function subscriptionView(subscription: Subscription, now: number): JsonObject {
  const { subscriptionId, dataSetId, destination, notes, createdAt, updatedAt } = subscription;
  return {
    subscriptionId,
    dataSetId,
    ...destination,
    ...(notes === undefined ? {} : { notes }),
    status: subscriptionStatus(subscription, now),
    createdDate: new Date(createdAt).toISOString(),
    updatedDate: new Date(updatedAt).toISOString(),
  };
}
