import { deepEqual, equal, match, ok, rejects, throws } from "../support/assert.ts";
import { AuthError, NetworkError, Pacer, RETRY_RULES, Transport, type TransportEvent } from "../../mod.ts";
import { FakeTime } from "../support/fake_time.ts";
import { STUB_CREDENTIALS, stubPlatform } from "../support/stub_client.ts";
import { busyRequests, done, throttled, transportWorld } from "./transport_world.ts";
import { until } from "../support/until.ts";

const CONNECTION = { platform: stubPlatform("http://127.0.0.1:9"), credentials: STUB_CREDENTIALS };

const failed = (status: number): Response => new Response("", { status });

Deno.test("a client that is told nothing has the runtime's clock, a minute for each request and its own name", async () => {
  const seen: (string | null)[] = [];
  const own = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    seen.push(new Headers(init?.headers).get("user-agent"));
    return Promise.resolve(
      String(input).endsWith("/token") ? Response.json({ access_token: "t", expires_in: 60 }) : done(),
    );
  };
  try {
    const transport = new Transport(CONNECTION);
    deepEqual([transport.timeout, transport.random, transport.now], [60, Math.random, Date.now]);
    const { baseUrl } = CONNECTION.platform.regions.NA!;
    await transport.send({ method: "GET", baseUrl, path: "/x", idempotent: true });
    deepEqual(seen, ["platform-ads", "platform-ads"]);
    equal(transport.pacer.remaining, 0);
  } finally {
    globalThis.fetch = own;
  }
  for (const timeout of [0, -1, NaN]) throws(() => new Transport(CONNECTION, { timeout }), RangeError);
});

Deno.test("a client waits as it was given to, for the exports under way too", async () => {
  const time = new FakeTime();
  const events: TransportEvent[] = [];
  const made = transportWorld((path, turn) => {
    if (path.endsWith("/export")) return Response.json({ exportId: `e${turn}`, status: "PROCESSING" });
    return Response.json({ status: time.slept.length > 0 ? "COMPLETED" : "PROCESSING" });
  }, { now: time.now, sleep: time.sleep, onEvent: (event) => events.push(event) });
  const create = { method: "POST", path: "/ads/export", json: {}, idempotent: false };
  for (let count = 0; count < 6; count++) await made.send(create);
  deepEqual(time.slept, [2]);
  const { url, ...wait } = events.find(({ kind }) => kind === "wait")!;
  deepEqual(wait, { kind: "wait", method: "POST", seconds: 2, waitsFor: "exports" });
  match(url, /\/na\/ads\/export$/);
});

Deno.test("a warning is given each time, or once where that is asked for, and without secrets", () => {
  const given: string[] = [];
  const transport = new Transport(CONNECTION, { onWarning: (warning) => given.push(warning) });
  const { clientSecret } = STUB_CREDENTIALS;
  for (let time = 0; time < 2; time++) {
    transport.warn(`with ${clientSecret}`);
    transport.warn("only once", { once: true });
  }
  transport.warn("another", { once: true });
  transport.warn("said before");
  transport.warn("said before", { once: true });
  transport.warn("only once");
  deepEqual(given, [
    "with [redacted]",
    "only once",
    "with [redacted]",
    "another",
    "said before",
    "said before",
    "only once",
  ]);
  equal(transport.clean(`a ${clientSecret} b`), "a [redacted] b");

  const { warn } = console;
  console.warn = (text: string) => given.push(`console: ${text}`);
  try {
    new Transport(CONNECTION).warn("nobody listens");
  } finally {
    console.warn = warn;
  }
  equal(given.at(-1), "console: nobody listens");
});

Deno.test("a guard is asked before a request is sent or waits, and what it throws refuses it", async () => {
  const made = transportWorld(done, {
    guard: async ({ method }) => {
      await null;
      if (method !== "GET") throw new RangeError("not allowed");
    },
  });
  await rejects(made.send({ method: "POST", json: {}, idempotent: false }), /not allowed/);
  deepEqual([made.sent.length, made.transport.pacer.paces()], [0, []]);
  equal(await made.send(), "done");
});

Deno.test("the text of a success is handed on as it came, that of a failure is not", async () => {
  const texts: string[] = [];
  const made = transportWorld((_, turn) =>
    turn === 1 ? new Response("no", { status: 500 }) : new Response(' "a" ')
  );
  equal(await made.send({ onText: (text) => texts.push(text) }), "a");
  deepEqual(texts, [' "a" ']);
});

