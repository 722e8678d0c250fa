import assert from "node:assert/strict";
import { consumeStream } from "../../../src/store/stream/consume_stream.ts";
import { openQueue } from "../../../src/store/stream/open_queue.ts";
import { queueAddress } from "../../../src/store/stream/queue_address.ts";
import { elements, elementText } from "../../../src/base/text/xml_elements.ts";
import { QueueClient } from "../../../src/store/stream/queue_client.ts";
import { queueSource } from "../../../src/store/stream/queue_source.ts";
import { Warehouse } from "../../../src/store/warehouse/warehouse.ts";
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
  const local = "http://127.0.0.1:4566/queues/123456789012/hourly";
  assert.equal(queueAddress(local, { region: "eu-west-1" }).arn, arn);
  assert.equal(queueAddress(local).region, "us-east-1");
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
  for (const login of ["user:hidden", "hidden", ":hidden"]) {
    assert.throws(() => queueAddress(`https://${login}@a/1/b`), {
      name: "ConfigurationError",
      message: "Cannot use the queue: its address must not contain a password",
    });
  }
});

Deno.test("texts in the responses of a queue are read as XML writes them", () => {
  const cases: readonly (readonly [xml: string, texts: readonly string[]])[] = [
    ["<a>1</a><b>2</b><a x='y'>3</a>", ["1", "3"]],
    ["<a/><a />", ["", ""]],
    ["<ab>1</ab>", []],
    ["<a>&lt;&gt;&quot;&apos;&amp;amp;</a>", ["<>\"'&amp;"]],
    ["<a>&nbsp;&#65;&#x42;</a>", ["&nbsp;AB"]],
    ["<a>&#1114111;&#1114112;&#x110000;</a>", ["\u{10FFFF}&#1114112;&#x110000;"]],
  ];
  for (const [xml, texts] of cases) {
    assert.equal(elementText(xml, "a"), texts[0] ?? "", xml);
    assert.equal(elements(xml, "a").length, texts.length, xml);
  }
  assert.deepEqual(elements("<a/><a>&lt;</a>", "a"), ["", "&lt;"], "as they are written");
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
  for (const reason of [new TypeError("connection refused"), "connection refused"]) {
    const gone = fakeQueue(() => Promise.reject(reason));
    await assert.rejects(gone.client.receive({ wait: 0, visibility: 30 }), {
      message: `Cannot reach queue ${ADDRESS.url}: connection refused`,
    });
    assert.deepEqual(gone.waits, [0.5, 1, 2, 4, 8, 16, 20]);
  }
});

const FAILURES: readonly (readonly [status: number, code: string, passes: boolean])[] = [
  [500, "Fault", true],
  [503, "Fault", true],
  [499, "Fault", false],
  [429, "Fault", true],
  [428, "Fault", false],
  [430, "Fault", false],
  [400, "RequestThrottled", true],
  [403, "OverLimit", true],
  [400, "InvalidAddress", false],
];

for (const [status, code, passes] of FAILURES) {
  Deno.test(`a response ${status} of a queue with ${code} ${passes ? "may pass" : "is final"}`, async () => {
    const { client, actions } = fakeQueue(() => xml(`<Error><Code>${code}</Code></Error>`, status));
    await assert.rejects(client.counts(), {
      name: passes ? "PlatformAdsError" : "ConfigurationError",
      message: `Cannot use queue ${ADDRESS.url}: ${code}: no reason was given`,
    });
    assert.equal(actions.length, passes ? 8 : 1);
  });
}

Deno.test("a queue says how many messages wait, delayed ones included, and how many are received", async () => {
  const counted = async (attributes: Readonly<Record<string, number>>): Promise<unknown> => {
    const { client } = fakeQueue((form) => {
      assert.equal(form.get("AttributeName.1"), "All");
      const listed = Object.entries(attributes).map(([name, value]) =>
        `<Attribute><Name>ApproximateNumberOfMessages${name}</Name><Value>${value}</Value></Attribute>`
      );
      return xml(`<R>${listed.join("")}</R>`);
    });
    return await client.counts();
  };
  assert.deepEqual(await counted({ "": 5, Delayed: 2, NotVisible: 3 }), { waiting: 7, inFlight: 3 });
  assert.deepEqual(await counted({}), { waiting: 0, inFlight: 0 });
});

Deno.test("a request ends half a minute after the wait for messages", async () => {
  const { timeout } = AbortSignal;
  const timeouts: number[] = [];
  AbortSignal.timeout = (milliseconds) => {
    timeouts.push(milliseconds);
    return new AbortController().signal;
  };
  try {
    const { client } = fakeQueue(() => received());
    await client.receive({ wait: 20, visibility: 30 });
    await client.counts();
  } finally {
    AbortSignal.timeout = timeout;
  }
  assert.deepEqual(timeouts, [50_000, 30_000]);
});

Deno.test("the token of a key that expires is sent, and nothing in its place where there is none", async () => {
  for (const sessionToken of ["token", undefined]) {
    let token: string | null = "";
    const client = new QueueClient({
      address: ADDRESS,
      credentials: { ...CREDENTIALS, sessionToken },
      fetch: (input) => {
        token = (input as Request).headers.get("x-amz-security-token");
        return Promise.resolve(received());
      },
    });
    await client.receive({ wait: 0, visibility: 30 });
    assert.equal(token, sessionToken ?? null);
  }
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
  assert.equal(stubborn.actions.length, 3);
  assert.deepEqual(stubborn.waits, [0.5, 1]);
});

Deno.test("a batch has ten entries at most, numbered from 1, each with its place as its id", async () => {
  const forms: Readonly<Record<string, string>>[] = [];
  const { client } = fakeQueue((form) => {
    forms.push(Object.fromEntries(form));
    return received();
  });
  const messages = Array.from({ length: 11 }, (_, at) => ({ id: "", receipt: `r${at}`, body: "" }));
  await client.changeVisibility(messages, 60);
  forms.sort((a, b) => Object.keys(b).length - Object.keys(a).length);
  const name = "ChangeMessageVisibilityBatchRequestEntry";
  assert.deepEqual(forms.map((form) => Object.keys(form).length), [32, 5]);
  assert.deepEqual(forms.map((form) => form[`${name}.1.ReceiptHandle`]), ["r0", "r10"]);
  const tenth = ["Id", "ReceiptHandle", "VisibilityTimeout"].map((field) =>
    forms[0]?.[`${name}.10.${field}`]
  );
  assert.deepEqual(tenth, ["9", "r9", "60"]);
  await client.receive({ wait: 0, visibility: 30 });
  assert.equal(forms[2]?.["MaxNumberOfMessages"], "10");
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

Deno.test("a pause between two looks at a queue ends early, without an error, when it is aborted", async () => {
  const { client, waits } = fakeQueue(() => received());
  await client.pause(3);
  assert.deepEqual(waits, [3]);
  await new QueueClient({ address: ADDRESS, credentials: CREDENTIALS }).pause(60, AbortSignal.abort());
});

Deno.test("openQueue() opens by an ARN", async () => {
  const queue = await openQueue("arn:aws:sqs:us-east-1:123456789012:hourly", { credentials: CREDENTIALS });
  assert.equal(queue.source.name, "arn:aws:sqs:us-east-1:123456789012:hourly");
});
