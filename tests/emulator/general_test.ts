import assert from "node:assert/strict";
import { catalog } from "../../src/platform/catalog/mod.ts";
import { type Json, writeJson } from "../../src/emulator/core/json.ts";
import { Random } from "../../src/emulator/core/random.ts";
import { loadShapes } from "../../src/emulator/families/general/api_shapes.ts";
import { checkValue } from "../../src/emulator/families/general/check_value.ts";
import { placeOf } from "../../src/emulator/families/general/general_operations.ts";
import { makeValue, sampleText } from "../../src/emulator/families/general/make_value.ts";
import { allRoutes, operationsWithRules } from "../../src/emulator/families/routes.ts";
import { type Answered, Caller } from "./caller.ts";
import { long } from "../support/long.ts";

const NOW = Date.parse("2026-09-30T12:00:00Z");

/** A request that fits what is published of an operation. */
async function requestOf(id: string) {
  const operation = await catalog.get(id);
  const shapes = (await loadShapes(operation.api))!;
  const shape = shapes.operation(operation.operationId)!;
  const source = { shapes, random: new Random(id), now: NOW, facts: {} };
  const bodyType = Object.keys(shape.bodies).at(-1);
  const body = bodyType === undefined ? undefined : makeValue(shape.bodies[bodyType]!, source);
  const path = operation.path.replace(
    /\{(\w+)\}/g,
    (_, name) => encodeURIComponent(sampleText({}, name, source)),
  );
  const query = new URLSearchParams(
    shape.needed.filter(({ place }) => place === "query").map((
      { name },
    ) => [name, name === "pageSize" ? "5" : "1"]),
  );
  const headers = Object.fromEntries(
    shape.needed.filter(({ place }) => place === "header").map(({ name }) => [name, "ENTITY1"]),
  );
  return { operation, shapes, shape, body, bodyType, path: `${path}?${query}`, headers };
}

/**
 * Published shapes that no value fits: a later version adds values to an enumeration by a second one that all values
 * must be in as well, or a field is text and object at once; and a path that two APIs describe differently.
 */
const CONTRADICTORY = [
  "dsp-campaigns:GetConversionTrackings",
  "dsp-campaigns:getLineItems",
  "dsp-campaigns:getOrder",
  "dsp-campaigns:getOrders",
  "platform-attribution:getPublishers",
  "sponsored-display:getReportStatus",
];

async function send(caller: Caller, id: string): Promise<Answered> {
  const { operation, body, bodyType, path, headers } = await requestOf(id);
  return await caller.call(operation.method, path, undefined, {
    ...(body === undefined ? {} : { raw: writeJson(body) }),
    headers: { ...headers, ...(bodyType === undefined ? {} : { "content-type": bodyType }) },
  });
}

async function describedIds(): Promise<string[]> {
  const ids: string[] = [];
  for (const operation of await catalog.operations()) {
    const shapes = await loadShapes(operation.api);
    if (shapes?.operation(operation.operationId) !== undefined) ids.push(operation.id);
  }
  return ids;
}

long();
Deno.test("at least 900 operations respond, at least 260 of them by rules of their own", async () => {
  await using caller = await Caller.start();
  const served = operationsWithRules(await allRoutes(), await catalog.operations());
  const silent: string[] = [];
  const wrong: string[] = [];
  let general = 0;
  for (const id of await describedIds()) {
    if (served.has(id)) continue;
    const { shapes, shape } = await requestOf(id);
    const answer = await send(caller, id);
    if (answer.status === 501 || answer.status === 403 || answer.status >= 500) {
      silent.push(`${id} ${answer.status} ${answer.text.slice(0, 100)}`);
      continue;
    }
    general++;
    if (answer.status >= 300) continue;
    const type = answer.headers.get("content-type") ?? "";
    const node = shape.responses[type];
    if (node === undefined || answer.headers.get("x-emulator-response") !== "general") continue;
    if (CONTRADICTORY.includes(id)) continue;
    wrong.push(...brokenIds(JSON.parse(answer.text)).map((path) => `${id} ${path}`));
    const problem = checkValue(JSON.parse(answer.text) as Json, node, shapes, "response");
    if (problem !== undefined) wrong.push(`${id}: ${problem}`);
  }
  console.log(`${served.size} operations by rules, ${general} by the general family`);
  assert.deepEqual(silent, []);
  assert.deepEqual(wrong, []);
  assert.ok(served.size >= 260 && served.size + general >= 900, `${served.size} ${general}`);
});

/** Ids in a response that are no whole digits, such as 2747732380.4. */
function brokenIds(value: unknown, path = ""): string[] {
  if (typeof value === "number") {
    return /(?:I[dD]s?|\bids?)$/.test(path) && !Number.isInteger(value) ? [`${path} ${value}`] : [];
  }
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item) => brokenIds(item, path));
  return Object.entries(value).flatMap(([name, part]) => brokenIds(part, `${path}.${name}`));
}

/** Its path is also that of an API for Brands alone, which comes first and has no list. */
const SHARED = "v1-all-recommendations:SBCreateRecommendation";

