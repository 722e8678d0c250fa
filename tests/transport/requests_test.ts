import assert from "node:assert/strict";
import type { ApiRequest } from "../../mod.ts";
import { queryText } from "../../src/platform/transport/query_text.ts";
import { StubClient } from "../support/stub_client.ts";

const OK = { json: { ok: true } };

Deno.test("A request carries token, client id, scope, media types and the user agent", async () => {
  await using client = StubClient.start(() => OK, { transport: { userAgent: "tests/1" } });
  await client.send({
    method: "POST",
    path: "/sp/keywords/list",
    json: { maxResults: 5, id: 18446744073709551615n },
    contentType: "application/vnd.spKeyword.v3+json",
    accept: "application/vnd.spKeyword.v3+json",
    scope: "1234567890",
    headers: { Prefer: "return=representation" },
  });
  const { headers, method, path, body } = client.requests[0]!;
  assert.deepEqual([method, path, body], [
    "POST",
    "/na/sp/keywords/list",
    '{"maxResults":5,"id":18446744073709551615}',
  ]);
  const sent = Object.fromEntries(headers);
  assert.equal(sent["authorization"], "Bearer token-1");
  assert.equal(sent["platform-advertising-api-clientid"], "client-id-of-the-stub");
  assert.equal(sent["platform-advertising-api-scope"], "1234567890");
  assert.equal(sent["content-type"], "application/vnd.spKeyword.v3+json");
  assert.equal(sent["accept"], "application/vnd.spKeyword.v3+json");
  assert.equal(sent["prefer"], "return=representation");
  assert.equal(sent["user-agent"], "tests/1");
});

Deno.test("Without scope and body their headers are not sent; JSON is asked for", async () => {
  await using client = StubClient.start(() => OK);
  await client.send({ path: "/v2/profiles" });
  const { headers } = client.requests[0]!;
  assert.equal(headers.get("accept"), "application/json");
  assert.equal(headers.has("content-type"), false);
  assert.equal(headers.has("platform-advertising-api-scope"), false);
});

Deno.test("A caller's header replaces ours, in any case; token, client and profile are refused", async () => {
  await using client = StubClient.start(() => OK, { platform: { wireWord: "acme" } });
  await client.send({ headers: { ACCEPT: "text/csv" } });
  assert.equal(client.requests[0]!.headers.get("accept"), "text/csv");
  const own = [
    "AUTHORIZATION",
    "Platform-Advertising-API-Scope",
    "acme-advertising-api-scope",
    "Platform-Advertising-API-ClientId",
  ];
  for (const name of own) {
    await assert.rejects(
      client.send({ headers: { [name]: "mine" } }),
      /Cannot send the header ".*": the client fills it/,
    );
  }
  assert.equal(client.requests.length, 1);
});

Deno.test("The platform's own word goes on the wire in header names and media types, not in values or bodies", async () => {
  await using client = StubClient.start(() => OK, { platform: { wireWord: "acme" } });
  await client.send({
    method: "POST",
    json: { name: "platform shoes" },
    scope: "1",
    contentType: "application/vnd.platformthing.v1+json",
    accept: "application/vnd.platformthing.v1+json",
    headers: { "Platform-Ads-AccountId": "platform-account" },
  });
  const { headers, body } = client.requests[0]!;
  assert.equal(headers.get("acme-advertising-api-clientid"), "client-id-of-the-stub");
  assert.equal(headers.get("acme-advertising-api-scope"), "1");
  assert.equal(headers.get("acme-ads-accountid"), "platform-account");
  assert.equal(headers.get("content-type"), "application/vnd.acmething.v1+json");
  assert.equal(headers.get("accept"), "application/vnd.acmething.v1+json");
  assert.equal(body, '{"name":"platform shoes"}');
});

Deno.test("Header names come from the settings", async () => {
  const headers = { clientId: "Acme-Client", scope: "Acme-Scope", requestId: "acme-request" };
  await using client = StubClient.start(() => ({ ...OK, headers: { "acme-request": "R1" } }), {
    platform: { headers },
  });
  const request = {
    method: "GET",
    baseUrl: `${client.server.url}/na`,
    path: "/x",
    idempotent: true,
    scope: "7",
  };
  const { requestId } = await client.transport.send(request);
  assert.equal(requestId, "R1");
  assert.equal(client.requests[0]!.headers.get("acme-client"), "client-id-of-the-stub");
  assert.equal(client.requests[0]!.headers.get("acme-scope"), "7");
});

