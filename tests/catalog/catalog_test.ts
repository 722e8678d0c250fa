import assert from "node:assert/strict";
import { catalog } from "../../src/platform/catalog/mod.ts";
import { TYPED_OPERATIONS } from "../../src/platform/catalog/operation.ts";

Deno.test("the catalog holds what the specification counts: 1,105 operations in 205 APIs, 110 tools in 18", async () => {
  const apis = [...(await catalog.apis()).values()];
  const sendable = apis.filter((api) => !api.hostedTools);
  const tools = apis.filter((api) => api.hostedTools);
  const count = (of: typeof apis): number =>
    of.reduce((sum, api) => sum + api.operationCount + api.unlistedCount, 0);
  if (apis.some((api) => api.source !== "listing")) {
    // Regenerated from descriptions: the platform's own numbers move, but never by a tenth in a week.
    assert.ok(
      count(sendable) > 1000 && sendable.length > 185,
      `${count(sendable)} in ${sendable.length} APIs`,
    );
    return;
  }
  assert.deepEqual([count(sendable), sendable.length], [1105, 205]);
  assert.deepEqual([count(tools), tools.length], [110, 18]);
});

Deno.test("an API's counts are those of its operations, and every operation's API is listed", async () => {
  const counted = new Map<string, number>();
  for (const { api } of await catalog.operations()) counted.set(api, (counted.get(api) ?? 0) + 1);
  for (const [slug, api] of await catalog.apis()) {
    assert.equal(api.slug, slug);
    assert.equal(api.operationCount, counted.get(slug) ?? 0, slug);
    counted.delete(slug);
  }
  assert.equal(counted.size, 0);
});

Deno.test("the two APIs known by count only have a note, no operations, and say so when asked for one", async () => {
  for (const slug of ["v1-all-communication-contacts", "v1-all-communication-preferences"]) {
    const api = (await catalog.apis()).get(slug)!;
    assert.deepEqual([api.operationCount, api.unlistedCount], [0, 2]);
    assert.match(api.note!, /number of operations only/);
    await assert.rejects(catalog.get(`${slug}:Query`), {
      name: "RangeError",
      message: /holds no operations/,
    });
    assert.deepEqual(await catalog.search("", { api: slug }), []);
  }
});

Deno.test("get() finds by full id and by a name that one API alone has, and returns the same object", async () => {
  const byId = await catalog.get("sponsored-products:ListSponsoredProductsKeywords");
  assert.equal(await catalog.get("ListSponsoredProductsKeywords"), byId);
  assert.equal(byId.path, "/sp/keywords/list");
  assert.equal(byId.api, "sponsored-products");
});

Deno.test("get() finds every operation by its full id", async () => {
  for (const operation of await catalog.operations()) {
    assert.equal(await catalog.get(operation.id), operation);
  }
});

Deno.test("get() finds tools that cannot be sent", async () => {
  const tool = await catalog.get("mcp-billing:list_invoices");
  assert.match(tool.unsupportedReason!, /hosted tool server/);
});

Deno.test("get() refuses a name that several APIs have and lists them", async () => {
  await assert.rejects(catalog.get("getBrands"), {
    name: "RangeError",
    message: /"sponsored-brands-category-benchmark:getBrands", "sponsored-brands-v3:getBrands"/,
  });
});

for (
  const [misspelt, meant] of [
    ["sponsored-products:ListSponsoredProductKeywords", "sponsored-products:ListSponsoredProductsKeywords"],
    ["listsponsoredproductskeywords", "sponsored-products:ListSponsoredProductsKeywords"],
    ["sponsored-product:ListSponsoredProductsKeywords", "sponsored-products:ListSponsoredProductsKeywords"],
    ["getInvioce", "advertising-billing:getInvoice"],
    ["sponsored-products:ListKeyword", "sponsored-products:ListSponsoredProductsKeywords"],
    ["sponsored-products:updateCampaigns", "sponsored-products:UpdateSponsoredProductsCampaigns"],
  ] as const
) {
  Deno.test(`get() answers "${misspelt}" with the three nearest ids, the meant one first`, async () => {
    await assert.rejects(catalog.get(misspelt), (error: Error) => {
      const nearest = [...error.message.matchAll(/"([^"]+)"/g)].map((found) => found[1]).slice(1);
      assert.equal(nearest.length, 3);
      assert.equal(nearest[0], meant);
      return error instanceof RangeError;
    });
  });
}

