import assert from "node:assert/strict";
import { ApiError, NetworkError, type TransportEvent } from "../../mod.ts";
import { StubClient } from "../support/stub_client.ts";
import type { StubAnswer } from "../support/stub_server.ts";

const READ: readonly [what: string, answer: StubAnswer, expected: unknown][] = [
  ["JSON with big integers", {
    text: '{"profileId":18446744073709551615,"small":5}',
    headers: { "content-type": "application/vnd.x.v3+json" },
  }, { profileId: "18446744073709551615", small: 5 }],
  ["an empty body as nothing", { status: 200, text: "" }, undefined],
  ["an empty body of a JSON type as nothing", {
    text: " \n",
    headers: { "content-type": "application/json" },
  }, undefined],
  ["204 as nothing", { status: 204 }, undefined],
  ["207 as it is", { status: 207, json: { a: { success: [], error: [{}] } } }, {
    a: { success: [], error: [{}] },
  }],
  ["plain text as text", { text: "pong", headers: { "content-type": "text/plain" } }, "pong"],
  ["HTML as text", { text: "<p>hi</p>", headers: { "content-type": "text/html" } }, "<p>hi</p>"],
  ["JSON under a wrong type as JSON", { text: '{"a":1}', headers: { "content-type": "text/plain" } }, {
    a: 1,
  }],
];

for (const [what, answer, expected] of READ) {
  Deno.test(`An answer is read: ${what}`, async () => {
    await using client = StubClient.start(() => answer);
    assert.deepEqual(await client.send(), expected);
  });
}

Deno.test("An answer has its status, and its address where it is a redirect without a body", async () => {
  const cases: readonly [status: number, json: unknown][] = [
    [201, undefined],
    [299, undefined],
    [300, { location: "/there" }],
    [399, { location: "/there" }],
  ];
  for (const [status, json] of cases) {
    await using client = StubClient.start(() => ({ status, headers: { location: "/there" } }));
    const baseUrl = `${client.server.url}/na`;
    const found = await client.transport.send({ method: "GET", baseUrl, path: "/x", idempotent: true });
    assert.deepEqual([found.status, found.json], [status, json]);
  }
});

Deno.test("An answer that says nothing of its type is JSON, and not text when that is cut short", async () => {
  const fetch = (input: string): Promise<Response> =>
    Promise.resolve(
      input.endsWith("/token")
        ? Response.json({ access_token: "t", expires_in: 60 })
        : new Response(new TextEncoder().encode('{"a":')),
    );
  await using client = StubClient.start(() => ({}), { transport: { fetch, retry: { maxAttempts: 1 } } });
  await assert.rejects(client.send(), NetworkError);
});

Deno.test("A redirect is not followed: a GET gets its address, and nothing goes there", async () => {
  await using client = StubClient.start(({ path }) =>
    path === "/na/things" ? { status: 307, headers: { location: "/na/elsewhere" } } : { json: "followed" }
  );
  assert.deepEqual(await client.send(), { location: "/na/elsewhere" });
  assert.deepEqual(client.requests.map(({ path }) => path), ["/na/things"]);
});

Deno.test("A redirect that answers a list or a write is a failure, not an empty result", async () => {
  let status = 0;
  await using client = StubClient.start(() => ({ status, headers: { location: "/login" } }));
  for (status of [300, 302]) {
    for (const idempotent of [true, false]) {
      await assert.rejects(
        client.send({ method: "POST", json: {}, idempotent }),
        (error: Error) => error instanceof ApiError && error.statusCode === status,
      );
    }
  }
  assert.equal(client.requests.length, 4);
});

Deno.test("JSON that is malformed is repeated for a read, and for a write said to be possibly done", async () => {
  const broken = { text: '{"a":[1,2', headers: { "content-type": "application/json" } };
  await using client = StubClient.start((_, turn) => turn === 2 ? { json: { ok: 1 } } : broken);
  assert.deepEqual(await client.send(), { ok: 1 });
  await assert.rejects(client.send({ method: "POST", json: {} }), (error: Error) => {
    assert.ok(error instanceof NetworkError);
    assert.match(error.message, /JSON is cut short or malformed/);
    return error.mayHaveActed && !error.timedOut;
  });
  assert.equal(client.requests.length, 3);
});

Deno.test("Every exchange and every wait is told, without query, body or token", async () => {
  const events: TransportEvent[] = [];
  await using client = StubClient.start(
    (_, turn) => turn === 1 ? { status: 503 } : { json: 1, headers: { "x-platform-request-id": "R2" } },
    { transport: { onEvent: (event) => events.push(event) } },
  );
  await client.send({ params: { secretQuery: "s3cr3t-query" } });
  const { url } = client.server;
  assert.deepEqual(events, [
    { kind: "response", method: "POST", url: `${url}/token`, status: 200, seconds: 0 },
    { kind: "response", method: "GET", url: `${url}/na/things`, status: 503, seconds: 0 },
    { kind: "wait", method: "GET", url: `${url}/na/things`, seconds: 1 },
    { kind: "response", method: "GET", url: `${url}/na/things`, status: 200, requestId: "R2", seconds: 0 },
  ]);
});