Deno.test("The request id is found under each of its names, the platform's word in place", async () => {
  const names = ["x-acme-request-id", "x-acme-rid", "x-acme-requestid"];
  await using client = StubClient.start(
    (_, turn) => ({ ...OK, headers: { [names[turn - 1]!]: `R${turn}` } }),
    {
      platform: { wireWord: "acme" },
    },
  );
  const request = { method: "GET", baseUrl: `${client.server.url}/na`, path: "/x", idempotent: true };
  for (const turn of [1, 2, 3]) assert.equal((await client.transport.send(request)).requestId, `R${turn}`);
});

Deno.test("Query parameters are encoded; lists are joined by commas, absent ones left out", () => {
  assert.equal(queryText(), "");
  assert.equal(queryText({ a: undefined }), "");
  assert.equal(
    queryText({ a: "x y&z", b: ["1", 2], c: true, d: undefined, "e/f": 0, g: "ü+%" }),
    "?a=x%20y%26z&b=1,2&c=true&e%2Ff=0&g=%C3%BC%2B%25",
  );
});

Deno.test("A path whose segments are encoded is sent as it is", async () => {
  await using client = StubClient.start(() => OK);
  for (
    const path of ["/things/a%20b%2Fc", "/v1.2/things", "/things/~a:b@c,d;e=(f)!", "/things/..a/...", "/"]
  ) {
    await client.send({ path });
    assert.equal(client.requests.at(-1)?.path, `/na${path}`);
  }
});

const UNSENDABLE: readonly [what: string, request: Partial<ApiRequest>, message: RegExp][] = [
  ["a path without a slash", { path: "things" }, /a path begins with a slash/],
  ["an address in place of a path", { path: "https://evil.example/x" }, /begins with a slash/],
  ["a query in the path", { path: "/things?x=1" }, /Pass a query as parameters/],
  ["a fragment in the path", { path: "/things#x" }, /no #/],
  ["a backslash in the path", { path: "/things\\x" }, /a backslash/],
  ["a space in the path", { path: "/things x" }, /a space/],
  ["a line break in the path", { path: "/things\r\nX: y" }, /control character/],
  ["a way up in the path", { path: "/sp/../v2/profiles" }, /"\." segment/],
  ["an encoded way up in the path", { path: "/sp/%2E%2e/x" }, /"\." segment/],
  ["a method that is none", { method: "FETCH" }, /"FETCH": it is not an HTTP method/],
  ["a body on a GET", { json: {} }, /GET \/things with a body/],
  ["a header value with a line break", { headers: { "X-A": "a\nb" } }, /./],
  ["a header value that is not Latin", { headers: { "X-A": "日本" } }, /./],
  ["a header name with a space", { headers: { "X A": "a" } }, /./],
];

for (const [what, request, message] of UNSENDABLE) {
  Deno.test(`A request with ${what} is refused before anything is sent`, async () => {
    await using client = StubClient.start(() => OK);
    await assert.rejects(
      client.send(request),
      (error: Error) => error instanceof TypeError && message.test(error.message),
    );
    assert.equal(client.server.requests.length, 0);
  });
}

Deno.test("A list of values can be written as the same parameter again and again", () => {
  assert.equal(queryText({ id: { repeated: ["a b", 2] }, x: 1 }), "?id=a%20b&id=2&x=1");
  assert.equal(queryText({ id: { repeated: [] } }), "");
  assert.throws(() => queryText({ id: { repeated: [NaN] } }), /query parameter "id": NaN is no text/);
  const values = [[{ a: 1 }, '{"a":1}'], [null, "null"], [undefined, undefined], [{ repeated: "a" }, ".+"]];
  for (const [value, shown] of values) {
    if (shown === undefined) assert.equal(queryText({ x: value as undefined }), "");
    else assert.throws(() => queryText({ x: value as string }), new RegExp(`"x": ${shown} is no text`));
  }
});

Deno.test("A transport with a senseless timeout or retry policy is refused", () => {
  for (const timeout of [0, -1, NaN]) {
    assert.throws(() => StubClient.start(() => OK, { transport: { timeout } }));
  }
  for (const retry of [{ maxAttempts: 0 }, { backoffBase: -1 }, { backoffMax: NaN }]) {
    assert.throws(() => StubClient.start(() => OK, { transport: { retry } }), RangeError);
  }
});

for (const value of [{ include: ["1"] }, [["1"]], NaN, null, 1n] as unknown[]) {
  Deno.test(`A query parameter cannot be ${typeof value === "bigint" ? "1n" : JSON.stringify(value)}, and nothing is sent`, async () => {
    await using client = StubClient.start(() => ({ json: {} }));
    const params = { stateFilter: value as string };
    await assert.rejects(
      client.send({ params }),
      /^TypeError: Cannot send the query parameter "stateFilter"/,
    );
    assert.equal(client.server.requests.length, 0);
  });
}
