import assert from "node:assert/strict";
import { AwsClient } from "aws4fetch";
import type { EmulatorOptions } from "../../src/emulator/mod.ts";
import { Caller } from "./caller.ts";

const PATH = "/streams/subscriptions";
const TYPE = "application/vnd.platformmarketingstreamsubscriptions.v1+json";

interface QueueCaller {
  readonly caller: Caller;
  /** Sends a request to the queue in the JSON form of the protocol. */
  // deno-lint-ignore no-explicit-any -- tests look into bodies of every shape
  queue(action: string, fields?: Record<string, unknown>): Promise<{ status: number; json: any }>;
}

async function start(options: EmulatorOptions = {}): Promise<QueueCaller> {
  const caller = await Caller.start({ sleep: () => Promise.resolve(), ...options });
  const { url, accessKeyId, secretAccessKey } = caller.emulator.queue();
  const signer = new AwsClient({
    accessKeyId,
    secretAccessKey,
    service: "sqs",
    region: "us-east-1",
    retries: 0,
  });
  return {
    caller,
    queue: async (action, fields = {}) => {
      const response = await signer.fetch(url, {
        method: "POST",
        headers: { "content-type": "application/x-amz-json-1.0", "x-amz-target": `Queue.${action}` },
        body: JSON.stringify({ QueueUrl: url, ...fields }),
      });
      return { status: response.status, json: await response.json() };
    },
  };
}

function request(caller: Caller, fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    clientRequestToken: "0123456789012345678901",
    dataSetId: "sp-traffic",
    destinationArn: caller.emulator.queue().arn,
    ...fields,
  };
}

/** The one message of a confirmation, and its visit. */
async function confirm({ queue }: QueueCaller): Promise<void> {
  const { json } = await queue("ReceiveMessage", { MaxNumberOfMessages: 10 });
  for (const { Body: body, ReceiptHandle: receipt } of json.Messages) {
    const { Type: type, SubscribeURL: url } = JSON.parse(body);
    assert.equal(type, "SubscriptionConfirmation");
    const response = await fetch(url);
    assert.equal(response.status, 200, await response.text());
    await queue("DeleteMessage", { ReceiptHandle: receipt });
  }
}

async function statuses(caller: Caller): Promise<string[]> {
  const { json, text } = await caller.call("GET", PATH, undefined, { headers: { accept: TYPE } });
  assert.ok(json?.subscriptions, text);
  return json.subscriptions.map(({ status }: { status: string }) => status);
}

Deno.test("a subscription is made once for its token, and confirmed within two days", async () => {
  const world = await start({ quirks: { queueDuplicates: 0 } });
  const { caller } = world;
  try {
    const first = await caller.call("POST", PATH, request(caller), { type: TYPE });
    assert.equal(first.status, 200, first.text);
    const again = await caller.call("POST", PATH, request(caller), { type: TYPE });
    assert.equal(again.json.subscriptionId, first.json.subscriptionId);
    const { clientRequestToken: token } = request(caller);
    for (
      const [fields, status] of [
        [{ dataSetId: "sb-traffic" }, 409],
        [{ clientRequestToken: `${token}x` }, 409],
        [{ clientRequestToken: "short" }, 400],
        [{ dataSetId: "" }, 400],
        [{ destinationArn: undefined }, 400],
        [
          { destinationArn: "arn:aws:sqs:us-east-1:000000000000:a.fifo", clientRequestToken: `${token}y` },
          400,
        ],
      ] as const
    ) {
      const refused = await caller.call("POST", PATH, request(caller, fields), { type: TYPE });
      assert.equal(refused.status, status, JSON.stringify(fields));
    }
    assert.deepEqual(await statuses(caller), ["PENDING_CONFIRMATION"]);
    caller.emulator.advance(47 * 3600);
    await caller.logIn();
    await confirm(world);
    assert.deepEqual(await statuses(caller), ["ACTIVE"]);
    const second = await caller.call(
      "POST",
      PATH,
      request(caller, { dataSetId: "sb-traffic", clientRequestToken: `${token}z` }),
      { type: TYPE },
    );
    caller.emulator.advance(49 * 3600);
    await caller.logIn();
    assert.deepEqual(await statuses(caller), ["ACTIVE", "FAILED_CONFIRMATION"]);
    const one = await caller.call("GET", `${PATH}/${second.json.subscriptionId}`, undefined, {
      headers: { accept: TYPE },
    });
    assert.equal(one.json.subscription.dataSetId, "sb-traffic");
    const archived = await caller.call(
      "PUT",
      `${PATH}/${first.json.subscriptionId}`,
      { status: "ARCHIVED" },
      { headers: { "content-type": TYPE } },
    );
    assert.equal(archived.status, 200, archived.text);
    assert.deepEqual((await statuses(caller))[0], "ARCHIVED");
    const page = await caller.call("GET", `${PATH}?maxResults=1`, undefined, { headers: { accept: TYPE } });
    assert.equal(page.json.subscriptions.length, 1);
    const rest = await caller.call(
      "GET",
      `${PATH}?maxResults=1&startingToken=${page.json.nextToken}`,
      undefined,
      { headers: { accept: TYPE } },
    );
    assert.deepEqual([rest.json.subscriptions.length, rest.json.nextToken], [1, undefined]);
  } finally {
    await caller.stop();
  }
});