Deno.test("get() refuses an empty id, a name of Object.prototype and what is no text", async () => {
  await assert.rejects(catalog.get("  "), { name: "TypeError", message: /the id is empty/ });
  await assert.rejects(catalog.get("__proto__"), {
    name: "RangeError",
    message: /Cannot find the operation/,
  });
  await assert.rejects(catalog.get(7 as unknown as string), { name: "TypeError", message: /a number/ });
});

Deno.test("a huge text is searched like a short one", async () => {
  await assert.rejects(catalog.get("x".repeat(1_000_000)), RangeError);
  const found = await catalog.search("list ".repeat(200_000), { limit: 3 });
  assert.deepEqual(found, await catalog.search("list", { limit: 3 }));
});

Deno.test("search() finds by every word, case ignored, and ranks whole words of the name first", async () => {
  const found = await catalog.search("LIST negative keywords");
  assert.ok(found.length >= 3);
  assert.equal(found[0]!.id, "sponsored-products:ListSponsoredProductsNegativeKeywords");
  for (const { id, path, summary, tags } of found) {
    const text = [id, path, summary, ...tags].join(" ").toLowerCase();
    for (const word of ["list", "negative", "keywords"]) {
      assert.ok(text.includes(word), `${id} lacks ${word}`);
    }
  }
});

Deno.test("search() puts the operation first whose name is the word", async () => {
  assert.equal((await catalog.search("getInvoice"))[0]!.id, "advertising-billing:getInvoice");
  assert.equal((await catalog.search("list invoices"))[0]!.id, "advertising-billing:getAdvertiserInvoices");
  assert.ok((await catalog.search("list budget rules")).some(({ path }) => path === "/sp/budgetRules"));
});

Deno.test("search() leaves hosted tools out unless they are asked for or their API is named", async () => {
  const ids = async (...args: Parameters<typeof catalog.search>): Promise<string[]> =>
    (await catalog.search(...args)).map(({ id }) => id);
  assert.ok(!(await ids("list_invoices", { limit: Infinity })).includes("mcp-billing:list_invoices"));
  assert.ok((await ids("list_invoices", { includeUnsupported: true })).includes("mcp-billing:list_invoices"));
  assert.ok((await ids("invoices", { api: "mcp-billing" })).includes("mcp-billing:list_invoices"));
});

Deno.test("search() returns 25 operations unless told otherwise", async () => {
  assert.equal((await catalog.search("a")).length, 25);
  assert.equal((await catalog.search("a", { limit: 3 })).length, 3);
  assert.ok((await catalog.search("a", { limit: Infinity })).length > 1000);
});

Deno.test("search() with an API and no words lists that API", async () => {
  const found = await catalog.search("", { api: "portfolios" });
  assert.deepEqual(found.map(({ api }) => api), ["portfolios", "portfolios", "portfolios", "portfolios"]);
});

Deno.test("search() refuses an empty text, an unknown API and a bad limit", async () => {
  await assert.rejects(catalog.search("  "), { name: "TypeError", message: /the text is empty/ });
  await assert.rejects(catalog.search("x", { api: "portfolio" }), {
    name: "RangeError",
    message: /"portfolios"/,
  });
  for (const limit of [0, -1, 1.5, NaN]) {
    await assert.rejects(catalog.search("x", { limit }), { name: "RangeError", message: /limit/ });
  }
});

Deno.test("the 64 typed operations are in the catalog and each names its method", async () => {
  assert.equal(TYPED_OPERATIONS.size, 64);
  assert.equal(new Set(TYPED_OPERATIONS.values()).size, 64);
  for (const [id, method] of TYPED_OPERATIONS) assert.equal((await catalog.get(id)).typedMethod, method);
  assert.equal((await catalog.get("advertising-billing:getInvoice")).typedMethod, undefined);
});

Deno.test("every header of the platform's own carries the neutral word", async () => {
  const used = new Set<string>();
  for (const { headers } of await catalog.operations()) for (const { name } of headers) used.add(name);
  assert.deepEqual([...used].filter((name) => /-/.test(name) && !/platform/i.test(name)), [
    "Accept-Language",
    "Content-Disposition",
  ]);
});
