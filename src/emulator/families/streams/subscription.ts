import type { JsonObject } from "../../core/json.ts";

export const SUBSCRIPTIONS = "stream.subscriptions";

export interface DeliveryStream {
  readonly deliveryStreamArn: string;
  readonly subscriptionRoleArn: string;
  readonly subscriberRoleArn: string;
}

export interface Subscription {
  readonly subscriptionId: string;
  readonly dataSetId: string;
  readonly queueArn?: string;
  readonly deliveryStream?: DeliveryStream;
  readonly destination: JsonObject;
  readonly notes?: string;
  /** Other statuses, such as ACTIVE, are derived. */
  readonly isArchived?: boolean;
  readonly clientRequestToken: string;
  readonly confirmationToken: string;
  /** Epoch milliseconds, like all times here. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly confirmedAt?: number;
  readonly drainedThrough?: number;
}

const DAY = 86_400_000;
const CONFIRM_WITHIN = 2 * DAY;

export function asSubscription(entity: JsonObject): Subscription {
  return entity as unknown as Subscription;
}

const PROVISIONED_AFTER = 30_000;

export function activeSince({ confirmedAt, deliveryStream, createdAt }: Subscription): number | undefined {
  if (deliveryStream === undefined) return confirmedAt;
  return isPermitted(deliveryStream) ? createdAt + PROVISIONED_AFTER : undefined;
}

/** The roles must belong to the same account as the delivery stream. */
function isPermitted(stream: DeliveryStream): boolean {
  const owners = Object.values(stream).map((arn) => String(arn).split(":")[4]);
  return new Set(owners).size === 1;
}

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
