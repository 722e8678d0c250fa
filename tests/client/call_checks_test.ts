import assert from "node:assert/strict";
import { SchemaError } from "../../mod.ts";
import { emulated } from "../support/emulated.ts";

const UPDATE = "sponsored-products:UpdateSponsoredProductsKeywords";

Deno.test("a call that does not fit what is published warns, and is sent", async () => {
  const warnings: string[] = [];
  await using world = await emulated({
    checkRequests: false,
    client: { onWarning: (warning) => warnings.push(warning) },
  });
  const [keyword] = await world.us.sp.keywords.list();
  await world.us.call(UPDATE, { keywords: [{ keywordId: keyword!.keywordId, bidd: 0.5 }] }).catch(() => {});
  assert.deepEqual(warnings, [`${UPDATE}: keywords[0].bidd: unknown field. Did you mean "bid"?`]);
  assert.ok(world.asked().includes("PUT /sp/keywords"));
});

Deno.test("with check strict it is refused with every finding, and nothing is sent", async () => {
  await using world = await emulated();
  world.asked();
  const call = world.us.call(UPDATE, { keyword: [] }, { check: "strict" });
  await assert.rejects(call, (error) => {
    assert.ok(error instanceof SchemaError);
    assert.deepEqual(error.findings.map(({ code, path }) => [code, path]), [
      ["missing-field", ""],
      ["unknown-field", "keyword"],
    ]);
    assert.match(error.message, /keyword: unknown field\. Did you mean "keywords"\?/);
    return true;
  });
  assert.deepEqual(world.asked(), []);
});

Deno.test("with check off nothing is compared", async () => {
  const warnings: string[] = [];
  await using world = await emulated({
    checkRequests: false,
    client: { onWarning: (warning) => warnings.push(warning) },
  });
  await world.us.call("portfolios:ListPortfolios", { maxResults: "5" }, { check: "off" }).catch(() => {});
  assert.deepEqual(warnings, []);
});

Deno.test("an id that was read as text is sent as the bare number that the operation wants", async () => {
  let sent = "";
  await using world = await emulated({
    client: {
      fetch: (input, init) => {
        if (init?.method === "PUT") sent = String(init.body);
        return fetch(input, init);
      },
    },
  });
  const body = [{ campaignId: "9007199254740993", state: "paused" }];
  await world.us.call("sponsored-display:updateCampaigns", body).catch(() => {});
  assert.equal(sent, '[{"campaignId":9007199254740993,"state":"paused"}]');
});
