import assert from "node:assert/strict";
import { PlatformAds } from "../../mod.ts";
import { PlatformAdsError } from "../../src/errors.ts";

interface Sent {
  readonly line: string;
  readonly host: string;
  readonly headers: Headers;
  readonly body: unknown;
}

/** A client whose platform gives one response after the other, and what it was sent. */
function client(responses: unknown[], headers?: Record<string, string>): { ads: PlatformAds; sent: Sent[] } {
  const sent: Sent[] = [];
  const fetch = (url: string, init?: RequestInit): Promise<Response> => {
    if (url.endsWith("/token")) {
      return Promise.resolve(Response.json({ access_token: "t", expires_in: 3600 }));
    }
    const { pathname, search, host } = new URL(url);
    sent.push({
      line: `${init?.method} ${pathname}${search}`,
      host,
      headers: new Headers(init?.headers),
      body: init?.body,
    });
    return Promise.resolve(Response.json(responses.shift() ?? {}));
  };
  const ads = new PlatformAds({ clientId: "c", clientSecret: "secret", refreshToken: "refresh" }, {
    platform: {
      regions: { NA: { baseUrl: "https://na.test" }, EU: { baseUrl: "https://eu.test" } },
      tokenUrl: "https://id.test/token",
      headers: { clientId: "X-ClientId", scope: "X-Scope", requestId: "x-request" },
      wireWord: "platform",
    },
    fetch,
    onWarning: () => {},
    ...(headers === undefined ? {} : { headers }),
  });
  return { ads, sent };
}

const ORDERS = "v1-dsp-campaigns:DSPQueryCampaign";
const ACCOUNT = "Platform-Ads-AccountId";

Deno.test("ads.call() sends no profile, to the first region or the one that is named", async () => {
  const { ads, sent } = client([{ campaigns: [] }, {}]);
  assert.deepEqual(await ads.call(ORDERS, {}, { headers: { [ACCOUNT]: "a1" } }), { campaigns: [] });
  await ads.call(ORDERS, {}, { headers: { [ACCOUNT]: "a1" }, region: "EU" });
  assert.deepEqual(sent.map(({ host }) => host), ["na.test", "eu.test"]);
  assert.equal(sent[0]!.headers.get("x-scope"), null);
  assert.equal(sent[0]!.headers.get(ACCOUNT), "a1");
});

Deno.test("a header that an operation requires is asked for by name, and given once for an account or the client", async () => {
  const { ads, sent } = client([]);
  await assert.rejects(ads.call(ORDERS, {}), /the header "Platform-Ads-AccountId" is required and missing/);
  assert.equal(sent.length, 0);
  await ads.account({ [ACCOUNT]: "a2" }, { region: "EU" }).call(ORDERS, {});
  assert.equal(sent[0]!.headers.get(ACCOUNT), "a2");
  assert.equal(sent[0]!.host, "eu.test");
});

Deno.test("the client's headers go with the operations that document them, and a call's own win", async () => {
  const { ads, sent } = client([], { "platform-ads-accountid": "a3" });
  await ads.call(ORDERS, {});
  await ads.call(ORDERS, {}, { headers: { [ACCOUNT]: "own" } });
  await ads.profileFrom("1", "US").call("portfolios:ListPortfolios", {});
  assert.deepEqual(sent.map(({ headers }) => headers.get(ACCOUNT)), ["a3", "own", null]);
});

async function pagesOf(
  responses: unknown[],
  call: (ads: PlatformAds) => AsyncIterable<unknown>,
): Promise<{ pages: unknown[]; sent: Sent[] }> {
  const { ads, sent } = client(responses);
  const pages: unknown[] = [];
  for await (const page of call(ads)) pages.push(page);
  return { pages, sent };
}

Deno.test("pages() follows the token of the body, and a cursor of the query that stands below the payload", async () => {
  const list = "sponsored-products:ListSponsoredProductsKeywords";
  const body = await pagesOf(
    [{ keywords: [1], nextToken: "b" }, { keywords: [2] }],
    (ads) => ads.profileFrom("1", "US").pages(list, { maxResults: 1 }),
  );
  assert.deepEqual(body.sent.map((one) => JSON.parse(String(one.body))), [{ maxResults: 1 }, {
    maxResults: 1,
    nextToken: "b",
  }]);
  const invoices = await pagesOf(
    [{ status: "success", payload: { nextCursor: "x" } }, { status: "success", payload: {} }],
    (ads) => ads.profileFrom("1", "US").pages("advertising-billing:getAdvertiserInvoices"),
  );
  assert.match(invoices.sent[1]!.line, /cursor=x$/);
});