const NOTHING_DONE: readonly [what: string, response: () => Response, nothingDone: number][] = [
  ["399", () => failed(399), 0],
  ["400", () => failed(400), 1],
  ["499", () => failed(499), 1],
  ["500", () => failed(500), 0],
  ["a success", done, 0],
  ["a lost connection", () => {
    throw new Error("connection reset");
  }, 0],
  ["a refused connection", () => {
    throw Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
  }, 1],
];

for (const [what, response, expected] of NOTHING_DONE) {
  Deno.test(`after ${what} it is ${expected === 1 ? "" : "not "}certain that a write was not carried out, and its place is free`, async () => {
    let nothingDone = 0;
    const made = transportWorld(async () => {
      await null;
      return response();
    }, { retry: { maxAttempts: 1 } });
    const write = { method: "POST", json: {}, idempotent: false, onNothingDone: () => nothingDone++ };
    await made.send(write).catch(() => {});
    deepEqual([nothingDone, busyRequests(made)], [expected, 0]);
  });
}

const GIVEN_BACK: typeof NOTHING_DONE = [
  ...NOTHING_DONE,
  ["a response that cannot be read", () => new Response("{"), 0],
];

for (const [what, response, expected] of GIVEN_BACK) {
  Deno.test(`after ${what} a guard ${expected === 1 ? "takes back" : "keeps"} what it counted`, async () => {
    let givenBack = 0;
    const made = transportWorld(async () => {
      await null;
      return response();
    }, { retry: { maxAttempts: 1 }, guard: () => Promise.resolve(() => Promise.resolve(void givenBack++)) });
    await made.send({ method: "POST", json: {}, idempotent: false }).catch(() => {});
    equal(givenBack, expected);
  });
}

Deno.test("a guard takes back what it counted for a request that got no token, and passes on its failure", async () => {
  let givenBack = 0;
  const made = transportWorld(done, {
    fetch: () => Promise.resolve(Response.json({ error: "invalid_grant" }, { status: 400 })),
    guard: () => Promise.resolve(() => Promise.resolve(void givenBack++)),
  });
  await rejects(made.send(), AuthError);
  equal(givenBack, 1);
});

Deno.test("a request that is aborted in flight frees its place", async () => {
  const stop = new AbortController();
  const made = transportWorld(() => {
    stop.abort(new Error("enough"));
    return Promise.reject(new Error("aborted"));
  });
  await rejects(made.send({ signal: stop.signal }), /enough/);
  equal(busyRequests(made), 0);
});

Deno.test("whether requests get through is known of those that were let through, whatever their response says", async () => {
  const made = transportWorld((_, turn) => turn === 1 ? failed(404) : turn === 2 ? throttled(3) : done());
  equal(made.transport.pacer.secondsSincePassed, Infinity);
  await rejects(made.send());
  equal(made.transport.pacer.secondsSincePassed, 0);
  made.time.advance(7);
  await rejects(made.send({ retryThrottled: false }));
  equal(made.transport.pacer.secondsSincePassed, 7);
});

Deno.test("an event tells how long an exchange took, also one without a response", async () => {
  const events: TransportEvent[] = [];
  const made = transportWorld((_, turn) => {
    made.time.advance(1.5);
    if (turn === 1) throw new Error("connection reset");
    return done();
  }, { onEvent: (event) => events.push(event) });
  await made.send();
  deepEqual(
    events.filter(({ url }) => !url.endsWith("/token")).map(({ kind, seconds }) => [kind, seconds]),
    [["no-response", 1.5], ["wait", 1], ["response", 1.5]],
  );
});

Deno.test("a pace is an event once it is known: with its host, group, numbers and an address without a query", async () => {
  const events: TransportEvent[] = [];
  const made = transportWorld(async (_, turn) => {
    if (turn === 5) return throttled(1);
    // The sixth is under way when the fifth is refused.
    for (let wait = 0; turn === 6 && wait < 100; wait++) await null;
    return done();
  }, { onEvent: (event) => events.push(event) });
  const { baseUrl } = CONNECTION.platform.regions.NA!;
  for (let count = 0; count < 4; count++) await made.send({ params: { a: "b" } });
  await Promise.all([made.send({ params: { a: "b" } }), made.send({ params: { a: "b" } })]);
  const paces = events.filter(({ kind }) => kind === "pace");
  equal(paces.length, 1);
  const { rate, limit, waiting, busy, ...pace } = paces[0]!.pace!;
  deepEqual(pace, { host: baseUrl, group: "sp reads" });
  ok(rate === limit && rate! > 3 && rate! < 6 && waiting + busy < 2);
  deepEqual([paces[0]!.url, paces[0]!.method, paces[0]!.seconds], [`${baseUrl}/sp/things`, "GET", 0]);
  const [known] = made.transport.pacer.paces();
  deepEqual([known?.host, known?.group, known?.rate], [baseUrl, "sp reads", rate]);
});

