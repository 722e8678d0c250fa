import assert from "node:assert/strict";
import { Caller } from "./caller.ts";

type Item = Record<string, unknown>;

const TYPES: Readonly<Record<string, string>> = {
  "POST /sb/targets": "sbcreatetargetsresponse",
  "PUT /sb/targets": "updatetargetsresponse",
  "POST /sb/targets/list": "sblisttargetsresponse",
  "POST /sb/negativeTargets": "sbcreatenegativetargetsrequest",
  "PUT /sb/negativeTargets": "updatenegativetargetsresponse",
  "POST /sb/negativeTargets/list": "sblistnegativetargetsresponse",
};

/** Ids as bare integers, whatever their length. */
function bare(value: unknown): string {
  return JSON.stringify(value).replace(/"(\w+Id)":"(\d+)"/g, '"$1":$2');
}

function ask(caller: Caller, method: string, path: string, body: unknown) {
  const accept = `application/vnd.${TYPES[`${method} ${path}`]}.v3+json`;
  return caller.call(method, path, undefined, {
    raw: bare(body),
    headers: { "content-type": "application/json", accept },
  });
}

/** An emulator, two enabled ad groups of different campaigns, and the items of writes in short. */
async function start() {
  const caller = await Caller.start();
  const profile = caller.emulator.state.profile(caller.profile("US"))!;
  const places: Item[] = profile.collection("sb.ad_groups").all().filter((adGroup) =>
    adGroup.state === "ENABLED" &&
    profile.collection("sb.campaigns").get(String(adGroup.campaignId))?.state === "ENABLED"
  ).map(({ campaignId, adGroupId }) => ({ campaignId, adGroupId }));
  const place = places[0]!;
  const other = places.find(({ campaignId }) => campaignId !== place.campaignId)!;
  const product = (value = "B0NEWNEW01", type = "asinSameAs"): Item => ({
    ...place,
    expressions: [{ type, value }],
  });
  const verdicts = async (
    items: readonly Item[],
    { path = "/sb/targets", method = "POST" } = {},
  ): Promise<string[]> => {
    const list = path === "/sb/targets" ? "targets" : "negativeTargets";
    const { text } = await ask(caller, method, path, { [list]: items });
    const body = JSON.parse(text.replace(/"targetId":(\d+)/g, '"targetId":"$1"'));
    const verb = method === "POST" ? "create" : "update";
    const found: string[] = [];
    for (const { targetRequestIndex, targetId } of body[`${verb}TargetSuccessResults`]) {
      found[targetRequestIndex] = String(targetId);
    }
    for (const { targetRequestIndex, code, details } of body[`${verb}TargetErrorResults`]) {
      found[targetRequestIndex] = `${code}: ${details}`;
    }
    return found;
  };
  return {
    caller,
    profile,
    place,
    other,
    product,
    verdicts,
    [Symbol.asyncDispose]: () => caller[Symbol.asyncDispose](),
  };
}

Deno.test("a new Brands target needs both of its parents, open ones that belong together, and a known predicate", async () => {
  await using world = await start();
  const { place, other, product, verdicts, profile } = world;
  const { campaignId: _, ...withoutCampaign } = product();
  const found = await verdicts([
    product(),
    product(),
    { ...product(), campaignId: other.campaignId },
    withoutCampaign,
    { ...product(), adGroupId: "5" },
    product("not an asin"),
    product("7", "similarProduct"),
    { ...place, expressions: [] },
    { ...place, expressions: [{ type: "asinBrandSameAs" }] },
    { ...product("B0NEWNEW02"), bid: 0.001 },
    { ...product("B0NEWNEW02"), bid: 1.005 },
    { ...product("B0NEWNEW02"), bid: 1.05 },
  ]);
  assert.match(found[0]!, /^\d+$/);
  assert.deepEqual(found.slice(1, 6), [
    "INVALID_ARGUMENT: The target exists already",
    "NOT_FOUND: adGroupId was not found in this campaign",
    "INVALID_ARGUMENT: campaignId is required",
    "NOT_FOUND: adGroupId was not found",
    "INVALID_ARGUMENT: The value is not an ASIN",
  ]);
  for (const text of found.slice(6, 9)) assert.match(text, /^INVALID_ARGUMENT: expressions must/);
  for (const text of found.slice(9, 11)) assert.match(text, /^INVALID_ARGUMENT: bid /);
  assert.match(found[11]!, /^\d+$/);
  const { expressions, bid, state } = profile.collection("sb.targets").get(found[11]!)!;
  assert.deepEqual([expressions, bid, state], [product("B0NEWNEW02").expressions, 1.05, "enabled"]);

  const negative = { path: "/sb/negativeTargets" };
  const [kept, category] = await verdicts([product(), product("7", "asinCategorySameAs")], negative);
  assert.match(kept!, /^\d+$/);
  assert.match(category!, /one of the types asinBrandSameAs, asinSameAs$/);
});

