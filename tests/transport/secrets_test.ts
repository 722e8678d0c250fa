import assert from "node:assert/strict";
import { AuthError, type Fetch, NetworkError, Transport, type TransportEvent } from "../../mod.ts";
import { stringifyJson } from "../../src/base/json/json.ts";
import { deadUrl } from "../support/raw_server.ts";
import { STUB_CREDENTIALS, StubClient, stubPlatform } from "../support/stub_client.ts";
import { type StubHandler, type StubRequest, StubServer } from "../support/stub_server.ts";

const PLANTED = [STUB_CREDENTIALS.clientSecret, STUB_CREDENTIALS.refreshToken, "token-1", "token-2"];

/** Everything that the error, its causes and its fields say. */
function everythingIn(error: unknown): string {
  const seen: string[] = [];
  for (let at = error; at instanceof Error; at = at.cause) {
    seen.push(
      String(at),
      at.stack ?? "",
      JSON.stringify(Object.getOwnPropertyDescriptors(at)),
      Deno.inspect(at),
    );
  }
  return seen.join("\n");
}

function echo(request: StubRequest): string {
  return `${JSON.stringify(Object.fromEntries(request.headers))} ${
    request.headers.get("authorization")?.slice(7)
  } ` +
    `${request.body} ${decodeURIComponent(request.body)} ${PLANTED[0]} ${encodeURIComponent(PLANTED[1]!)}`;
}

const ECHOES: Readonly<Record<string, StubHandler>> = {
  "as text": (request) => ({ status: 400, text: echo(request), headers: { "content-type": "text/plain" } }),
  "as HTML": (request) => ({ status: 502, text: `<title>${echo(request).replaceAll("<", "")}</title>` }),
  "as code and message": (request) => ({
    status: 403,
    json: { code: echo(request), message: echo(request) },
  }),
  "as a request id": (request) => ({
    status: 422,
    json: { message: "x", requestId: echo(request) },
  }),
  "in a header": (request) => ({
    status: 404,
    headers: { "x-platform-request-id": `R-${request.headers.get("authorization")}` },
  }),
  "as a persistent 401": (request) => ({ status: 401, json: { details: echo(request) } }),
  "as malformed JSON": (request) => ({
    text: `{"a": ${echo(request)}`,
    headers: { "content-type": "application/json" },
  }),
};

for (const [how, handler] of Object.entries(ECHOES)) {
  Deno.test(`No error and no event keeps a secret that the platform echoes ${how}`, async () => {
    const events: TransportEvent[] = [];
    await using client = StubClient.start(handler, { transport: { onEvent: (event) => events.push(event) } });
    const error = await client.send({ method: "POST", json: { refresh_token: PLANTED[1] } }).then(
      () => assert.fail("it should fail"),
      (thrown) => thrown,
    );
    const seen = everythingIn(error) + JSON.stringify(events);
    for (const secret of PLANTED) assert.ok(!seen.includes(secret), `${secret} in ${seen}`);
  });
}

for (const status of [400, 401, 403, 429, 500]) {
  Deno.test(`No AuthError keeps a secret that the identity provider echoes with ${status}`, async () => {
    await using client = StubClient.start((request) => ({
      status,
      json: { error: `bad ${PLANTED[0]}`, error_description: echo(request), access_token: null },
    }), { tokens: false, transport: { retry: { maxAttempts: 1 } } });
    const error = await client.send().then(() => assert.fail("it should fail"), (thrown) => thrown);
    assert.ok(error instanceof AuthError);
    const seen = everythingIn(error);
    for (const secret of PLANTED) assert.ok(!seen.includes(secret), `${secret} in ${seen}`);
  });
}

Deno.test("A lost connection does not show the query of its address", async () => {
  await using client = StubClient.start(() => ({ json: 1 }), { transport: { retry: { maxAttempts: 1 } } });
  const error = await client.send({ baseUrl: deadUrl(), params: { token: "planted-in-query" } })
    .then(() => assert.fail("it should fail"), (thrown) => thrown);
  assert.ok(!everythingIn(error).includes("planted-in-query"), everythingIn(error));
});