Deno.test("a pace that falls while nothing gets through is an event too", async () => {
  const events: TransportEvent[] = [];
  const made = transportWorld((_, turn) => turn < 5 ? done() : throttled(1), {
    onEvent: (event) => events.push(event),
    retry: { maxAttempts: 3 },
  });
  for (let count = 0; count < 4; count++) await made.send();
  await Promise.allSettled([made.send(), made.send(), made.send()]);
  const rates = events.flatMap(({ pace }) => pace?.rate ?? []);
  ok(rates.length > 1 && rates.every((rate, at) => at === 0 || rate < rates[at - 1]!), rates.join(" "));
});

Deno.test("a fetch for files of other hosts rejects without secrets, and with the reason of an abort as it is", async () => {
  const { clientSecret } = STUB_CREDENTIALS;
  const reason = new Error(`the caller's own: ${clientSecret}`);
  const stop = new AbortController();
  const transport = new Transport(CONNECTION, {
    fetch: (_, init) => Promise.reject(init?.signal?.aborted ? reason : new Error(`sent ${clientSecret}`)),
  });
  await rejects(transport.fetch("http://files.test/a"), /^Error: sent \[redacted\]$/);
  await rejects(transport.fetch("http://files.test/a", { signal: stop.signal }), /sent \[redacted\]/);
  stop.abort();
  await rejects(transport.fetch("http://files.test/a", { signal: stop.signal }), reason);
});

const FORMS: readonly [status: number, body: unknown, result: unknown][] = [
  [200, { access_token: "echo-of-the-code" }, { access_token: "echo-of-the-code" }],
  [200, { access_token: 5, text: "echo-of-the-code" }, { access_token: 5, text: "[redacted]" }],
  [200, null, null],
  [201, { access_token: "echo-of-the-code" }, { access_token: "[redacted]" }],
  [499, "echo-of-the-code", "[redacted]"],
];

for (const [status, body, result] of FORMS) {
  Deno.test(`a form that is answered with ${status} ${JSON.stringify(body)} keeps a secret only in tokens`, async () => {
    const transport = new Transport(CONNECTION, {
      fetch: () => Promise.resolve(Response.json(body, { status })),
    });
    const found = await transport.postForm({ grant_type: "authorization_code", code: "echo-of-the-code" });
    deepEqual(found, { status, body: result });
  });
}

Deno.test("a failure of the token endpoint holds back no other request, and does not pause the client", async () => {
  for (const status of [429, 500, 503]) {
    let asked = 0;
    const time = new FakeTime();
    const transport = new Transport(CONNECTION, {
      now: time.now,
      sleep: time.sleep,
      random: () => 1,
      fetch: () => Promise.resolve(++asked === 1 ? failed(status) : Response.json({ access_token: "t" })),
    });
    const form = { grant_type: "refresh_token", refresh_token: "r" };
    equal((await transport.postForm(form)).status, 200);
    deepEqual([asked, time.slept, transport.pacer.remaining], [2, [1], 0]);
  }
});

Deno.test("a client that shares a pacer waits for the pause that another one began", async () => {
  const time = new FakeTime({ held: true });
  // It takes the clock of the first client.
  const pacer = new Pacer();
  equal(pacer.remaining, 0);
  const [one, two] = [throttled(5), done()].map((response) =>
    transportWorld(() => response.clone(), { now: time.now, sleep: time.sleep, pacer })
  );
  await rejects(one!.send({ retryThrottled: false }));
  const waits = two!.send();
  await until(() => time.sleepers === 1);
  deepEqual([time.slept, two!.sent.length], [[5], 0]);
  time.advance(5);
  equal(await waits, "done");
});

Deno.test("a rule may let the whole client wait after a lost connection too", async () => {
  const made = transportWorld((_, turn) => {
    if (turn === 1) return throttled(3);
    if (turn < 4) throw new Error("connection reset");
    return done();
  }, {
    retry: {
      rules: [
        { on: ["no-response"], requests: "idempotent", delay: "wait", waits: "client" },
        ...RETRY_RULES,
      ],
    },
  });
  equal(await made.send(), "done");
  deepEqual(made.time.slept, [3, 2, 4]);
  equal(busyRequests(made), 0);
});

Deno.test("a connection that is lost is an error with the address, and no query", async () => {
  const made = transportWorld(() => Promise.reject(new Error("reset")), { retry: { maxAttempts: 1 } });
  await rejects(
    made.send({ params: { a: "b" } }),
    (error: Error) => error instanceof NetworkError && error.url.endsWith("/na/sp/things"),
  );
});