Deno.test("pages() counts with startIndex where an operation has no token", async () => {
  const { pages, sent } = await pagesOf(
    [[1, 2], [3, 4], [5]],
    (ads) =>
      ads.profileFrom("1", "US").pages("sponsored-display:listCampaigns", undefined, { query: { count: 2 } }),
  );
  assert.deepEqual(pages, [[1, 2], [3, 4], [5]]);
  assert.deepEqual(sent.map(({ line }) => /startIndex=(\d+)/.exec(line)?.[1]), ["0", "2", "4"]);
});

Deno.test("pages() refuses tokens that go in a circle, too many pages, and operations without pages", async () => {
  const list = "sponsored-products:ListSponsoredProductsKeywords";
  const tokens = ["b", "c", "b", "c", "b"].map((nextToken) => ({ nextToken }));
  await assert.rejects(pagesOf([...tokens], (ads) => ads.profileFrom("1", "US").pages(list, {})), (error) => {
    assert.ok(error instanceof PlatformAdsError);
    assert.match(error.message, /repeats the same page/);
    return true;
  });
  const { ads, sent } = client([]);
  await assert.rejects(
    async () => {
      for await (const _ of ads.profileFrom("1", "US").pages("profiles:listProfiles")) break;
    },
    { name: "TypeError", message: /takes neither a page token nor a startIndex/ },
  );
  assert.equal(sent.length, 0);
});

Deno.test("batch() sends items in requests of the published limit and gives a verdict for each", async () => {
  const keywords = Array.from({ length: 1001 }, (_, index) => ({ keywordId: String(index), bid: 1 }));
  const { ads, sent } = client([
    {
      keywords: {
        success: keywords.slice(0, 1000).map(({ keywordId }, index) => ({ index, keywordId })),
        error: [],
      },
    },
    {
      keywords: { success: [], error: [{ index: 0, errors: [{ errorType: "rangeError", errorValue: {} }] }] },
    },
  ]);
  const us = ads.profileFrom("1", "US");
  const result = await us.batch("sponsored-products:UpdateSponsoredProductsKeywords", keywords);
  assert.equal(sent.length, 2);
  assert.equal(result.successes.length, 1000);
  assert.deepEqual(result.errors.map(({ index, item }) => [index, item]), [[1000, keywords[1000]]]);
  const display = client([[{ code: "SUCCESS", campaignId: 1 }]]);
  const created = await display.ads.profileFrom("1", "US").batch("sponsored-display:updateCampaigns", [{
    campaignId: 1,
  }]);
  assert.deepEqual(created.ids, ["1"]);
  assert.equal(display.sent[0]!.body, '[{"campaignId":1}]');
  await assert.rejects(
    us.batch("sponsored-display:listCampaigns", [1]),
    /its body is not known to hold a list/,
  );
});

Deno.test("a list of the query is repeated where it is published so, and one value with commas elsewhere", async () => {
  const { ads, sent } = client([]);
  const us = ads.profileFrom("1", "US");
  await us.call("advertising-billing:getAdvertiserInvoices", undefined, {
    query: { invoiceStatuses: ["ISSUED", "PAID_IN_FULL"] },
  });
  await us.call("sponsored-display:listCampaigns", undefined, {
    query: { stateFilter: ["enabled", "paused"] },
  });
  assert.match(sent[0]!.line, /invoiceStatuses=ISSUED,PAID_IN_FULL$/);
  assert.match(sent[1]!.line, /stateFilter=enabled,paused$/);
});

Deno.test("a form is sent with its files and fields", async () => {
  const { ads, sent } = client([{ assetID: "1" }]);
  const asset = new File([new Uint8Array([1, 2, 3])], "logo.png", { type: "image/png" });
  await ads.profileFrom("1", "US").call("sponsored-brands-v3:createAsset", {
    asset,
    assetInfo: { mediaType: "brandLogo" },
  });
  const form = sent[0]!.body;
  assert.ok(form instanceof FormData);
  assert.equal(form.get("assetInfo"), '{"mediaType":"brandLogo"}');
  const file = form.get("asset");
  assert.ok(file instanceof File);
  assert.deepEqual([file.name, file.size], ["logo.png", 3]);
  // The runtime sets the media type with the boundary of the form.
  assert.equal(sent[0]!.headers.get("content-type"), null);
});