/** Errors of HTTP clients, all of which hold what they were asked to send. */
const CLIENT_ERRORS: Readonly<Record<string, (quoted: string, headers: Headers) => unknown>> = {
  "in its message": (quoted) => new TypeError(`cannot send ${quoted}`),
  "in a cause that is no error": (quoted) =>
    new TypeError("failed", { cause: { request: quoted, tries: [quoted] } }),
  "in a cause that is a text": (quoted) => new TypeError("failed", { cause: quoted }),
  "in its own fields": (quoted, headers) =>
    Object.assign(new Error("failed"), {
      config: { headers: Object.fromEntries(headers), data: quoted },
      request: new Request("http://127.0.0.1/", { headers }),
      [quoted]: 1,
    }),
  "in one of several errors": (quoted) =>
    new AggregateError([new Error("first"), new Error(quoted)], "all failed"),
  "as a text": (quoted) => quoted,
  "as an object": (quoted) => ({ failed: { with: quoted } }),
};

for (const [how, make] of Object.entries(CLIENT_ERRORS)) {
  Deno.test(`No error keeps a secret of a custom fetch that throws it ${how}`, async () => {
    const secrets = [...PLANTED.slice(0, 2), "opaque-token-of-no-pattern"];
    const fetch: Fetch = (input, init) => {
      if (input.endsWith("/token")) {
        return Promise.resolve(Response.json({ access_token: secrets[2], expires_in: 3600 }));
      }
      const headers = new Headers(init?.headers);
      return Promise.reject(
        make(`${headers.get("authorization")} ${secrets.join(" ")} ${init?.body}`, headers),
      );
    };
    await using client = StubClient.start(() => ({}), { transport: { fetch, retry: { maxAttempts: 1 } } });
    for (
      const work of [
        () => client.send({ method: "POST", json: {} }),
        () =>
          client.transport.fetch("http://127.0.0.1/file", {
            headers: { authorization: `Bearer ${secrets[2]}` },
          }),
      ]
    ) {
      const error: unknown = await work().then(() => assert.fail("it should fail"), (thrown) => thrown);
      const seen = Deno.inspect(error, { depth: 20, showHidden: true }) + everythingIn(error);
      for (const secret of secrets) assert.ok(!seen.includes(secret), `${secret} in ${seen}`);
    }
    await assert.rejects(client.send(), NetworkError);
  });
}

Deno.test("No AuthError keeps a secret of a custom fetch that fails on the way to the token", async () => {
  const fetch: Fetch = (_, init) =>
    Promise.reject(Object.assign(new Error("failed"), { sent: { form: init?.body } }));
  await using client = StubClient.start(() => ({}), { transport: { fetch, retry: { maxAttempts: 1 } } });
  const error: unknown = await client.send().then(() => assert.fail("it should fail"), (thrown) => thrown);
  const seen = Deno.inspect(error, { depth: 20 });
  for (const secret of PLANTED) assert.ok(!seen.includes(secret), `${secret} in ${seen}`);
});

/** As long as real ones, which are looked for in the long texts of a response alone. */
const LONG = { clientId: "id", clientSecret: `s3/cr3t ${"x".repeat(40)}`, refreshToken: "r+t.".repeat(20) };

for (const [length, credentials] of Object.entries({ long: LONG, short: STUB_CREDENTIALS })) {
  Deno.test(`A response keeps no ${length} secret that the platform echoes in it, and loses nothing else`, async () => {
    const { clientSecret, refreshToken } = credentials;
    const body = (secret: (text: string) => string): unknown => ({
      plain: secret(clientSecret),
      inside: `before ${secret(encodeURIComponent(clientSecret))} after`,
      list: [1, "a", null, [secret(refreshToken)]],
      [`name ${secret(refreshToken)}`]: true,
      big: 18446744073709551615n,
      text: "x".repeat(100),
    });
    const json = (text: (secret: string) => string): string =>
      stringifyJson(body(text)).replaceAll("/", "\\u002f");
    await using server = StubServer.start(({ path }) =>
      path === "/token" ? { json: { access_token: "t".repeat(60), expires_in: 3600 } } : {
        text: json((secret) => secret),
        headers: { "content-type": "application/json", "x-echo": `a ${refreshToken}`, "x-request-id": "r" },
      }
    );
    const transport = new Transport({ platform: stubPlatform(server.url), credentials }, {});
    const response = await transport.send({
      method: "GET",
      baseUrl: server.url,
      path: "/x",
      idempotent: true,
    });
    const expected = body(() => "[redacted]") as Record<string, unknown>;
    assert.deepEqual(response.json, { ...expected, big: "18446744073709551615" });
    assert.equal(response.headers.get("x-echo"), "a [redacted]");
    assert.equal(response.requestId, undefined);
    assert.ok(!Deno.inspect(response, { depth: 9, showHidden: true }).includes(refreshToken));
  });
}
