import assert from "node:assert/strict";
import { catalog } from "../../src/platform/catalog/mod.ts";
import { type CallInput, prepareCall, type PreparedCall } from "../../src/platform/catalog/prepare_call.ts";
import { UnsupportedOperationError } from "../../src/errors.ts";

async function prepare(id: string, input: CallInput = {}, wireWord?: string): Promise<PreparedCall> {
  return prepareCall(await catalog.get(id), input, wireWord === undefined ? {} : { wireWord });
}

Deno.test("a call takes method, path and media types from the catalog", async () => {
  const body = { maxResults: 10 };
  assert.deepEqual(await prepare("sponsored-brands-v4:ListSponsoredBrandsCampaigns", { body }), {
    method: "POST",
    path: "/sb/v4/campaigns/list",
    params: {},
    headers: {},
    contentType: "application/vnd.sbcampaignresource.v4+json",
    accept: "application/vnd.sbcampaignresource.v4+json",
    json: body,
    form: undefined,
    idempotent: true,
  });
});

Deno.test("a corrected operation asks for what the live API answers, unless the caller pins another type", async () => {
  assert.equal((await prepare("advertising-billing:getAdvertiserInvoices")).accept, "application/json");
  const accept = "application/vnd.invoices.v1.1+json";
  assert.equal((await prepare("advertising-billing:getAdvertiserInvoices", { accept })).accept, accept);
  const contentType = accept;
  const call = await prepare("advertising-billing:getAdvertiserInvoices", { contentType });
  assert.equal(call.accept, "application/json", "what pins the body does not undo the correction");
});

Deno.test("a pinned body version asks for the same version of the answer where that is documented", async () => {
  const id = "sponsored-products:GetThemeBasedBidRecommendationForAdGroup_v1";
  const v4 = "application/vnd.spthemebasedbidrecommendation.v4+json";
  const call = await prepare(id, { body: {}, contentType: v4 });
  assert.deepEqual([call.contentType, call.accept], [v4, v4]);
  const unknown = await prepare(id, { body: {}, contentType: "application/vnd.other.v1+json" });
  assert.equal(unknown.accept, (await catalog.get(id)).accept);
});

Deno.test("only a read-only operation may be repeated", async () => {
  assert.equal((await prepare("portfolios:ListPortfolios")).idempotent, true);
  assert.equal((await prepare("portfolios:CreatePortfolios", { body: {} })).idempotent, false);
});

Deno.test("a tool is refused before its parameters are looked at", async () => {
  await assert.rejects(
    prepare("mcp-billing:list_invoices", { pathParams: { x: "../" } }),
    UnsupportedOperationError,
  );
});

Deno.test("missing required query parameters and headers are all named", async () => {
  await assert.rejects(prepare("creative-assets:getAsset"), {
    name: "TypeError",
    message: /query parameter "assetId"/,
  });
  const pathParams = { adGroupId: "1" };
  await assert.rejects(prepare("ad-group-targeting-apps:DspGetAdGroupAppTargets", { pathParams }), {
    name: "TypeError",
    message: /the header "Platform-Ads-AccountId" is required and missing/,
  });
  await assert.rejects(prepare("amc-administration:createInstance", { body: {} }), {
    message:
      /"Platform-Advertising-API-AdvertiserId" and the header "Platform-Advertising-API-MarketplaceId" are/,
  });
});

Deno.test("a required header is found whatever its case, and under the platform's own word", async () => {
  const id = "ad-group-targeting-apps:DspGetAdGroupAppTargets";
  const pathParams = { adGroupId: "1" };
  const neutral = await prepare(id, { pathParams, headers: { "platform-ads-accountid": "a" } }, "acme");
  assert.deepEqual(neutral.headers, { "platform-ads-accountid": "a" });
  await prepare(id, { pathParams, headers: { "Acme-Ads-AccountId": "a" } }, "acme");
  await assert.rejects(prepare(id, { pathParams, headers: { "Acme-Ads-AccountId": "a" } }), {
    message: /missing/,
  });
});