Deno.test("a message is kept from others until its time is over, comes again, and is gone once it is deleted", async () => {
  const world = await start({ quirks: { queueDuplicates: 0 } });
  const { caller, queue } = world;
  try {
    await caller.call("POST", PATH, request(caller), { type: TYPE });
    const first = (await queue("ReceiveMessage", { VisibilityTimeout: 60 })).json.Messages[0];
    assert.deepEqual((await queue("ReceiveMessage", { WaitTimeSeconds: 20 })).json.Messages, []);
    const attributes = (await queue("GetQueueAttributes", { AttributeNames: ["All"] })).json.Attributes;
    assert.equal(attributes.ApproximateNumberOfMessagesNotVisible, "1");
    await queue("ChangeMessageVisibility", { ReceiptHandle: first.ReceiptHandle, VisibilityTimeout: 120 });
    caller.emulator.advance(61);
    assert.deepEqual((await queue("ReceiveMessage")).json.Messages, []);
    caller.emulator.advance(60);
    const second = (await queue("ReceiveMessage")).json.Messages[0];
    assert.equal(second.MessageId, first.MessageId);
    assert.notEqual(second.ReceiptHandle, first.ReceiptHandle);
    const deleted = await queue("DeleteMessageBatch", {
      Entries: [{ Id: "a", ReceiptHandle: second.ReceiptHandle }, { Id: "b", ReceiptHandle: "made up" }],
    });
    assert.deepEqual(deleted.json.Successful, [{ Id: "a" }]);
    assert.equal(deleted.json.Failed[0].Id, "b");
    caller.emulator.advance(3600);
    assert.deepEqual((await queue("ReceiveMessage")).json.Messages, []);
    const { status, json } = await queue("ReceiveMessage", { MaxNumberOfMessages: 11 });
    assert.equal(status, 400);
    assert.match(json.__type, /InvalidParameterValue$/);
    const unsigned = await fetch(caller.emulator.queue().url, {
      method: "POST",
      body: "Action=ReceiveMessage",
    });
    assert.equal(unsigned.status, 400, "a body without its media type is no form");
    await unsigned.body?.cancel();
    const stranger = await fetch(`${caller.emulator.queue().url}?Action=ReceiveMessage`);
    assert.equal(stranger.status, 403);
    assert.match(await stranger.text(), /<Code>MissingAuthenticationToken<\/Code>/);
  } finally {
    await caller.stop();
  }
});

Deno.test("an emulator that is started again publishes what was not deleted, under the same ids", async () => {
  const statePath = `${await Deno.makeTempDir({ prefix: "emulator-" })}/state.json`;
  const ids = async ({ queue }: QueueCaller): Promise<string[]> => {
    const found: string[] = [];
    for (;;) {
      const { json } = await queue("ReceiveMessage", { MaxNumberOfMessages: 10, VisibilityTimeout: 600 });
      if (json.Messages.length === 0) return [...new Set(found)].sort();
      for (const { Body: body } of json.Messages) {
        found.push(JSON.parse(JSON.parse(body).Message).idempotency_id);
      }
    }
  };
  const one = await start({ statePath });
  await one.caller.call("POST", PATH, request(one.caller, { dataSetId: "sb-traffic" }), { type: TYPE });
  await confirm(one);
  one.caller.emulator.advance(3 * 3600);
  const first = await ids(one);
  await one.caller.stop();
  assert(first.length > 50, `${first.length} records`);
  const two = await start({ statePath });
  try {
    assert.deepEqual(await ids(two), first);
  } finally {
    await two.caller.stop();
  }
});

