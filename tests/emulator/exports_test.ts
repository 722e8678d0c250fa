import assert from "node:assert/strict";
import type { JsonObject } from "../../src/emulator/mod.ts";
import { type Answered, Caller } from "./caller.ts";
import { readFile } from "./report_caller.ts";

const PATHS = { campaigns: "campaigns", adGroups: "adgroups", ads: "ads", targets: "targets" } as const;
type Entity = keyof typeof PATHS;

function typeOf(entity: Entity): string {
  return `application/vnd.${PATHS[entity]}export.v1+json`;
}

function ask(
  caller: Caller,
  entity: Entity,
  body: unknown = {},
  profile = caller.profile("US"),
): Promise<Answered> {
  return caller.call("POST", `/${entity}/export`, body, { type: typeOf(entity), profile });
}

async function exported(
  caller: Caller,
  entity: Entity,
  body?: unknown,
  profile = caller.profile("US"),
): Promise<JsonObject[]> {
  const { status, json } = await ask(caller, entity, body, profile);
  assert.equal(status, 202);
  caller.emulator.advance(10);
  const headers = { accept: typeOf(entity) };
  const { url } =
    (await caller.call("GET", `/exports/${json.exportId}`, undefined, { headers, profile })).json;
  return await readFile(url) as unknown as JsonObject[];
}

Deno.test("an export is PROCESSING, then COMPLETED with an address that expires", async () => {
  await using caller = await Caller.start({ quirks: { reportSeconds: 60 } });
  const { json: created, headers } = await ask(caller, "campaigns");
  assert.equal(headers.get("content-type"), typeOf("campaigns"));
  const { exportId } = created;
  assert.deepEqual(created, { exportId, status: "PROCESSING", createdAt: "2026-09-30T12:00:00.000Z" });
  assert.match(atob(exportId.replaceAll("-", "+").replaceAll("_", "/")), /^[0-9a-f]{32},C$/);
  const look = async () => (await caller.call("GET", `/exports/${exportId}`)).json;
  caller.emulator.advance(59);
  assert.equal((await look()).status, "PROCESSING");
  caller.emulator.advance(1);
  const done = await look();
  assert.deepEqual([done.status, done.generatedAt, done.urlExpiresAt], [
    "COMPLETED",
    "2026-09-30T12:01:00.000Z",
    "2026-09-30T13:01:00.000Z",
  ]);
  const response = await fetch(done.url);
  assert.equal((await response.arrayBuffer()).byteLength, done.fileSize);
  caller.emulator.advance(3600);
  const late = await fetch(done.url);
  await late.body?.cancel();
  assert.equal(late.status, 403);
});

Deno.test("an export is told of in its own media type only", async () => {
  await using caller = await Caller.start();
  const { exportId } = (await ask(caller, "targets")).json;
  const look = (accept: string) =>
    caller.call("GET", `/exports/${exportId}`, undefined, { headers: { accept } });
  assert.equal((await look(typeOf("targets"))).status, 200);
  const other = await look(typeOf("ads"));
  assert.deepEqual([other.status, other.text], [406, ""]);
});

Deno.test("each export has every entity of the three products that is not archived", async () => {
  await using caller = await Caller.start();
  const profile = caller.emulator.state.profile(caller.profile("US"))!;
  const kept = (...kinds: string[]) =>
    kinds.flatMap((kind) => profile.collection(kind).all())
      .filter(({ state }) => String(state).toUpperCase() !== "ARCHIVED").length;
  const campaigns = await exported(caller, "campaigns");
  assert.equal(campaigns.length, kept("sp.campaigns", "sb.campaigns", "sd.campaigns"));
  assert.equal(
    (await exported(caller, "adGroups")).length,
    kept("sp.ad_groups", "sb.ad_groups", "sd.ad_groups"),
  );
  assert.equal((await exported(caller, "ads")).length, kept("sp.product_ads", "sb.ads", "sd.product_ads"));
  const clauses = ["keywords", "targets", "negative_keywords", "negative_targets"].map((kind) =>
    `sp.${kind}`
  );
  const negatives = ["sp.campaign_negative_keywords", "sp.campaign_negative_targets"];
  const brands = ["keywords", "negative_keywords", "targets", "negative_targets", "themes"];
  const display = ["sd.targets", "sd.negative_targets"];
  const all = [...clauses, ...negatives, ...brands.map((kind) => `sb.${kind}`), ...display];
  assert.equal((await exported(caller, "targets")).length, kept(...all));
  const { creationDateTime, lastUpdatedDateTime, ...first } = campaigns[0]!;
  assert.equal(creationDateTime, lastUpdatedDateTime);
  const own = profile.collection("sp.campaigns").get(String(first.campaignId))!;
  assert.deepEqual(
    [first.name, first.startDate, first.adProduct, first.deliveryStatus],
    [own.name, own.startDate, "SPONSORED_PRODUCTS", "DELIVERING"],
  );
  const { budget } = own.budget as JsonObject;
  assert.deepEqual((first.budgetCaps as JsonObject).budgetValue, {
    monetaryBudget: { amount: budget, currencyCode: "USD" },
  });
});

Deno.test("days are those of the profile, east of Greenwich as well", async () => {
  await using caller = await Caller.start();
  const id = caller.profile("JP");
  const kept = caller.emulator.state.profile(id)!.collection("sp.campaigns");
  for (
    const { campaignId, startDate } of await exported(caller, "campaigns", {
      adProductFilter: ["SPONSORED_PRODUCTS"],
    }, id)
  ) {
    assert.equal(startDate, kept.get(String(campaignId))!.startDate);
  }
});

