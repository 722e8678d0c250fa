import assert from "node:assert/strict";
import {
  ConfigurationError,
  NotFoundError,
  PlatformAds,
  type ProfileClient,
  RESOURCE_KINDS,
  ServerError,
} from "../../mod.ts";
import { spellKind } from "../../src/platform/catalog/kind_names.ts";
import { FakeTime } from "../support/fake_time.ts";
import { STUB_CREDENTIALS, stubPlatform } from "../support/stub_client.ts";
import { type StubHandler, type StubRequest, StubServer } from "../support/stub_server.ts";

interface Scene extends AsyncDisposable {
  readonly client: ProfileClient;
  readonly requests: StubRequest[];
}

function scene(handler: StubHandler, country = "US"): Scene {
  const requests: StubRequest[] = [];
  const server = StubServer.start((request) => {
    if (request.path === "/token") return { json: { access_token: "t", expires_in: 3600 } };
    return handler(request, requests.push(request));
  });
  const { now, sleep } = new FakeTime();
  const ads = new PlatformAds(STUB_CREDENTIALS, { platform: stubPlatform(server.url), now, sleep });
  const client = ads.profileFrom("18446744073709551615", country);
  return { client, requests, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

Deno.test("profileFrom() needs no listing: id, country, region and host", () => {
  const ads = new PlatformAds(STUB_CREDENTIALS, { platform: stubPlatform("http://127.0.0.1:9") });
  const cases = [["US", "US", "NA"], ["gb", "UK", "EU"], ["IN", "IN", "EU"], ["au", "AU", "FE"]] as const;
  for (const [given, country, region] of cases) {
    const client = ads.profileFrom("7", given);
    assert.deepEqual([client.profileId, client.countryCode, client.region], ["7", country, region]);
    assert.equal(client.baseUrl, `http://127.0.0.1:9/${region.toLowerCase()}`);
  }
});

Deno.test("profileFrom() refuses what is no id or no marketplace", () => {
  const ads = new PlatformAds(STUB_CREDENTIALS, { platform: stubPlatform("http://127.0.0.1:9") });
  for (const id of ["", "US", "-1", "1.5", "1".repeat(21), 5 as unknown as string]) {
    assert.throws(() => ads.profileFrom(id, "US"), TypeError, String(id));
  }
  assert.throws(() => ads.profileFrom("7", "XX"), ConfigurationError);
});

Deno.test("request() goes to the profile's host with its scope and returns the parsed body", async () => {
  await using at = scene(() => ({ status: 207, text: '{"id":9007199254740993}' }), "JP");
  const answer = await at.client.request("post", "/sp/keywords", {
    json: { a: 1 },
    params: { x: ["1", "2"] },
    contentType: "application/vnd.a.v3+json",
    accept: "application/vnd.b.v3+json",
    headers: { Prefer: "return=representation" },
  });
  assert.deepEqual(answer, { id: "9007199254740993" });
  const { method, path, query, headers, body } = at.requests[0]!;
  assert.deepEqual([method, path, query, body], ["POST", "/fe/sp/keywords", "?x=1,2", '{"a":1}']);
  assert.equal(headers.get("platform-advertising-api-scope"), "18446744073709551615");
  assert.equal(headers.get("content-type"), "application/vnd.a.v3+json");
  assert.equal(headers.get("accept"), "application/vnd.b.v3+json");
  assert.equal(headers.get("prefer"), "return=representation");
});

Deno.test("request() repeats reads by itself, and others only when they say they are idempotent", async () => {
  await using at = scene((_, turn) => turn % 2 === 1 ? { status: 503 } : { json: turn });
  assert.equal(await at.client.request("GET", "/x"), 2);
  assert.equal(await at.client.request("HEAD", "/x"), undefined);
  assert.equal(await at.client.request("POST", "/x/list", { json: {}, idempotent: true }), 6);
  await assert.rejects(at.client.request("GET", "/x", { idempotent: false }), ServerError);
  assert.equal(await at.client.request("DELETE", "/x"), 8);
  for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
    await assert.rejects(at.client.request(method, "/x"), ServerError, method);
    await at.client.request("GET", "/x", { idempotent: false });
  }
});

Deno.test("request() refuses a path or a method that cannot be sent as it is", async () => {
  await using at = scene(() => ({ json: 1 }));
  for (const path of ["sp/keywords", "", "https://elsewhere.example/", "/a?b=c", "/a b", "/a/../b"]) {
    await assert.rejects(at.client.request("GET", path), TypeError, path);
  }
  await assert.rejects(at.client.request("STEAL", "/x"), TypeError);
  assert.equal(at.requests.length, 0);
});

Deno.test("request() passes failures on as they are", async () => {
  await using at = scene(() => ({ status: 404, json: { code: "NOT_FOUND", details: "no such thing" } }));
  await assert.rejects(
    at.client.request("GET", "/x/1"),
    (error: Error) => error instanceof NotFoundError && error.code === "NOT_FOUND",
  );
});

Deno.test("resource() finds every kind in every spelling, and lists them for a kind that is none", async () => {
  await using at = scene(() => ({}));
  assert.equal(RESOURCE_KINDS.length, 28);
  for (const kind of RESOURCE_KINDS) {
    const spellings = [
      kind,
      kind.replaceAll("_", "-"),
      kind.replace(".", "_"),
      kind.replaceAll(/[._]/g, "-"),
      spellKind(kind),
    ];
    for (const spelling of [...spellings, kind.toUpperCase()]) {
      assert.equal(at.client.resource(spelling).kind, kind, spelling);
    }
  }
  for (const kind of ["", "sp.nonsense", "keywords2", "constructor", "__proto__", "toString"]) {
    assert.throws(
      () => at.client.resource(kind),
      (error: Error) =>
        error instanceof ConfigurationError &&
        /Expected one of sp\.campaigns, .*portfolios|Did you mean "/.test(error.message),
      kind,
    );
  }
});
