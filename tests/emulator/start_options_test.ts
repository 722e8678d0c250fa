import assert from "node:assert/strict";
import { PlatformAds } from "../../mod.ts";
import { Emulator } from "../../src/emulator/mod.ts";
import { Caller } from "./caller.ts";

Deno.test("it listens on loopback and refuses other addresses unless they are meant", async () => {
  for (const host of ["0.0.0.0", "::", "192.0.2.7", "example.test"]) {
    await assert.rejects(
      Emulator.start({ host }),
      new RangeError(
        `Cannot listen on "${host}": anyone who reaches this machine could read and change the emulator, and read its ` +
          'credentials. Set "exposeToNetwork" to allow that',
      ),
    );
  }
  const emulator = await Emulator.start({ host: "0.0.0.0", exposeToNetwork: true });
  assert.match(emulator.url, /^http:\/\/127\.0\.0\.1:\d+$/);
  await emulator.stop();
  await assert.rejects(
    Emulator.start({ host: "192.0.2.7", exposeToNetwork: true }),
    /on "192\.0\.2\.7": this machine has no such address$/,
  );
});

Deno.test("it can be known under another address than the one it listens on", async () => {
  const emulator = await Emulator.start({ publicUrl: "http://emulator.test:9000/" });
  const { platform } = emulator;
  await emulator.stop();
  assert.equal(platform.regions.NA?.baseUrl, "http://emulator.test:9000/na");
  assert.equal(platform.tokenUrl, "http://emulator.test:9000/auth/token");
  await assert.rejects(
    Emulator.start({ publicUrl: "emulator.test" }),
    /"emulator.test" is not a web address/,
  );
});

Deno.test("within the process too, a request that is aborted ends at once", async () => {
  const stop = new AbortController();
  const sleep = () => {
    stop.abort(new Error("stopped"));
    return new Promise<void>(() => {});
  };
  const emulator = await Emulator.start({ listen: false, sleep });
  emulator.setFaults([{ match: { operation: "identity:token" }, effects: { delay: 60 } }]);
  for (const when of ["during the wait", "before it is sent"]) {
    const asked = emulator.fetch(emulator.platform.tokenUrl, { method: "POST", signal: stop.signal });
    await assert.rejects(asked, new Error("stopped"), when);
    assert.equal(emulator.requests().length, 1, `received when aborted ${when}`);
  }
  await emulator.stop();
});

Deno.test("within the process too, a request that is aborted while its body comes is not received", async () => {
  const emulator = await Emulator.start({ listen: false });
  const stop = new AbortController();
  let end = (): void => {};
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => void (end = () => controller.close()),
  });
  const asked = emulator.fetch(emulator.platform.tokenUrl, { method: "POST", body, signal: stop.signal });
  stop.abort(new Error("stopped"));
  await assert.rejects(asked, new Error("stopped"));
  end();
  await emulator.fetch(`${emulator.url}/nothing`);
  assert.deepEqual(emulator.requests().map(({ path }) => path), ["/nothing"]);
  await emulator.stop();
});

Deno.test("within the process too, large headers are refused and responses have a date", async () => {
  const emulator = await Emulator.start({ clock: { now: "2026-09-30T12:00:00Z", frozen: true } });
  const within: typeof fetch = (input, init) => emulator.fetch(input, init);
  for (const ask of [fetch, within]) {
    for (const [length, status] of [[60_000, 404], [70_000, 431]] as const) {
      const answer = await ask(`${emulator.url}/nothing`, { headers: { "x-long": "a".repeat(length) } });
      await answer.body?.cancel();
      assert.equal(answer.status, status, `${length} bytes`);
    }
  }
  const { headers } = await within(`${emulator.url}/nothing`);
  assert.equal(headers.get("date"), "Wed, 30 Sep 2026 12:00:00 GMT");
  await emulator.stop();
});

Deno.test("with a word of its own it expects that word on the wire, and a client that has the settings speaks it", async () => {
  const emulator = await Emulator.start({
    wireWord: "acme",
    clock: { now: "2026-09-30T12:00:00Z", frozen: true },
  });
  try {
    assert.equal(emulator.platform.wireWord, "acme");
    const ads = new PlatformAds(emulator.credentials, { platform: emulator.platform });
    const us = await ads.profile("US");
    assert.equal((await us.sp.campaigns.list()).length > 5, true);
    const [, entry] = emulator.requests();
    assert.equal(entry?.status, 200);
  } finally {
    await emulator.stop();
  }
});

Deno.test("with a word of its own it takes the neutral word for no word at all", async () => {
  await using caller = await Caller.start();
  const token = (await caller.askToken({
    grant_type: "refresh_token",
    refresh_token: caller.emulator.credentials.refreshToken,
    client_id: caller.emulator.credentials.clientId,
    client_secret: caller.emulator.credentials.clientSecret,
  })).json.access_token;
  const acme = await Emulator.start({
    wireWord: "acme",
    clock: { now: "2026-09-30T12:00:00Z", frozen: true },
  });
  try {
    const ask = (word: string) =>
      fetch(`${acme.url}/na/v2/profiles`, {
        headers: {
          authorization: `Bearer ${token}`,
          [`${word}-advertising-api-clientid`]: acme.credentials.clientId,
        },
      });
    const spoken = await ask("Acme");
    assert.equal(spoken.status, 200);
    assert.equal(spoken.headers.get("x-acme-request-id")?.length, 20);
    await spoken.body?.cancel();
    const neutral = await ask("Platform");
    assert.deepEqual([neutral.status, (await neutral.json()).details], [401, "ClientId header is missing"]);
  } finally {
    await acme.stop();
  }
});

Deno.test("a word that is none is refused", async () => {
  await assert.rejects(Emulator.start({ wireWord: "Two Words" }), /"Two Words": it is not one word/);
});

Deno.test("the journal is asked for what interests: operation, status, the body's hash, what came after", async () => {
  await using caller = await Caller.start();
  const type = "application/vnd.spKeyword.v3+json";
  const body = { maxResults: 3 };
  await caller.call("POST", "/sp/keywords/list", body, { type });
  await caller.call("POST", "/sp/keywords/list", body, { type });
  await caller.call("POST", "/sp/keywords/list", { maxResults: 4 }, { type });
  await caller.call("GET", "/nothing");
  const ask = async (query: string) => (await caller.control("GET", `requests?${query}`)).json.requests;
  const lists = await ask("operation=ListSponsoredProductsKeywords");
  assert.equal(lists.length, 3);
  assert.equal((await ask(`bodyHash=${lists[0].bodyHash}`)).length, 2);
  assert.equal((await ask(`after=${lists[1].number}&status=200`)).length, 1);
  assert.deepEqual((await ask("status=403")).map(({ path }: { path: string }) => path), ["/na/nothing"]);
  const refused = await caller.control("GET", "requests?colour=red");
  assert.deepEqual([refused.status, refused.json.message], [
    400,
    'Cannot filter requests by "colour". Expected one of after, operation, method, path, profileId, region, status, bodyHash',
  ]);
});
