import assert from "node:assert/strict";
import { NetworkError, Transport } from "../../mod.ts";
import { connectionNeverMade } from "../../src/platform/transport/exchange.ts";
import { expiringTimers } from "../support/expiring_timers.ts";
import { FakeTime } from "../support/fake_time.ts";
import { deadUrl, type RawReaction, RawServer } from "../support/raw_server.ts";
import { STUB_CREDENTIALS, StubClient, stubPlatform } from "../support/stub_client.ts";

const TOKEN = whole('{"access_token":"token-1","expires_in":3600}');

function whole(body: string, head = "HTTP/1.1 200 OK\r\ncontent-type: application/json"): RawReaction {
  return { write: `${head}\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}` };
}

/** A transport at a server of bytes that grants tokens and reacts to everything else as the test says. */
function rawClient(
  react: (turn: number) => RawReaction,
  { maxAttempts = 3, timeout = 10 }: { maxAttempts?: number; timeout?: number } = {},
): {
  server: RawServer;
  requests: () => number;
  send: (method: "GET" | "POST") => Promise<unknown>;
} {
  let turn = 0;
  const server = RawServer.start((request) => request.startsWith("POST /token") ? TOKEN : react(++turn));
  const { now, sleep } = new FakeTime();
  const transport = new Transport(
    { platform: stubPlatform(server.url), credentials: STUB_CREDENTIALS },
    { now, sleep, random: () => 1, retry: { maxAttempts }, timeout },
  );
  const send = async (method: "GET" | "POST"): Promise<unknown> => {
    const body = method === "POST" ? { json: { a: 1 } } : {};
    const request = { method, baseUrl: server.url, path: "/x", idempotent: method === "GET", ...body };
    return (await transport.send(request)).json;
  };
  return { server, requests: () => turn, send };
}

