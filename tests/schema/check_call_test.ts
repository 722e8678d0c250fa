import assert from "node:assert/strict";
import { visited } from "../support/visited.ts";
import { catalog } from "../../src/platform/catalog/mod.ts";
import type { CheckedInput } from "../../src/platform/schema/check_call.ts";
import { findingText } from "../../src/platform/schema/schema_error.ts";

async function found(id: string, input: CheckedInput): Promise<string[] | undefined> {
  return (await (await catalog.get(id)).check(input))?.map(findingText);
}

const LIST = "sponsored-display:listCampaigns";

for (
  const [what, id, input, findings] of [
    ["a query that fits", LIST, { query: { count: 5, stateFilter: "enabled" } }, []],
    ["a number that is written as text", LIST, { query: { count: "5" } }, []],
    ["states joined by commas", LIST, { query: { stateFilter: "enabled,paused" } }, []],
    ["states joined in any order", LIST, { query: { stateFilter: "paused, enabled" } }, []],
    ["a misspelt state among others", LIST, { query: { stateFilter: "enabled,pausd" } }, [
      'query stateFilter: "enabled,pausd" is not allowed, expected one of archived, enabled, paused',
    ]],
    ["an amount that is a text", "sponsored-products:UpdateSponsoredProductsKeywords", {
      body: { keywords: [{ keywordId: "1", bid: "2" }] },
    }, ['keywords[0].bid: is the text "2", expected a number or null']],
    ["ids that are texts where numbers are published", "sponsored-display:updateTargetingClauses", {
      body: [{ targetId: "9007199254740993", state: "paused" }, {
        targetId: "12",
        state: "paused",
        bid: "1",
      }],
    }, ['[1].bid: is the text "1", expected a number or null']],
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

Deno.test("ten times the items are checked with ten times the work", async () => {
  const keywords = await catalog.get("sponsored-products:UpdateSponsoredProductsKeywords");
  const campaigns = await catalog.get("sponsored-products:UpdateSponsoredProductsCampaigns");
  const full = await campaigns.example({ full: true }) as { campaigns: object[] };
  const bodies: readonly (readonly [typeof keywords, (count: number) => object])[] = [
    [keywords, (count) => ({
      keywords: Array.from(
        { length: count },
        (_, at) => ({ keywordId: `${at}`, bid: 0.5, state: "ENABLED" }),
      ),
    })],
    [campaigns, (count) => ({
      campaigns: Array.from({ length: count }, () => structuredClone(full.campaigns[0])),
    })],
  ];
  for (const [operation, bodyOf] of bodies) {
    const work = (count: number): Promise<number> => {
      const body = bodyOf(count);
      return visited(async () => assert.deepEqual(await operation.check({ body }), []));
    };
    await work(100);
    const [few, many] = [await work(100), await work(1000)];
    assert.ok(few > 100 && many < 12 * few, `${few} for 100 items, ${many} for 1,000`);
  }
});
