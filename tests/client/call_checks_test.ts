import assert from "node:assert/strict";
import { PlatformAds, type PlatformAdsOptions, SchemaError } from "../../mod.ts";
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

Deno.test("with check strict an amount that is a text is refused, and an id that is one is not", async () => {
  await using world = await emulated();
  const [keyword] = await world.us.sp.keywords.list();
  world.asked();
  const { keywordId } = keyword!;
  const call = world.us.call(UPDATE, { keywords: [{ keywordId, bid: "2" }] }, { check: "strict" });
  await assert.rejects(call, /keywords\[0\]\.bid: is the text "2", expected a number/);
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

Deno.test("options whose value is unknown are refused with the nearest, and nothing is sent", async () => {
  await using world = await emulated();
  world.asked();
  const check = "stict" as "strict";
  const refusal = {
    name: "TypeError",
    message: 'Cannot use check "stict": expected one of "warn", "strict", "off". Did you mean "strict"?',
  };
  await assert.rejects(world.us.call("portfolios:ListPortfolios", {}, { check }), refusal);
  await assert.rejects(world.us.planCall(UPDATE, { keywords: [] }, { check }), refusal);
  const region = "US" as "NA";
  const unknown = { name: "TypeError", message: /^Cannot use region "US": expected one of "NA", "EU", "FE"/ };
  await assert.rejects(world.ads.call("portfolios:ListPortfolios", {}, { region }), unknown);
  assert.throws(() => world.ads.baseUrl(region), unknown);
  const { platform } = world.ads;
  const login = world.emulator.credentials;
  assert.throws(
    () => new PlatformAds(login, { platform, priority: "bulck" as "bulk" }),
    /Cannot use priority "bulck": .* Did you mean "bulk"\?/,
  );
  assert.throws(
    () => new PlatformAds(login, { platform, retry: { maxAtempts: 1 } as Record<string, number> }),
    /Cannot use the field of a retry policy "maxAtempts": .* Did you mean "maxAttempts"\?/,
  );
  assert.deepEqual(world.asked(), []);
});

Deno.test("a client without a platform names the option and the variables", () => {
  const login = { clientId: "a", clientSecret: "b", refreshToken: "c" };
  for (const options of [undefined, {}] as unknown as PlatformAdsOptions[]) {
    assert.throws(
      () => new PlatformAds(login, options),
      /\{ platform \}.*PLATFORM_ADS_BASE_URL_NA.*PLATFORM_ADS_TOKEN_URL/,
    );
  }
});
