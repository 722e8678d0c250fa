import assert from "node:assert/strict";
import { consumeStream } from "../../../src/store/stream/consume_stream.ts";
import { openQueue } from "../../../src/store/stream/sources/open_queue.ts";
import { queueAddress } from "../../../src/store/stream/sources/queue_address.ts";
import { QueueClient } from "../../../src/store/stream/sources/queue_client.ts";
import { queueSource } from "../../../src/store/stream/sources/queue_source.ts";
import { Warehouse } from "../../../src/store/warehouse.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";

const ADDRESS = queueAddress("https://queue.example/123456789012/hourly");
const CREDENTIALS = { accessKeyId: "key", secretAccessKey: "secret-of-the-key" };

interface FakeQueue {
  readonly client: QueueClient;
  readonly actions: string[];
  readonly waits: number[];
}

/** A queue whose responses are written here, one after the other. */
function fakeQueue(
  respond: (form: URLSearchParams, request: Request) => Response | Promise<Response>,
): FakeQueue {
  const actions: string[] = [];
  const waits: number[] = [];
  const client = new QueueClient({
    address: ADDRESS,
    credentials: CREDENTIALS,
    sleep: (seconds) => Promise.resolve(void waits.push(seconds)),
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const form = new URLSearchParams(await request.clone().text());
      actions.push(form.get("Action") ?? "");
      return await respond(form, request);
    },
  });
  return { client, actions, waits };
}

function xml(text: string, status = 200): Response {
  return new Response(text, { status });
}

function received(...bodies: string[]): Response {
  const messages = bodies.map((body, index) =>
    `<Message><MessageId>m${index}</MessageId><ReceiptHandle>r${index}</ReceiptHandle><Body>${body}</Body></Message>`
  );
  return xml(
    `<ReceiveMessageResponse><ReceiveMessageResult>${
      messages.join("")
    }</ReceiveMessageResult></ReceiveMessageResponse>`,
  );
}

const RECORD =
  "{&quot;dataset_id&quot;:&quot;sp-traffic&quot;,&quot;idempotency_id&quot;:&quot;a&amp;b&quot;," +
  "&quot;advertiser_id&quot;:&quot;E&quot;,&quot;time_window_start&quot;:&quot;2026-11-01T08:00:00Z&quot;}";

Deno.test("a queue is named by its address or its ARN", () => {
  const arn = "arn:aws:sqs:eu-west-1:123456789012:hourly";
  assert.deepEqual(queueAddress(arn, { wireWord: "acme" }), {
    url: "https://sqs.eu-west-1.acmeaws.com/123456789012/hourly",
    arn,
    region: "eu-west-1",
  });
  assert.equal(
    queueAddress(arn, { endpoint: "http://127.0.0.1:4566/" }).url,
    "http://127.0.0.1:4566/123456789012/hourly",
  );
  assert.deepEqual(queueAddress("https://sqs.eu-west-1.acmeaws.com/123456789012/hourly").arn, arn);
  assert.equal(queueAddress("http://127.0.0.1:4566/123456789012/hourly", { region: "eu-west-1" }).arn, arn);
  for (
    const wrong of [
      "",
      "hourly",
      "ftp://a/1/b",
      "https://a/",
      "arn:aws:sns:eu-west-1:123456789012:x",
      `${arn}.fifo`,
    ]
  ) {
    assert.throws(() => queueAddress(wrong), { name: "ConfigurationError" }, wrong);
  }
  assert.throws(
    () => queueAddress("https://user:hidden@a/1/b"),
    (error: Error) => !error.message.includes("hidden"),
  );
});

Deno.test("requests are signed, and the secret is in none of them", async () => {
  let seen: Request | undefined;
  const { client } = fakeQueue((_, request) => {
    seen = request;
    return received("a &lt;b&gt; &#x41;&#66;");
  });
  const [message] = await client.receive({ wait: 0, visibility: 30 });
  assert.deepEqual(message, { id: "m0", receipt: "r0", body: "a <b> AB" });
  assert.match(
    seen?.headers.get("authorization") ?? "",
    /^AWS4-HMAC-SHA256 Credential=key\/\d{8}\/us-east-1\/sqs\//,
  );
  assert(!JSON.stringify([...seen!.headers]).includes(CREDENTIALS.secretAccessKey));
});