Deno.test("a Brands target is changed where it is, and no more once it or a parent is archived", async () => {
  await using world = await start();
  const { caller, profile, place, other, product, verdicts } = world;
  const [targetId, second] = await verdicts([product(), product("B0NEWNEW02")]);
  const change = { method: "PUT" };
  assert.deepEqual(
    await verdicts([
      { targetId, state: "paused", bid: 1.5 },
      { targetId, adGroupId: other.adGroupId, bid: 2 },
      { targetId, state: "draft" },
      { targetId: "5", bid: 2 },
      { targetId: second, bid: 0.001 },
    ], change).then((found) => found.map((text) => text.replace(/from .*/, "..."))),
    [
      targetId,
      "INVALID_ARGUMENT: adGroupId is not that of the target",
      "INVALID_ARGUMENT: state must be one of enabled, paused, archived",
      "NOT_FOUND: Target was not found",
      "INVALID_ARGUMENT: bid must be a number ...",
    ],
  );
  const { state, bid } = profile.collection("sb.targets").get(targetId!)!;
  assert.deepEqual([state, bid], ["paused", 1.5]);
  const events = profile.history().filter(({ entityId }) => entityId === targetId);
  assert.deepEqual(
    events.map(({ changeType, previousValue, newValue }) => [changeType, previousValue, newValue]),
    [
      ["CREATED", null, "ENABLED"],
      ["STATUS", "ENABLED", "PAUSED"],
      ["BID_AMOUNT", null, "1.5"],
    ],
  );
  assert.deepEqual(
    new Set(events.map(({ entityType, metadata }) => [entityType, metadata.targetingExpression].join())),
    new Set(['PRODUCT_TARGETING,[{"type":"asinSameAs","value":"B0NEWNEW01"}]']),
  );

  const archive = (id: string | undefined) =>
    caller.call("DELETE", `/sb/targets/${id}`, undefined, {
      headers: { accept: "application/vnd.sbtargetresponse.v3+json" },
    });
  assert.equal((await archive(targetId)).status, 200);
  assert.deepEqual([(await archive(targetId)).status, (await archive("5")).status], [400, 404]);
  assert.deepEqual(await verdicts([{ targetId, bid: 2 }], change), [
    "INVALID_ARGUMENT: An archived target cannot be changed",
  ]);

  const campaigns = profile.collection("sb.campaigns");
  campaigns.replace({ ...campaigns.get(String(product().campaignId))!, state: "ARCHIVED" });
  assert.deepEqual(await verdicts([{ targetId: second, bid: 2 }], change), [
    "INVALID_ARGUMENT: Parent entity is archived, updates are forbidden",
  ]);
  assert.equal((await archive(second)).status, 400);
  assert.deepEqual(await verdicts([product("B0NEWNEW03")]), ["INVALID_ARGUMENT: campaignId is archived"]);
  const theme = { adGroupId: place.adGroupId, themeType: "KEYWORDS_RELATED_TO_YOUR_BRAND", bid: 1 };
  const themes = await caller.call("POST", "/sb/themes", undefined, {
    raw: bare({ themes: [theme] }),
    headers: { "content-type": "application/json", accept: "application/vnd.sbthemescreateresponse.v3+json" },
  });
  assert.match(themes.text, /The campaign is archived/, "also where the campaign is not named");
});

