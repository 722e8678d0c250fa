import assert from "node:assert/strict";
import { catalog } from "../../src/catalog/mod.ts";
import type { CheckedInput } from "../../src/schema/check/check_call.ts";
import { findingText } from "../../src/schema/check/finding.ts";

async function found(id: string, input: CheckedInput): Promise<string[] | undefined> {
  return (await (await catalog.get(id)).check(input))?.map(findingText);
}

const LIST = "sponsored-display:listCampaigns";

for (
  const [what, id, input, findings] of [
    ["a query that fits", LIST, { query: { count: 5, stateFilter: "enabled" } }, []],
    ["a number that is written as text", LIST, { query: { count: "5" } }, []],
    ["an unknown query parameter, with the nearest", LIST, { query: { stateFiltr: "enabled" } }, [
      'query stateFiltr: unknown parameter. Did you mean "stateFilter"?',
    ]],
    ["a wrong type of a query parameter", LIST, { query: { count: "many" } }, [
      'query count: is the text "many", expected an integer',
    ]],
    ["a list for a parameter of several values", "advertising-billing:getAdvertiserInvoices", {
      query: { invoiceStatuses: ["ISSUED", "PAYED"] },
    }, [
      'query invoiceStatuses[1]: "PAYED" is not allowed, expected one of ISSUED, PAID_IN_FULL, PAID_IN_PART, WRITTEN_OFF',
    ]],
    ["a body that is missing", "sponsored-products:CreateSponsoredProductsKeywords", {}, [
      "body: the body is required and missing",
    ]],
    ["a body that none is published of", LIST, { body: { a: 1 } }, [
      "body: no body is published for this operation",
    ]],
    ["a body of an older version of the media type", "dsp-campaigns:UpdateOrders", {
      contentType: "application/vnd.dsporders.v2.2+json",
      body: [{ orderIdd: "1" }],
    }, undefined],
  ] as const
) {
  Deno.test(`check() of ${what}`, async () => {
    const result = await found(id, input);
    if (findings !== undefined) assert.deepEqual(result, findings);
    else assert.ok(result?.some((line) => line.startsWith("[0].orderIdd: unknown field")), String(result));
  });
}

Deno.test("check() of an operation that nothing is published of is undefined: unchecked, not passed", async () => {
  assert.equal(
    await found("ad-group-targeting-apps:DspCreateAdGroupAppTargets", { body: { x: 1 } }),
    undefined,
  );
});

Deno.test("1,000 items are checked in less than 3 ms", async () => {
  const operation = await catalog.get("sponsored-products:UpdateSponsoredProductsKeywords");
  const keywords = Array.from(
    { length: 1000 },
    (_, at) => ({ keywordId: `${at}`, bid: 0.5, state: "ENABLED" }),
  );
  // The fastest of up to 200 rounds: other tests run beside this one and share the processors.
  let fastest = Infinity;
  for (let round = 0; round < 200 && fastest >= 3; round++) {
    const began = performance.now();
    assert.deepEqual(await operation.check({ body: { keywords } }), []);
    fastest = Math.min(fastest, performance.now() - began);
  }
  assert.ok(fastest < 3, `${fastest} ms`);
});

Deno.test("1,000 campaigns with every field are checked in less than 6 ms", async () => {
  const operation = await catalog.get("sponsored-products:UpdateSponsoredProductsCampaigns");
  const full = await operation.example({ full: true }) as { campaigns: object[] };
  const campaigns = Array.from({ length: 1000 }, () => structuredClone(full.campaigns[0]));
  // The fastest of up to 500 rounds: other tests run beside this one and share the processors. Alone it takes 2.6 ms.
  let fastest = Infinity;
  for (let round = 0; round < 500 && fastest >= 6; round++) {
    const began = performance.now();
    assert.deepEqual(await operation.check({ body: { campaigns } }), []);
    fastest = Math.min(fastest, performance.now() - began);
  }
  assert.ok(fastest < 6, `${fastest} ms`);
});