Deno.test("what fails for a reason that may pass is sent again, and what is refused is reported at once", async () => {
  let failures = 3;
  const busy = fakeQueue(() =>
    failures-- > 0 ? xml("<Error><Code>ServiceUnavailable</Code></Error>", 503) : received()
  );
  assert.deepEqual(await busy.client.receive({ wait: 0, visibility: 30 }), []);
  assert.deepEqual(busy.waits, [0.5, 1, 2]);
  const refused = fakeQueue(() =>
    xml("<ErrorResponse><Error><Code>AccessDenied</Code><Message>no</Message></Error></ErrorResponse>", 403)
  );
  await assert.rejects(refused.client.receive({ wait: 0, visibility: 30 }), {
    name: "ConfigurationError",
    message: `Cannot use queue ${ADDRESS.url}: AccessDenied: no`,
  });
  assert.deepEqual(refused.waits, []);
  const gone = fakeQueue(() => Promise.reject(new TypeError("connection refused")));
  await assert.rejects(
    gone.client.receive({ wait: 0, visibility: 30 }),
    /Cannot reach queue .*connection refused/,
  );
  assert.equal(gone.waits.length, 7);
});

Deno.test("messages that a batch does not delete are tried again, and counted when they stay", async () => {
  const failed = (...ids: string[]): Response =>
    xml(
      `<DeleteMessageBatchResponse><DeleteMessageBatchResult>${
        ids.map((id) => `<BatchResultErrorEntry><Id>${id}</Id><Code>x</Code></BatchResultErrorEntry>`).join(
          "",
        )
      }</DeleteMessageBatchResult></DeleteMessageBatchResponse>`,
    );
  const messages = ["a", "b", "c"].map((receipt) => ({ id: receipt, receipt, body: "" }));
  const sent: string[] = [];
  const answers = [failed("1", "2"), failed("1"), failed()];
  const { client } = fakeQueue((form) => {
    sent.push(
      [...form].filter(([name]) => name.endsWith("ReceiptHandle")).map(([, value]) => value).join(""),
    );
    return answers.shift()!;
  });
  assert.equal(await client.delete(messages), 0);
  assert.deepEqual(sent, ["abc", "bc", "c"]);
  const stubborn = fakeQueue(() => failed("0"));
  assert.equal(await stubborn.client.delete(messages), 1);
});

Deno.test("a message is deleted only after it was stored, and an abort ends a wait for messages at once", async () => {
  const folder = await temporaryFolder();
  const store = await Warehouse.open(folder.file("ads.sqlite"));
  try {
    const stop = new AbortController();
    const order: string[] = [];
    let round = 0;
    const { client } = fakeQueue(async (form, request) => {
      const action = form.get("Action") ?? "";
      if (action === "DeleteMessageBatch") {
        order.push(`deleted with ${(await store.query("SELECT id FROM stream_sp_traffic")).rows[0]?.["id"]}`);
        return xml("<DeleteMessageBatchResponse/>");
      }
      if (round++ === 0) return received(RECORD);
      return await new Promise((_, reject) => {
        request.signal.addEventListener("abort", () => reject(request.signal.reason));
        stop.abort(new Error("enough"));
      });
    });
    const result = await consumeStream(store, queueSource(client, { name: "q" }), { signal: stop.signal });
    assert.deepEqual([result.messages, result.stored], [1, 1]);
    assert.deepEqual(order, ["deleted with a&b"]);
  } finally {
    await store.close();
    await folder.remove();
  }
});

Deno.test("messages are kept from others for as long as storing takes", async () => {
  const { client, actions } = fakeQueue((form) =>
    form.get("Action") === "ReceiveMessage" ? received(RECORD) : xml("<R/>")
  );
  for await (
    const delivery of queueSource(client, { name: "q", visibility: 0.03 }).deliveries({ once: true })
  ) {
    while (!actions.includes("ChangeMessageVisibilityBatch")) {
      await new Promise((done) => setTimeout(done, 5));
    }
    delivery.end();
    break;
  }
  assert.deepEqual(actions.slice(0, 2), ["ReceiveMessage", "ChangeMessageVisibilityBatch"]);
});

Deno.test("openQueue() opens by an ARN", async () => {
  const queue = await openQueue("arn:aws:sqs:us-east-1:123456789012:hourly", { credentials: CREDENTIALS });
  assert.equal(queue.source.name, "arn:aws:sqs:us-east-1:123456789012:hourly");
});