Deno.test("filters choose product, state, and which targets", async () => {
  await using caller = await Caller.start();
  const archived = await exported(caller, "campaigns", {
    adProductFilter: ["SPONSORED_BRANDS"],
    stateFilter: ["ARCHIVED"],
  });
  assert.equal(archived.length > 0, true);
  assert.equal(
    archived.every(({ state, adProduct }) => state === "ARCHIVED" && adProduct === "SPONSORED_BRANDS"),
    true,
  );
  const filters = { negativeFilter: [true], targetLevelFilter: ["CAMPAIGN"], targetTypeFilter: ["KEYWORD"] };
  const targets = await exported(caller, "targets", filters);
  assert.equal(targets.length > 0, true);
  for (const { negative, targetLevel, targetDetails } of targets) {
    assert.deepEqual([negative, targetLevel, typeof (targetDetails as JsonObject).keyword], [
      true,
      "CAMPAIGN",
      "string",
    ]);
  }
});

Deno.test("rows have the shapes of the common model, whatever the product writes", async () => {
  await using caller = await Caller.start();
  const profile = caller.emulator.state.profile(caller.profile("US"))!;
  const display = { adProductFilter: ["SPONSORED_DISPLAY"] };
  const [campaign] = await exported(caller, "campaigns", display);
  const own = profile.collection("sd.campaigns").get(String(campaign!.campaignId))!;
  assert.equal(String(campaign!.startDate).replaceAll("-", ""), own.startDate);
  assert.deepEqual([campaign!.targetingSettings, campaign!.costType], [own.tactic, "CPC"]);
  assert.equal(campaign!.state, String(own.state).toUpperCase());
  const viewers = await exported(caller, "targets", { ...display, targetTypeFilter: ["PRODUCT_AUDIENCE"] });
  for (const { targetDetails, campaignId } of viewers) {
    const { event, lookback } = targetDetails as JsonObject;
    assert.deepEqual([typeof event, typeof lookback, campaignId], ["string", "number", undefined]);
  }
  const automatic = await exported(caller, "targets", { targetTypeFilter: ["AUTO"] });
  const matches = new Set(automatic.map(({ targetDetails }) => (targetDetails as JsonObject).matchType));
  for (const match of ["SEARCH_CLOSE_MATCH", "SEARCH_LOOSE_MATCH", "PRODUCT_SUBSTITUTES"]) {
    assert(matches.has(match), match);
  }
  const [ad] = await exported(caller, "ads", { adProductFilter: ["SPONSORED_PRODUCTS"] });
  const { products } = ad!.creative as { products: JsonObject[] };
  assert.deepEqual(products.map(({ productIdType }) => productIdType), ["ASIN", "SKU"]);
});

const BAD: readonly [what: string, body: unknown, message: RegExp][] = [
  ["an unknown filter", { moodFilter: ["GOOD"] }, /moodFilter is not a filter/],
  ["a filter of targets", { negativeFilter: [true] }, /negativeFilter is not a filter/],
  [
    "a product that is not exported",
    { adProductFilter: ["SPONSORED_TELEVISION"] },
    /invalid values: \(SPONSORED/,
  ],
  ["an unknown state", { stateFilter: ["SLEEPING"] }, /stateFilter includes invalid values: \(SLEEPING\)/],
  ["an empty filter", { stateFilter: [] }, /must be a non-empty list/],
  ["a filter that is an object", { stateFilter: { include: ["ENABLED"] } }, /must be a non-empty list/],
];

for (const [what, body, message] of BAD) {
  Deno.test(`an export of campaigns with ${what} is refused with an error code`, async () => {
    await using caller = await Caller.start();
    const { status, json } = await ask(caller, "campaigns", body);
    assert.equal(status, 400);
    assert.deepEqual(Object.keys(json), ["errorCode", "message"]);
    assert.match(json.message, message);
  });
}

Deno.test("an export can fail, and one that nobody asked for is not found", async () => {
  const match = { operation: "v1-exports:*" };
  await using caller = await Caller.start({
    faults: [{ match, times: 1, effects: { reportOutcome: "FAILED" } }],
  });
  const { exportId } = (await ask(caller, "ads")).json;
  caller.emulator.advance(10);
  const { json } = await caller.call("GET", `/exports/${exportId}`);
  assert.deepEqual([json.status, json.error.errorCode, json.url], ["FAILED", "INTERNAL_ERROR", undefined]);
  const missing = await caller.call("GET", "/exports/nothing");
  assert.deepEqual([missing.status, missing.json.errorCode], [404, "NOT_FOUND"]);
});

Deno.test("five exports of an endpoint are in progress at most, each endpoint and profile for itself", async () => {
  await using caller = await Caller.start({ quirks: { reportSeconds: 60 } });
  for (let count = 0; count < 5; count++) assert.equal((await ask(caller, "campaigns")).status, 202);
  assert.equal((await ask(caller, "campaigns")).status, 429);
  assert.equal((await ask(caller, "ads")).status, 202);
  assert.equal((await ask(caller, "campaigns", {}, caller.profile("CA"))).status, 202);
  caller.emulator.advance(60);
  assert.equal((await ask(caller, "campaigns")).status, 202);
});
