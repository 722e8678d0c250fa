import { createHash } from "node:crypto";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { emptyResponse, type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import { refusal } from "../../http/refusal.ts";
import type { Context } from "../../routing/context.ts";
import type { Route } from "../../routing/route.ts";
import {
  asSubscription,
  type DeliveryStream,
  type Subscription,
  SUBSCRIPTIONS,
  subscriptionStatus,
  subscriptionView,
} from "./subscription.ts";

const TYPES = ["application/vnd.platformmarketingstreamsubscriptions.v1+json"];
const PATH = "/streams/subscriptions";
const QUEUE = /^arn:[a-z-]+:sqs:[a-z0-9-]+:\d{12}:[A-Za-z0-9_-]{1,80}(\.fifo)?$/;
const DELIVERY_STREAM = /^(?=.{1,255}$)arn:[a-z-]+:firehose:[a-z0-9-]+:\d{12}:deliverystream\/[\w.-]{1,64}$/;
const ROLE = /^(?=.{1,255}$)arn:[a-z-]+:iam::\d{12}:role\/[\w+=,.@/-]+$/;
const DATASET = /^[a-z][a-z-]{1,79}$/;

export const STREAM_ROUTES: readonly Route[] = [
  {
    operation: "platform-marketing-stream:CreateStreamSubscription",
    method: "POST",
    path: PATH,
    requestTypes: TYPES,
    responseTypes: TYPES,
    handle: create,
  },
  {
    operation: "platform-marketing-stream:ListStreamSubscriptions",
    method: "GET",
    path: PATH,
    responseTypes: TYPES,
    handle: list,
  },
  {
    operation: "platform-marketing-stream:GetStreamSubscription",
    method: "GET",
    path: `${PATH}/{subscriptionId}`,
    responseTypes: TYPES,
    handle: (context) => {
      const subscription = subscriptionView(found(context), context.clock.now());
      return jsonResponse(200, { subscription }, { type: context.responseType });
    },
  },
  {
    operation: "platform-marketing-stream:UpdateStreamSubscription",
    method: "PUT",
    path: `${PATH}/{subscriptionId}`,
    requestTypes: TYPES,
    responseTypes: [],
    handle: update,
  },
];

function create({ body, profile, clock, state, responseType }: Context): HttpResponse {
  const fields = objectOf(body);
  const { clientRequestToken: token, dataSetId, notes } = fields;
  if (typeof token !== "string" || token.length < 22 || token.length > 36) {
    throw refusal(400, "clientRequestToken must have 22 to 36 characters");
  }
  if (typeof dataSetId !== "string" || !DATASET.test(dataSetId)) throw refusal(400, "dataSetId is invalid");
  checkNotes(notes);
  const { destination, queueArn, deliveryStream } = destinationOf(fields);
  const kept = profile.collection(SUBSCRIPTIONS).all().map(asSubscription);
  const same = kept.find((one) => one.clientRequestToken === token);
  const respond = (subscriptionId: string): HttpResponse =>
    jsonResponse(200, { clientRequestToken: token, subscriptionId }, { type: responseType });
  if (same !== undefined) {
    if (same.dataSetId === dataSetId && JSON.stringify(same.destination) === JSON.stringify(destination)) {
      return respond(same.subscriptionId);
    }
    throw refusal(409, "clientRequestToken was used for another subscription");
  }
  const now = clock.now();
  const isTaken = kept.some((one) =>
    one.dataSetId === dataSetId && JSON.stringify(one.destination) === JSON.stringify(destination) &&
    ["ACTIVE", "PENDING_CONFIRMATION", "PROVISIONING"].includes(subscriptionStatus(one, now))
  );
  if (isTaken) throw refusal(409, `A subscription to ${dataSetId} with this destination exists`);
  const subscriptionId = `stream.subscription.${state.newId()}`;
  const subscription: Subscription = {
    subscriptionId,
    dataSetId,
    ...(queueArn === undefined ? {} : { queueArn }),
    ...(deliveryStream === undefined ? {} : { deliveryStream }),
    destination,
    ...(typeof notes === "string" ? { notes } : {}),
    clientRequestToken: token,
    confirmationToken: createHash("sha256").update(`${state.seed} ${subscriptionId}`).digest("hex"),
    createdAt: now,
    updatedAt: now,
  };
  profile.collection(SUBSCRIPTIONS).insert(subscription as unknown as JsonObject);
  return respond(subscriptionId);
}

function list({ query, profile, clock, responseType }: Context): HttpResponse {
  const max = Number(query.get("maxResults") ?? 5000);
  if (!Number.isInteger(max) || max < 1 || max > 5000) {
    throw refusal(400, "maxResults must be from 1 to 5000");
  }
  const token = query.get("startingToken");
  const start = token === null ? 0 : Number(/^from-(\d{1,9})$/.exec(token)?.[1] ?? NaN);
  if (Number.isNaN(start)) throw refusal(400, "startingToken is invalid");
  const all = profile.collection(SUBSCRIPTIONS).all().map(asSubscription);
  const page = all.slice(start, start + max).map((one) => subscriptionView(one, clock.now()));
  const next = start + max < all.length ? { nextToken: `from-${start + max}` } : {};
  return jsonResponse(200, { subscriptions: page, ...next }, { type: responseType });
}

function update(context: Context): HttpResponse {
  const subscription = found(context);
  const { status, notes } = context.body === undefined ? {} : objectOf(context.body);
  if (status !== undefined && status !== "ARCHIVED") throw refusal(400, "status must be ARCHIVED");
  checkNotes(notes);
  if (subscription.isArchived) throw refusal(409, "The subscription is archived");
  const changed: Subscription = {
    ...subscription,
    ...(status === "ARCHIVED" ? { isArchived: true } : {}),
    ...(typeof notes === "string" ? { notes } : {}),
    updatedAt: context.clock.now(),
  };
  context.profile.collection(SUBSCRIPTIONS).replace(changed as unknown as JsonObject);
  return emptyResponse(200);
}

function found({ params, profile }: Context): Subscription {
  const entity = profile.collection(SUBSCRIPTIONS).get(params.subscriptionId ?? "");
  if (entity === undefined) throw refusal(404, "The subscription was not found");
  return asSubscription(entity);
}

function destinationOf(
  fields: JsonObject,
): { destination: JsonObject; queueArn?: string; deliveryStream?: DeliveryStream } {
  const { destination, destinationArn } = fields;
  if ((destination === undefined) === (destinationArn === undefined)) {
    throw refusal(400, "Exactly one of destination and destinationArn must be given");
  }
  if (destinationArn !== undefined) {
    return {
      destination: { destinationArn: checkedQueue(destinationArn) },
      queueArn: String(destinationArn),
    };
  }
  const { sqsDestination: queue, firehoseDestination: firehose } = objectOf(destination);
  if ((queue === undefined) === (firehose === undefined)) {
    throw refusal(400, "destination must be a queue or a delivery stream");
  }
  if (isObject(queue)) {
    const queueArn = checkedQueue(queue.queueArn);
    return { destination: { destination: { sqsDestination: { queueArn } } }, queueArn };
  }
  const deliveryStream = deliveryStreamOf(firehose);
  return { destination: { destination: { firehoseDestination: { ...deliveryStream } } }, deliveryStream };
}

function deliveryStreamOf(firehose: Json | undefined): DeliveryStream {
  const names = ["deliveryStreamArn", "subscriberRoleArn", "subscriptionRoleArn"];
  if (!isObject(firehose) || names.some((name) => typeof firehose[name] !== "string")) {
    throw refusal(400, `firehoseDestination must have ${names.join(", ")}`);
  }
  const [deliveryStreamArn, subscriberRoleArn, subscriptionRoleArn] = names.map((name) =>
    String(firehose[name])
  );
  const isValid = DELIVERY_STREAM.test(deliveryStreamArn ?? "") && ROLE.test(subscriberRoleArn ?? "") &&
    ROLE.test(subscriptionRoleArn ?? "");
  if (
    !isValid || deliveryStreamArn === undefined || subscriberRoleArn === undefined ||
    subscriptionRoleArn === undefined
  ) throw refusal(400, "Destination is invalid");
  return { deliveryStreamArn, subscriberRoleArn, subscriptionRoleArn };
}

function checkedQueue(arn: unknown): string {
  const [, fifo] = typeof arn === "string" ? QUEUE.exec(arn) ?? [undefined] : [undefined];
  if (typeof arn !== "string" || !QUEUE.test(arn)) throw refusal(400, "The ARN of the queue is invalid");
  if (fifo !== undefined) throw refusal(400, "The queue must be a standard queue");
  return arn;
}

function checkNotes(notes: Json | undefined): void {
  if (notes !== undefined && (typeof notes !== "string" || notes.length > 128)) {
    throw refusal(400, "notes must have at most 128 characters");
  }
}

function objectOf(value: Json | undefined): JsonObject {
  if (!isObject(value)) throw refusal(400, "Request body must be an object");
  return value;
}