/** Sets of one API with a create and a list, by the ids of the two. */
async function sets(): Promise<{ create: string; list: string }[]> {
  const byPlace = new Map<string, { create?: string; list?: string }>();
  for (const id of await describedIds()) {
    const { api, method, path } = await catalog.get(id);
    const { verb, set } = placeOf(method, path);
    if (verb !== "create" && verb !== "list") continue;
    const key = `${api} ${set}`;
    byPlace.set(key, { ...byPlace.get(key), [verb]: id });
  }
  return [...byPlace.values()].flatMap(({ create, list }) =>
    create !== undefined && list !== undefined ? [{ create, list }] : []
  );
}

long();
Deno.test("what is created is listed, in every set of operations that can do both", async () => {
  await using caller = await Caller.start();
  const served = new Set((await allRoutes()).map((route) => route.operation));
  const lost: string[] = [];
  let kept = 0;
  for (const { create, list } of await sets()) {
    if (served.has(create) || served.has(list)) continue;
    const size = () =>
      caller.emulator.state.profiles("NA").flatMap((profile) =>
        Object.keys(JSON.parse(profile.toJsonText() ?? "{}").collections ?? {})
          .filter((name) => name.startsWith("general ")).map((name) => profile.collection(name).size)
      ).reduce((sum, count) => sum + count, 0);
    const before = size();
    const made = await send(caller, create);
    const listed = await send(caller, list);
    if (made.status >= 300 || listed.status >= 300) continue;
    // Paths of the unified family are those of several APIs, some of whose products have rules of their own.
    if (made.headers.get("x-emulator-response") !== "general") continue;
    if (size() > before) kept++;
    else if (create !== SHARED) lost.push(create);
  }
  console.log(`${kept} sets keep what is created`);
  assert.deepEqual(lost, []);
  assert.ok(kept >= 60, String(kept));
});

Deno.test("an entity is created, read, changed, found by a filter and taken away", async () => {
  await using caller = await Caller.start();
  const type = "application/json";
  const path = "/adsApi/v1";
  const product = "SPONSORED_TELEVISION";
  const { body } = await requestOf("v1-st-campaigns:STCreateCampaign");
  const created = await caller.call("POST", `${path}/create/campaigns`, body, { type });
  assert.equal(created.headers.get("x-emulator-response"), "general");
  const { campaignId } = created.json.success[0].campaign;
  const query = async () => {
    const filters = { adProductFilter: { include: [product] }, campaignIdFilter: { include: [campaignId] } };
    return (await caller.call("POST", `${path}/query/campaigns`, filters, { type })).json.campaigns;
  };
  assert.equal((await query())[0].campaignId, campaignId);
  const update = { campaigns: [{ campaignId, name: "Another name" }] };
  const changed = await caller.call("POST", `${path}/update/campaigns`, update, { type });
  assert.ok(changed.status < 300, changed.text);
  assert.equal(caller.emulator.requests().at(-1)!.general, true);
});

Deno.test("a body that does not fit the published shape is refused in the published words", async () => {
  await using caller = await Caller.start();
  const { status, json } = await caller.call(
    "POST",
    "/eligibility/programs",
    { maxResults: "none" },
    {
      type: "application/vnd.programeligibility.v2+json",
    },
  );
  assert.equal(status, 400);
  assert.match(JSON.stringify(json), /body\.maxResults must be (?:integer|number)/);
});

Deno.test("of the products of live ads some are out of stock, others and those of nobody are eligible", async () => {
  await using caller = await Caller.start();
  const [profile] = caller.emulator.state.profiles("NA");
  const asins = profile!.collection("sp.product_ads").all()
    .filter(({ state }) => state === "ENABLED").map(({ asin }) => String(asin));
  const ask = (productDetailsList: unknown) =>
    caller.call("POST", "/eligibility/product/list", { productDetailsList }, { type: "application/json" });
  const out = new Set<string>();
  for (let at = 0; at < asins.length; at += 50) {
    const { json } = await ask(asins.slice(at, at + 50).map((asin) => ({ asin })));
    for (const { productDetails, overallStatus, eligibilityStatusList } of json.productResponseList) {
      assert.equal(overallStatus === "ELIGIBLE", eligibilityStatusList.length === 0);
      if (overallStatus !== "ELIGIBLE") out.add(productDetails.asin);
    }
  }
  assert.ok(out.size > 0 && out.size < asins.length / 4, `${out.size} of ${asins.length}`);
  const foreign = await ask([{ asin: "B0NOTOURS1", sku: "1" }]);
  assert.equal(foreign.json.productResponseList[0].overallStatus, "ELIGIBLE");
  for (
    const wrong of [
      [],
      "none",
      [{ asin: "short" }],
      [{ sku: "1" }],
      asins.slice(0, 51).map((asin) => ({ asin })),
    ]
  ) {
    assert.equal((await ask(wrong)).status, 400, JSON.stringify(wrong).slice(0, 40));
  }
});

Deno.test("the same request of the same emulator gets the same response", async () => {
  const ask = async () => {
    await using caller = await Caller.start();
    return (await caller.call("GET", "/adm/audiences")).text;
  };
  assert.equal(await ask(), await ask());
});

Deno.test("an operation whose shape nobody has published keeps 501", async () => {
  await using caller = await Caller.start();
  const { status, text } = await caller.call("POST", "/dsp/rules/adjustments/list", {}, {
    type: "application/json",
  });
  assert.equal(status, 501);
  assert.match(text, /bid-adjustments:ListBidAdjustmentRules/);
});
