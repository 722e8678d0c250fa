import assert from "node:assert/strict";
import { ProfileClient } from "../../src/client/profile_client.ts";
import { DEFAULT_HEADERS } from "../../src/platform/connection/platform.ts";
import { UnsupportedOperationError } from "../../src/errors.ts";
import { Transport } from "../../src/platform/transport/transport.ts";

interface Sent {
  readonly line: string;
  readonly headers: Headers;
  readonly body: string | undefined;
}

/** A profile's client whose platform gives one answer after the other, and what it was sent. */
function profile(...answers: (Response | "drop")[]): { us: ProfileClient; sent: Sent[]; urls: string[] } {
  const sent: Sent[] = [];
  const urls: string[] = [];
  const fetch = (url: string, init?: RequestInit): Promise<Response> => {
    urls.push(url);
    if (url.endsWith("/token")) {
      return Promise.resolve(Response.json({ access_token: "t", expires_in: 3600 }));
    }
    const { pathname, search } = new URL(url);
    const body = init?.body as string | undefined;
    sent.push({ line: `${init?.method} ${pathname}${search}`, headers: new Headers(init?.headers), body });
    const answer = answers.shift() ?? Response.json({});
    return answer === "drop" ? Promise.reject(new TypeError("connection lost")) : Promise.resolve(answer);
  };
  const baseUrl = "https://na.acme.test";
  const connection = {
    platform: {
      regions: { NA: { baseUrl } },
      tokenUrl: "https://id.acme.test/token",
      headers: DEFAULT_HEADERS,
      wireWord: "acme",
    },
    credentials: { clientId: "c", clientSecret: "secret", refreshToken: "refresh" },
  };
  const transport = new Transport(connection, { fetch, sleep: () => Promise.resolve(), now: () => 0 });
  const record = { profileId: "77", countryCode: "US", region: "NA", accountInfo: {} } as const;
  return {
    us: new ProfileClient({
      profile: record,
      baseUrl,
      transport,
      loginProfiles: () => Promise.resolve([record]),
      jobs: () => Promise.reject(new Error("no jobs")),
    }),
    sent,
    urls,
  };
}

Deno.test("call() sends by the catalog with the profile's scope, the platform's own word in place", async () => {
  const { us, sent } = profile(Response.json({ apps: [] }));
  const answer = await us.call("ad-group-targeting-apps:DspGetAdGroupAppTargets", undefined, {
    pathParams: { adGroupId: "platform 1" },
    query: { nextToken: "a=b" },
    headers: { "Platform-Ads-AccountId": "platform-account" },
  });
  assert.deepEqual(answer, { apps: [] });
  assert.equal(
    sent[0]!.line,
    "GET /dsp/adGroups/platform%201/targetingTypes/app/targets?nextToken=a%3Db",
  );
  assert.equal(sent[0]!.headers.get("acme-ads-accountid"), "platform-account");
  assert.equal(sent[0]!.headers.get("acme-advertising-api-scope"), "77");
  assert.equal(sent[0]!.headers.get("accept"), "application/vnd.dspAdGroupAppTargets.v1+json");
  assert.equal(sent[0]!.headers.get("content-type"), null);
});

Deno.test("call() sends the invoice operations with the corrected media type", async () => {
  const { us, sent } = profile(Response.json({ status: "success", payload: {} }));
  await us.call("advertising-billing:getInvoice", undefined, { pathParams: { invoiceId: "1" } });
  assert.equal(sent[0]!.headers.get("accept"), "application/json");
});

Deno.test("call() sends a body with its media type, ids past 2^53 digit by digit", async () => {
  const { us, sent } = profile();
  await us.call("sponsored-brands-v3:updateKeywords", [{ keywordId: 18446744073709551615n }]);
  assert.equal(sent[0]!.body, '[{"keywordId":18446744073709551615}]');
  assert.equal(sent[0]!.headers.get("content-type"), "application/json");
});

Deno.test("call() returns a multi-status body as it is, and undefined for an empty answer", async () => {
  const body = { portfolios: { success: [], error: [{ index: 0 }] } };
  const { us } = profile(Response.json(body, { status: 207 }), new Response(null, { status: 204 }));
  assert.deepEqual(await us.call("portfolios:CreatePortfolios", { portfolios: [{}] }), body);
  assert.equal(
    await us.call("reporting:deleteAsyncReport", undefined, { pathParams: { reportId: "r" } }),
    undefined,
  );
});

Deno.test("call() repeats a read-only operation after a server failure and a lost connection", async () => {
  const { us, sent } = profile(new Response("", { status: 503 }), "drop", Response.json({ portfolios: [] }));
  assert.deepEqual(await us.call("portfolios:ListPortfolios"), { portfolios: [] });
  assert.equal(sent.length, 3);
});

for (const failure of ["drop", new Response("", { status: 503 })] as const) {
  Deno.test(`call() sends a write once when ${failure === "drop" ? "the connection is lost" : "the server fails"}`, async () => {
    const { us, sent } = profile(failure);
    await assert.rejects(us.call("portfolios:CreatePortfolios", { portfolios: [] }));
    assert.equal(sent.length, 1);
  });
}

for (
  const [what, call, error] of [
    ["an unknown id", (us: ProfileClient) => us.call("portfolios:Nothing"), RangeError],
    ["an ambiguous name", (us: ProfileClient) => us.call("getBrands"), RangeError],
    ["a hosted tool", (us: ProfileClient) => us.call("mcp-users:list_users"), UnsupportedOperationError],
    ["a missing placeholder", (us: ProfileClient) => us.call("GetPost"), TypeError],
    [
      "a path value with a slash",
      (us: ProfileClient) => us.call("posts:GetPost", undefined, { pathParams: { postId: "../1" } }),
      RangeError,
    ],
    [
      "a missing required query parameter",
      (us: ProfileClient) => us.call("creative-assets:getAsset"),
      TypeError,
    ],
    ["a body for a GET", (us: ProfileClient) => us.call("profiles:listProfiles", {}), TypeError],
  ] as const
) {
  Deno.test(`call() refuses ${what} before anything is sent, a token included`, async () => {
    const { us, urls } = profile();
    await assert.rejects(call(us), error);
    assert.deepEqual(urls, []);
  });
}