Deno.test("a delivery stream becomes active in half a minute, or fails where its roles are another account's", async () => {
  const { caller } = await start();
  try {
    const { deliveryStreamArn, subscriptionRoleArn, subscriberRoleArn } = caller.emulator.deliveryStream();
    const post = (firehoseDestination: Record<string, unknown>, token: number) =>
      caller.call("POST", PATH, {
        clientRequestToken: `${request(caller)["clientRequestToken"]}${token}`,
        dataSetId: "sp-traffic",
        destination: { firehoseDestination },
      }, { type: TYPE });
    const whole = { deliveryStreamArn, subscriptionRoleArn, subscriberRoleArn };
    assert.equal((await post(whole, 1)).status, 200);
    const other = { ...whole, subscriberRoleArn: "arn:aws:iam::111111111111:role/x" };
    assert.equal((await post(other, 2)).status, 200);
    for (
      const wrong of [{ ...whole, subscriberRoleArn: "x" }, { ...whole, deliveryStreamArn: "arn:aws:sqs:a" }]
    ) {
      const { status, text } = await post(wrong, 3);
      assert.equal(status, 400);
      assert.match(text, /Destination is invalid/);
    }
    assert.deepEqual(await statuses(caller), ["PROVISIONING", "PROVISIONING"]);
    caller.emulator.advance(31);
    assert.deepEqual(await statuses(caller), ["ACTIVE", "FAILED_PROVISIONING"]);
  } finally {
    await caller.stop();
  }
});

Deno.test("the bucket of a delivery stream lists its objects by pages, gives them by key, and takes only its keys", async () => {
  const { caller } = await start({ quirks: { queueDuplicates: 0.5 } });
  try {
    const { deliveryStreamArn, subscriptionRoleArn, subscriberRoleArn, endpoint, ...keys } = caller.emulator
      .deliveryStream();
    const firehoseDestination = { deliveryStreamArn, subscriptionRoleArn, subscriberRoleArn };
    const body = { ...request(caller, { destination: { firehoseDestination } }), destinationArn: undefined };
    assert.equal((await caller.call("POST", PATH, body, { type: TYPE })).status, 200);
    caller.emulator.advance(4 * 3600);
    const bucket = (secretAccessKey: string) =>
      new AwsClient({ ...keys, secretAccessKey, service: "s3", region: "us-east-1", retries: 0 });
    const get = (path: string, headers: Record<string, string> = {}) =>
      bucket(keys.secretAccessKey).fetch(`${endpoint}/hourly${path}`, { headers });
    const listed: string[] = [];
    for (let token = "";;) {
      const xml = await (await get(`?list-type=2&max-keys=2&continuation-token=${encodeURIComponent(token)}`))
        .text();
      listed.push(...Array.from(xml.matchAll(/<Key>([^<]+)<\/Key>/g), ([, key]) => key!));
      token = /<NextContinuationToken>([^<]+)</.exec(xml)?.[1] ?? "";
      if (token === "") break;
    }
    assert(listed.length > 2 && new Set(listed).size === listed.length, listed.join(" "));
    assert.match(listed[0]!, /^\d{4}\/\d\d\/\d\d\/\d\d\/hourly-1-/);
    const ids: string[] = [];
    for (const key of listed) {
      const text = await (await get(`/${key}`)).text();
      assert.doesNotMatch(text, /\n/);
      ids.push(...Array.from(text.matchAll(/"idempotency_id":"([^"]+)"/g), ([, id]) => id!));
    }
    assert(ids.length > new Set(ids).size, "some records come twice");
    for (
      const [path, headers, status] of [
        ["/nothing", {}, 404],
        [`/${listed[0]}`, { "if-match": '"other"' }, 412],
      ] as const
    ) {
      const response = await get(path, headers);
      await response.body?.cancel();
      assert.equal(response.status, status);
    }
    const refused = await bucket("wrong").fetch(`${endpoint}/hourly?list-type=2`);
    assert.match(await refused.text(), /SignatureDoesNotMatch/);
  } finally {
    await caller.stop();
  }
});

Deno.test("messages come late and twice where the quirks say so", async () => {
  const world = await start({ quirks: { queueDuplicates: 1, queueDelaySeconds: 600 } });
  const { caller, queue } = world;
  try {
    await caller.call("POST", PATH, request(caller), { type: TYPE });
    assert.deepEqual((await queue("ReceiveMessage", { MaxNumberOfMessages: 10 })).json.Messages, []);
    caller.emulator.advance(601);
    const { json } = await queue("ReceiveMessage", { MaxNumberOfMessages: 10 });
    assert.equal(json.Messages.length, 2);
    assert.equal(json.Messages[0].Body, json.Messages[1].Body);
  } finally {
    await caller.stop();
  }
});