const LOSSES: Readonly<Record<string, { reaction: RawReaction; timedOut: boolean; why: RegExp }>> = {
  "dropped without an answer": { reaction: "drop", timedOut: false, why: /the connection was lost/ },
  "cut in the middle of the body": {
    reaction: {
      write: 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{"a":[1',
    },
    timedOut: false,
    why: /the connection was lost/,
  },
  "cut in the middle of a chunk": {
    reaction: { write: "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n9\r\n[1,2" },
    timedOut: false,
    why: /the connection was lost/,
  },
  "answered with something else than HTTP": {
    reaction: { write: "garbage\r\n\r\n" },
    timedOut: false,
    why: /the connection was lost/,
  },
  "never answered": { reaction: "hold", timedOut: true, why: /no response within 7 s/ },
};
/** Seconds for a response. They end where the server leaves a request without one, and at no other time. */
const TIMEOUT = 7;

for (const [how, { reaction, timedOut, why }] of Object.entries(LOSSES)) {
  Deno.test(`A read whose connection is ${how} is repeated`, async () => {
    using timers = expiringTimers(TIMEOUT);
    const lose = (): RawReaction => {
      if (timedOut) timers.expire();
      return reaction;
    };
    const client = rawClient((turn) => turn < 3 ? lose() : whole('{"ok":1}'), { timeout: TIMEOUT });
    await using _server = client.server;
    assert.deepEqual(await client.send("GET"), { ok: 1 });
    assert.equal(client.requests(), 3);
  });

  Deno.test(`A write whose connection is ${how} is sent once, and may have been done`, async () => {
    using timers = expiringTimers(TIMEOUT);
    const lose = (): RawReaction => {
      if (timedOut) timers.expire();
      return reaction;
    };
    const client = rawClient(lose, { timeout: TIMEOUT });
    await using _server = client.server;
    await assert.rejects(client.send("POST"), (error: Error) => {
      assert.ok(error instanceof NetworkError, String(error));
      assert.match(error.message, why);
      assert.deepEqual([error.mayHaveActed, error.timedOut], [true, timedOut]);
      assert.deepEqual([error.method, error.url], ["POST", `${client.server.url}/x`]);
      assert.ok(error.cause instanceof Error);
      return true;
    });
    assert.equal(client.requests(), 1);
  });
}

Deno.test("A read that is never answered is given up after the attempts that the policy allows", async () => {
  const client = rawClient(() => "drop");
  await using _server = client.server;
  await assert.rejects(client.send("GET"), NetworkError);
  assert.equal(client.requests(), 3);
});

Deno.test("A refused connection is tried again, for a write too, and nothing can have been done", async () => {
  let attempts = 0;
  const dead = deadUrl();
  const fetch = (input: string, init?: RequestInit): Promise<Response> => {
    if (!input.endsWith("/things")) return globalThis.fetch(input, init);
    return globalThis.fetch(++attempts < 3 ? `${dead}/things` : input, init);
  };
  await using client = StubClient.start(() => ({ json: "done" }), { transport: { fetch } });
  assert.equal(await client.send({ method: "POST", json: {} }), "done");
  assert.equal(attempts, 3);
  assert.deepEqual(client.time.slept, [1, 2]);
});

Deno.test("A host that refuses is told apart from a lost answer", async () => {
  await using client = StubClient.start(() => ({}), { transport: { retry: { maxAttempts: 2 } } });
  await assert.rejects(client.send({ baseUrl: deadUrl(), method: "POST", json: {} }), (error: Error) => {
    assert.ok(error instanceof NetworkError);
    assert.match(error.message, /the connection could not be made/);
    return !error.mayHaveActed && !error.timedOut;
  });
  assert.equal(client.time.slept.length, 1);
});

/** An error of `fetch` as Deno and Node build it: the cause tells why. */
function fetchError(message: string, code?: string): Error {
  const cause = Object.assign(new Error(message), code === undefined ? {} : { code });
  return new TypeError("fetch failed", { cause });
}

const SHAPES: readonly [error: Error, neverMade: boolean][] = [
  [fetchError("connect ECONNREFUSED 127.0.0.1:1", "ECONNREFUSED"), true],
  [fetchError("getaddrinfo ENOTFOUND api.example", "ENOTFOUND"), true],
  [fetchError("getaddrinfo EAI_AGAIN api.example", "EAI_AGAIN"), true],
  [fetchError("Connect Timeout Error", "UND_ERR_CONNECT_TIMEOUT"), true],
  [
    fetchError("error sending request for url (https://a.example/): client error (Connect): dns error: x"),
    true,
  ],
  [
    fetchError(
      "error sending request for url (http://127.0.0.1:1/): client error (Connect): tcp connect error",
    ),
    true,
  ],
  [fetchError("other side closed", "UND_ERR_SOCKET"), false],
  [fetchError("read ECONNRESET", "ECONNRESET"), false],
  [fetchError("client error (SendRequest): connection closed before message completed"), false],
  [new TypeError("error reading a body from connection"), false],
  [new TypeError("terminated"), false],
];

Deno.test("The errors of Deno's and Node's fetch are understood", () => {
  for (const [error, neverMade] of SHAPES) {
    assert.equal(connectionNeverMade(error), neverMade, String((error.cause as Error | undefined) ?? error));
  }
});

Deno.test("A token endpoint that cannot be reached fails a write that was never sent, and says so", async () => {
  const { now, sleep } = new FakeTime();
  const platform = stubPlatform(deadUrl());
  const transport = new Transport({ platform, credentials: STUB_CREDENTIALS }, {
    now,
    sleep,
    retry: { maxAttempts: 2 },
  });
  const request = { method: "POST", baseUrl: platform.tokenUrl, path: "/x", json: {}, idempotent: false };
  await assert.rejects(
    transport.send(request),
    (error: Error) =>
      error instanceof NetworkError && !error.mayHaveActed && /access token/.test(error.message),
  );
});

Deno.test("A request may have a time limit of its own, and one without end does not end at once", async () => {
  const client = rawClient(() => "hold", { maxAttempts: 1 });
  await using _server = client.server;
  await using stub = StubClient.start(async () => {
    await new Promise((resume) => setTimeout(resume, 20));
    return { json: "done" };
  }, { transport: { timeout: Infinity } });
  assert.equal(await stub.send({ method: "POST", json: {} }), "done");
  await assert.rejects(
    stub.send({ baseUrl: client.server.url, method: "POST", json: {}, timeout: 0.01 }),
    /no response within 0\.01 s/,
  );
});

for (const grant of ["refresh_token", "authorization_code"] as const) {
  const again = grant === "refresh_token";
  Deno.test(`a form with the grant ${grant} that got no answer is ${again ? "sent again" : "not sent again: its code works once"}`, async () => {
    let asked = 0;
    await using server = RawServer.start(() => ++asked === 1 ? "drop" : TOKEN);
    const { now, sleep } = new FakeTime();
    const transport = new Transport(
      { platform: stubPlatform(server.url), credentials: STUB_CREDENTIALS },
      { now, sleep, random: () => 1, timeout: 1 },
    );
    const form = { grant_type: grant, ...(again ? { refresh_token: "r" } : { code: "works-once" }) };
    const answer = transport.postForm(form);
    if (again) assert.equal((await answer).status, 200);
    else await assert.rejects(answer, NetworkError);
    assert.equal(asked, again ? 2 : 1);
  });
}