Deno.test("the platform's own word replaces the neutral one in paths and query names, never in values", async () => {
  const media = (await catalog.operations()).find(({ path }) => path.includes("/platformMedia/{"))!;
  const ownHeaders = Object.fromEntries(media.headers.map((header) => [header.name, "1"]));
  const input = { pathParams: { platformMediaPublisherId: "platform" }, headers: ownHeaders };
  const { path } = prepareCall(media, input, { wireWord: "acme" });
  assert.match(path, /\/acmeMedia\/platform\//);
  const id = (await catalog.operations()).find(({ query }) =>
    query.some(({ name }) => name.startsWith("Platform-"))
  )!;
  const name = id.query.find((parameter) => parameter.name.startsWith("Platform-"))!.name;
  const pathParams = Object.fromEntries(id.pathParams.map((param) => [param, "1"]));
  const headers = Object.fromEntries(id.headers.map((header) => [header.name, "1"]));
  const call = prepareCall(id, { query: { [name]: "platform" }, pathParams, headers }, { wireWord: "acme" });
  assert.deepEqual(call.params, { [name.replace("Platform", "Acme")]: "platform" });
});

Deno.test("the one path that is listed with its literal spelling is sent as it is listed", async () => {
  const id = "conversions-api:dspPlatformAdTagGetAdTagByAdvertiserId";
  const listed = (await catalog.get(id)).path;
  const listing = await Deno.readTextFile("catalog/listing/operations.tsv");
  const marked = listing.split("\n").filter((line) => line.split("\t")[4] === "literal");
  assert.deepEqual(marked.map((line) => line.split("\t").slice(0, 2).join(":")), [id]);
  assert.ok(!listing.includes(listed), "its spelling stands in operations.json alone");
  const { path } = await prepare(id, { pathParams: { accountId: "7" } }, "acme");
  assert.equal(path, listed.replace("{accountId}", "7"));
  assert.doesNotMatch(path, /acme|platform/i);
});

Deno.test("query values are text, numbers, booleans and lists; a bigint keeps every digit", async () => {
  const query = {
    stateFilter: ["enabled", "paused"],
    count: 500,
    locale: undefined,
    ids: [18446744073709551615n],
    x: true,
  };
  const { params } = await prepare("sponsored-brands-v3:listKeywords", { query });
  assert.deepEqual(params, {
    stateFilter: ["enabled", "paused"],
    count: 500,
    ids: ["18446744073709551615"],
    x: true,
  });
});

for (const name of ["_method", "X-HTTP-Method-Override", "httpMethod"]) {
  Deno.test(`the query parameter ${name}, which could name another method, is refused`, async () => {
    await assert.rejects(prepare("sponsored-brands-v3:listKeywords", { query: { [name]: "PUT" } }), {
      name: "TypeError",
      message: /could turn it into another operation/,
    });
  });
}

for (
  const [what, value] of [
    ["null", null],
    ["an object", {}],
    ["not a number", NaN],
    ["infinite", Infinity],
    ["a list with an object", ["a", {}]],
    ["a function", (): number => 1],
  ] as const
) {
  Deno.test(`a query value that is ${what} is refused`, async () => {
    const query = { count: value } as unknown as NonNullable<CallInput["query"]>;
    await assert.rejects(prepare("sponsored-brands-v3:listKeywords", { query }), {
      name: "TypeError",
      message: /query parameter "count"/,
    });
  });
}

for (
  const [name, value, reason] of [
    ["Authorization", "Bearer x", /filled in by the client/],
    ["platform-advertising-api-clientid", "x", /filled in by the client/],
    ["Platform-Advertising-API-Scope", "1", /filled in by the client/],
    ["X-HTTP-Method-Override", "DELETE", /another operation/],
    ["x-http-method", "PUT", /another operation/],
    ["X-Method-Override", "PUT", /another operation/],
    ["Accept", "text/plain", /option "accept"/],
    ["content-type", "text/plain", /option "contentType"/],
    ["bad name", "x", /not the name of a header/],
    ["X-Line", "a\r\nX-Other: b", /not one line of text/],
    ["X-Number", 5, /not one line of text/],
  ] as const
) {
  Deno.test(`the header ${name}: ${JSON.stringify(value)} is refused`, async () => {
    const headers = { [name]: value } as Record<string, string>;
    await assert.rejects(prepare("portfolios:ListPortfolios", { headers }), {
      name: "TypeError",
      message: reason,
    });
  });
}

Deno.test("a refused header value does not stand in the error", async () => {
  const headers = { "X-Secret": "s3cret\n" };
  await assert.rejects(
    prepare("portfolios:ListPortfolios", { headers }),
    (error: Error) => !error.message.includes("s3cret"),
  );
});

Deno.test("a body for a GET is refused", async () => {
  await assert.rejects(prepare("profiles:listProfiles", { body: {} }), {
    name: "TypeError",
    message: /a GET has no body/,
  });
  assert.equal((await prepare("profiles:listProfiles", { body: null })).json, undefined);
});

Deno.test("a list without a body sends an empty object, a write without one sends none", async () => {
  assert.deepEqual((await prepare("portfolios:ListPortfolios")).json, {});
  assert.equal((await prepare("portfolios:CreatePortfolios")).json, undefined);
  const headers = {
    "Platform-Advertising-API-AdvertiserId": "a",
    "Platform-Advertising-API-MarketplaceId": "m",
  };
  const pathParams = { instanceId: "i" };
  assert.equal(
    (await prepare("advertiser-data-upload:ListUploads", { pathParams, headers })).json,
    undefined,
  );
});

Deno.test("a body of an operation that takes a form is an object of fields, which becomes a form", async () => {
  const { form, json } = await prepare("sponsored-brands-v3:createAsset", { body: { assetInfo: { a: 1 } } });
  assert.equal(form?.get("assetInfo"), '{"a":1}');
  assert.equal(json, undefined);
  await assert.rejects(prepare("sponsored-brands-v3:createAsset", { body: [1] }), {
    name: "TypeError",
    message: /its body is a form/,
  });
});

Deno.test("a path parameter is checked before anything else is", async () => {
  await assert.rejects(prepare("posts:GetPost", { pathParams: { postId: "../x" } }), { name: "RangeError" });
  await assert.rejects(prepare("posts:GetPost", {}), { name: "TypeError", message: /"postId" is missing/ });
});