Deno.test("a negative Brands target is enabled or archived, has no bid and no history", async () => {
  await using world = await start();
  const { profile, product, verdicts } = world;
  const path = "/sb/negativeTargets";
  const published = () => profile.history().filter(({ unpublished }) => !unpublished).length;
  const before = published();
  const [targetId] = await verdicts([product()], { path });
  const refused = await verdicts([{ targetId, state: "paused" }], { path, method: "PUT" });
  assert.deepEqual(refused, ["INVALID_ARGUMENT: state must be one of enabled, archived"]);
  assert.deepEqual(await verdicts([{ targetId, state: "archived" }], { path, method: "PUT" }), [targetId]);
  assert.equal(profile.collection("sb.negative_targets").get(targetId!)!.state, "archived");
  assert.equal(published(), before);
});

Deno.test("lists of Brands targets take three filters of known types and values, and page by tokens", async () => {
  await using world = await start();
  const { caller, place, other, product, verdicts } = world;
  const [paused] = await verdicts([product(), { ...product(), ...other }]);
  await verdicts([{ targetId: paused, state: "paused" }], { method: "PUT" });
  const list = async (filters: unknown, more: Item = {}, path = "/sb/targets/list") => {
    const { status, json, text } = await ask(caller, "POST", path, { filters, ...more });
    return status === 200 ? json as { targets: Item[]; nextToken?: string } : `${status} ${text}`;
  };
  const filter = (filterType: string, ...values: unknown[]): Item => ({ filterType, values });
  const of = (found: Awaited<ReturnType<typeof list>>): Item[] =>
    typeof found === "string" ? [] : found.targets;
  const all = of(await list([]));
  assert.ok(all.length > 5);
  assert.ok(all.every((target) => !("extendedData" in target)));
  const inPlace = of(
    await list([filter("AD_GROUP_ID", place.adGroupId), filter("CAMPAIGN_ID", place.campaignId)]),
  );
  assert.ok(inPlace.length >= 1 && inPlace.length < all.length);
  assert.deepEqual(
    of(await list([filter("AD_GROUP_ID", place.adGroupId), filter("CAMPAIGN_ID", other.campaignId)])),
    [],
  );
  const far = caller.call("POST", "/sb/targets/list", undefined, {
    raw: '{"filters":[{"filterType":"AD_GROUP_ID","values":[9223431141814382452]}]}',
    headers: { "content-type": "application/json", accept: "application/vnd.sblisttargetsresponse.v3+json" },
  });
  assert.deepEqual((await far).json, { targets: [] }, "ids past 2^53 are bare numbers too");
  const states = new Set(of(await list([filter("TARGETING_STATE", "paused")])).map(({ state }) => state));
  assert.deepEqual([...states], ["paused"]);
  const videos = of(await list([filter("CREATIVE_TYPE", "video")])).length;
  const images = of(await list([filter("CREATIVE_TYPE", "productCollection")])).length;
  assert.equal(videos + images, all.length);

  const page = await list([], { maxResults: 4 });
  assert.ok(typeof page !== "string" && page.targets.length === 4 && page.nextToken !== undefined);
  const next = await list([], { maxResults: 4, nextToken: page.nextToken });
  assert.deepEqual(of(next), all.slice(4, 8));

  const bad: readonly [unknown, Item?, string?][] = [
    [[filter("TARGETING_STATE", "draft")]],
    [[filter("TARGETING_STATE", "paused")], {}, "/sb/negativeTargets/list"],
    [[filter("CREATIVE_TYPE", "store")]],
    [[filter("TARGET_ID", "1")]],
    [[filter("CAMPAIGN_ID")]],
    [[filter("CAMPAIGN_ID", ...Array.from({ length: 101 }, (_, at) => String(at)))]],
    [Array.from({ length: 4 }, () => filter("TARGETING_STATE", "enabled"))],
    ["enabled"],
    [[], { maxResults: 5001 }],
    [[], { nextToken: "mine" }],
  ];
  for (const [filters, more, path] of bad) {
    assert.match(String(await list(filters, more, path)), /^400 /, JSON.stringify([filters, more]));
  }
});
