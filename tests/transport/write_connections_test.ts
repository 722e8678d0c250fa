import assert from "node:assert/strict";
import { type ApiRequest, type Fetch, NetworkError, Transport } from "../../mod.ts";
import { KeepAliveServer } from "../support/keep_alive_server.ts";
import { FakeTime } from "../support/fake_time.ts";
import { STUB_CREDENTIALS, StubClient, stubPlatform } from "../support/stub_client.ts";

const WRITES = 30;

function transportAt(url: string, fetch?: Fetch): Transport {
  const { now, sleep } = new FakeTime();
  return new Transport(
    { platform: stubPlatform(url), credentials: STUB_CREDENTIALS },
    { now, sleep, random: () => 1, ...(fetch === undefined ? {} : { fetch }) },
  );
}

/** Sends writes one after the other; returns how many of them got no response. */
async function sendAll(transport: Transport, url: string, parts: Partial<ApiRequest>): Promise<number> {
  let lost = 0;
  for (let number = 0; number < WRITES; number++) {
    const json = parts.method === "DELETE" || parts.form ? {} : { json: { number } };
    const request = { method: "PUT", baseUrl: url, path: "/things", idempotent: false, ...json, ...parts };
    await transport.send(request).catch((error) => {
      assert.ok(error instanceof NetworkError && error.mayHaveActed, String(error));
      lost++;
    });
  }
  return lost;
}

for (const perConnection of [1, 2, 3]) {
  Deno.test(`no write is carried out twice when every connection is cut after ${perConnection}, and none is lost from sight`, async () => {
    await using server = new KeepAliveServer({ perConnection });
    const lost = await sendAll(transportAt(server.url), server.url, {});
    assert.deepEqual(
      server.acted.map((body) => JSON.parse(body).number),
      [...Array(WRITES).keys()],
      "each was carried out once, in order",
    );
    assert.equal(lost, Math.floor(WRITES / perConnection));
  });
}

Deno.test("writes one after the other share a connection", async () => {
  await using server = new KeepAliveServer({ perConnection: Infinity });
  assert.equal(await sendAll(transportAt(server.url), server.url, {}), 0);
  assert.equal(server.acted.length, WRITES);
  assert.ok(server.connections <= 2, `one for the token and one for the writes, not ${server.connections}`);
});

Deno.test("a write without a body is carried out once on connections that are cut", async () => {
  await using server = new KeepAliveServer({ perConnection: 2 });
  const lost = await sendAll(transportAt(server.url), server.url, { method: "DELETE" });
  assert.equal(server.acted.length, WRITES);
  assert.equal(lost, 0, "each has a connection of its own");
});

Deno.test("a form is carried out once on connections that are cut", async () => {
  await using server = new KeepAliveServer({ perConnection: 2 });
  const form = new FormData();
  form.set("name", "value");
  const lost = await sendAll(transportAt(server.url), server.url, { method: "POST", form });
  assert.equal(server.acted.length, WRITES);
  assert.equal(lost, 0, "each has a connection of its own");
});

Deno.test("a custom fetch that hands on to the runtime's carries a write out once too", async () => {
  await using server = new KeepAliveServer({ perConnection: 2 });
  const fetch: Fetch = (input, init) => globalThis.fetch(input, init);
  await sendAll(transportAt(server.url, fetch), server.url, {});
  assert.equal(server.acted.length, WRITES);
});

Deno.test("a custom fetch, and one that stands in for the runtime's, gets headers and the body as text", async () => {
  const seen: unknown[] = [];
  const fetch: Fetch = (input, init) => {
    if (input.endsWith("/token")) {
      return Promise.resolve(Response.json({ access_token: "t", expires_in: 60 }));
    }
    seen.push([init?.body, init?.headers instanceof Headers && init.headers.get("content-type")]);
    return Promise.resolve(Response.json({}));
  };
  const write = {
    method: "PUT",
    path: "/things",
    json: { a: 1 },
    idempotent: false,
    baseUrl: "http://a.test",
  };
  await transportAt("http://a.test", fetch).send(write);
  const own = globalThis.fetch;
  globalThis.fetch = (input, init) => fetch(String(input), init);
  try {
    await transportAt("http://a.test").send(write);
  } finally {
    globalThis.fetch = own;
  }
  assert.deepEqual(seen, [['{"a":1}', "application/json"], ['{"a":1}', "application/json"]]);
});

Deno.test("the body of a write has its length, and arrives as it was written", async () => {
  await using client = StubClient.start(() => ({ json: "done" }));
  const text = "ü€𝄞 ".repeat(20_000);
  await client.send({ method: "PUT", json: { text } });
  const [request] = client.requests;
  assert.deepEqual(JSON.parse(request!.body), { text });
  assert.equal(request!.headers.get("transfer-encoding"), null);
  assert.equal(
    request!.headers.get("content-length"),
    String(new TextEncoder().encode(request!.body).length),
  );
  assert.equal(request!.headers.get("content-type"), "application/json");
});
