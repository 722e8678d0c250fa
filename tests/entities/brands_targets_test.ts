import { deepEqual, equal, match, ok, rejects } from "../support/assert.ts";
import { BadRequestError, NotFoundError, PlatformAdsError, SponsoredBrands } from "../../mod.ts";
import { stringifyJson } from "../../src/base/json/json.ts";
import { KINDS } from "../../src/client/entities/kinds/kinds.ts";
import { emulated } from "../support/emulated.ts";
import { fakeScope, type ScopeRequest } from "../support/fake_scope.ts";

const FAR = "18446744073709551615";
const PRODUCT = [{ type: "asinSameAs", value: "B0DVQWC048" }];
const target = (targetId: number | string, more: Record<string, unknown> = {}) => ({
  targetId,
  campaignId: 1,
  adGroupId: 2,
  expressions: PRODUCT,
  state: "enabled",
  ...more,
});
const sent = ({ method, path, json, contentType, accept }: ScopeRequest): unknown[] => [
  method,
  path,
  ...(json === undefined ? [] : [stringifyJson(json)]),
  ...[contentType, accept].flatMap((type) => type === undefined ? [] : [type.replace("application/", "")]),
];

Deno.test("Brands targets are listed by POST with filters of a type and values, 100 of each at most", async () => {
  const scope = fakeScope(({ path, json }) => {
    const collection = path.includes("negative") ? "negativeTargets" : "targets";
    const { nextToken } = json as { nextToken?: string };
    return nextToken === undefined
      ? { [collection]: [target(FAR)], nextToken: "more" }
      : { [collection]: [target(8)] };
  });
  const { targets, negativeTargets } = new SponsoredBrands(scope);
  const found = await targets.list({
    adGroupIds: ["2", FAR],
    pageSize: 50,
    filters: { CREATIVE_TYPE: ["video"] },
  });
  deepEqual(found.map(({ targetId, campaignId, adGroupId }) => [targetId, campaignId, adGroupId]), [
    [FAR, "1", "2"],
    ["8", "1", "2"],
  ]);
  await negativeTargets.list({ adGroupIds: ["2"], states: null });
  const filters = '"filters":[{"filterType":"CREATIVE_TYPE","values":["video"]},' +
    `{"filterType":"AD_GROUP_ID","values":[2,${FAR}]},` +
    '{"filterType":"TARGETING_STATE","values":["enabled","paused"]}]';
  const types = ["json", "vnd.sblisttargetsresponse.v3.2+json"];
  const negative = '"maxResults":5000,"filters":[{"filterType":"AD_GROUP_ID","values":["2"]}]';
  const negativeTypes = ["json", "vnd.sblistnegativetargetsresponse.v3.2+json"];
  deepEqual(scope.requests.map(sent), [
    ["POST", "/sb/targets/list", `{"maxResults":50,${filters}}`, ...types],
    ["POST", "/sb/targets/list", `{"maxResults":50,${filters},"nextToken":"more"}`, ...types],
    ["POST", "/sb/negativeTargets/list", `{${negative}}`, ...negativeTypes],
    ["POST", "/sb/negativeTargets/list", `{${negative},"nextToken":"more"}`, ...negativeTypes],
  ]);
  ok(scope.requests.every(({ idempotent }) => idempotent), "a list may be sent again");
  ok(scope.requests.every(({ onText }) => onText !== undefined), "the next page may be asked for early");
  const { signal } = new AbortController();
  for await (const _ of targets.iter({ signal })) break;
  const last = scope.requests.at(-1)!;
  deepEqual([last.onText, last.signal], [undefined, signal]);

  scope.requests.length = 0;
  const campaignIds = Array.from({ length: 201 }, (_, at) => String(at + 1));
  await negativeTargets.list({ campaignIds, states: ["ENABLED"] });
  const bodies = scope.requests.map(({ json }) =>
    json as { filters: { filterType: string; values: string[] }[] }
  );
  deepEqual(bodies.map(({ filters }) => filters.map((one) => [one.filterType, one.values.length])), [
    ...Array.from({ length: 4 }, () => [["CAMPAIGN_ID", 100], ["TARGETING_STATE", 1]]),
    ...Array.from({ length: 2 }, () => [["CAMPAIGN_ID", 1], ["TARGETING_STATE", 1]]),
  ]);
  await rejects(
    targets.list({ states: ["PAUSED"], filters: { TARGETING_STATE: ["enabled"] } }),
    /by the filter "TARGETING_STATE": the options of the list set it already/,
  );
});

Deno.test("Brands targets are read by id one by one up to 20, and from a list of all beyond", async () => {
  const scope = fakeScope(({ method, path }) => {
    if (method === "POST") return { targets: [target(1), target(7), target(99)] };
    if (path.endsWith("/3")) throw new NotFoundError("No", { statusCode: 404, method, url: path });
    const id = path.slice(path.lastIndexOf("/") + 1);
    // As the description of one target has it: a predicate in place of a list of them.
    return target(id, { expressions: PRODUCT[0], state: id === "7" ? "archived" : "enabled" });
  });
  const { targets, negativeTargets } = new SponsoredBrands(scope);
  const found = await targets.getMany(["7", "3", FAR]);
  deepEqual([...found], [
    ["7", { ...target("7"), campaignId: "1", adGroupId: "2", state: "archived" }],
    [FAR, { ...target(FAR), campaignId: "1", adGroupId: "2" }],
  ]);
  deepEqual(scope.requests.map(sent), [
    ["GET", "/sb/targets/7", "vnd.sbtarget.v3+json"],
    ["GET", "/sb/targets/3", "vnd.sbtarget.v3+json"],
    ["GET", `/sb/targets/${FAR}`, "vnd.sbtarget.v3+json"],
  ]);
  await negativeTargets.get("5");
  deepEqual(sent(scope.requests.at(-1)!), ["GET", "/sb/negativeTargets/5", "vnd.sbnegativetarget.v3+json"]);
  // All other options hold too.
  deepEqual((await targets.list({ ids: ["7", "8"] })).map(({ targetId }) => targetId), ["8"]);
  deepEqual((await targets.list({ ids: ["8"], adGroupIds: ["2"], campaignIds: ["1"] })).length, 1);
  deepEqual(await targets.list({ ids: ["8"], adGroupIds: ["3"] }), []);
  deepEqual(await targets.list({ ids: ["8"], campaignIds: ["3"] }), []);

  scope.requests.length = 0;
  const twenty = Array.from({ length: 20 }, (_, at) => String(at + 4));
  equal((await targets.getMany(twenty)).size, 20);
  equal(scope.requests.length, 20);
  scope.requests.length = 0;
  deepEqual([...(await targets.getMany([...twenty, "1"])).keys()], ["1", "7"]);
  deepEqual(scope.requests.map(sent).map(([method, path, body]) => [method, path, body]), [
    ["POST", "/sb/targets/list", '{"maxResults":5000,"filters":[]}'],
  ]);
  deepEqual([...(await targets.list({ ids: ["7"], filters: { CREATIVE_TYPE: ["video"] } }))].length, 1);
  equal(scope.requests.at(-1)?.method, "POST", "only a list knows the types of creatives");
  await rejects(targets.get("seven"), /it is not a targetId/);
  const { listSizes, writeLimits } = await KINDS["sb.targets"].wire.load();
  deepEqual([listSizes, writeLimits], [{ page: 5000, ids: 1 }, { create: 100, update: 100, archive: 1 }]);
});

Deno.test("a Brands target whose response is no target is an error, and not a target without an id", async () => {
  const { targets } = new SponsoredBrands(fakeScope(() => ({ message: "from a proxy" })));
  await rejects(targets.get("7"), (error: Error) => {
    ok(error instanceof PlatformAdsError);
    match(error.message, /Cannot read \/sb\/targets\/7: the platform's response holds no "targetId"/);
    return true;
  });
  await rejects(targets.list(), /Cannot list \/sb\/targets: the platform's response holds no "targets"/);
  const forbidden = fakeScope(({ method, path }) => {
    throw new BadRequestError("No", { statusCode: 400, method, url: path });
  });
  await rejects(new SponsoredBrands(forbidden).targets.get("7"), BadRequestError);
});

Deno.test("new Brands targets go out with bare ids and without a state, and each has its verdict", async () => {
  const scope = fakeScope(() => ({
    createTargetSuccessResults: [{ targetId: FAR, targetRequestIndex: 1 }],
    createTargetErrorResults: [{ code: "INVALID_ARGUMENT", details: "Not an ASIN", targetRequestIndex: 0 }],
  }));
  const { targets, negativeTargets } = new SponsoredBrands(scope);
  const item = {
    campaignId: "1",
    adGroupId: FAR,
    expressions: [{ type: "ASIN_SAME_AS", value: "B0DVQWC048" }],
  };
  const result = await targets.create([{ ...item, bid: 0.5, state: "ENABLED" }, item, item]);
  deepEqual([...result].map((one) => one.ok ? one.id : [one.code, one.message, one.outcome]), [
    ["INVALID_ARGUMENT", "Not an ASIN", "refused"],
    FAR,
    ["NO_VERDICT", "The response does not mention this item", "unknown"],
  ]);
  const { signal } = new AbortController();
  await negativeTargets.create([item], { signal });
  equal(scope.requests.at(-1)?.signal, signal);
  const body = `"campaignId":1,"adGroupId":${FAR},"expressions":[{"type":"asinSameAs","value":"B0DVQWC048"}]`;
  deepEqual(scope.requests.map(sent), [
    [
      "POST",
      "/sb/targets",
      `{"targets":[{${body},"bid":0.5},{${body}},{${body}}]}`,
      "json",
      "vnd.sbcreatetargetsresponse.v3+json",
    ],
    [
      "POST",
      "/sb/negativeTargets",
      `{"negativeTargets":[{${body}}]}`,
      "json",
      "vnd.sbcreatenegativetargetsrequest.v3+json",
    ],
  ]);
  await rejects(
    targets.create([{ ...item, state: "PAUSED" }]),
    /the platform enables every new Brands target/,
  );
});

Deno.test("an update of a Brands target repeats its parents, that of a negative one its ad group", async () => {
  const scope = fakeScope(({ method, path, json }) => {
    if (method === "GET") return target(path.slice(path.lastIndexOf("/") + 1));
    const items = Object.values(json as Record<string, { targetId: unknown }[]>)[0]!;
    return {
      updateTargetSuccessResults: items.map(({ targetId }, at) => ({
        targetId: String(targetId),
        targetRequestIndex: at,
      })),
    };
  });
  const { targets, negativeTargets } = new SponsoredBrands(scope);
  deepEqual((await targets.update([{ targetId: "7", bid: 0.7, state: "PAUSED" }])).ids, ["7"]);
  await negativeTargets.enable(["8"]);
  deepEqual(scope.requests.map(sent), [
    ["GET", "/sb/targets/7", "vnd.sbtarget.v3+json"],
    [
      "PUT",
      "/sb/targets",
      '{"targets":[{"targetId":7,"state":"paused","bid":0.7,"campaignId":1,"adGroupId":2}]}',
      "json",
      "vnd.updatetargetsresponse.v3+json",
    ],
    ["GET", "/sb/negativeTargets/8", "vnd.sbnegativetarget.v3+json"],
    [
      "PUT",
      "/sb/negativeTargets",
      '{"negativeTargets":[{"targetId":8,"state":"enabled","adGroupId":2}]}',
      "json",
      "vnd.updatenegativetargetsresponse.v3+json",
    ],
  ]);
  await rejects(negativeTargets.pause(["8"]), /Cannot set the state of a Brands negative target to "PAUSED"/);
});

Deno.test("an update whose response names neither list is of unknown outcome", async () => {
  const scope = fakeScope(() => ({ code: "INTERNAL_ERROR" }));
  const { targets } = new SponsoredBrands(scope);
  const result = await targets.update([{ targetId: "7", campaignId: "1", adGroupId: "2", bid: 0.7 }]);
  deepEqual(result.errors.map(({ outcome }) => outcome), ["unknown"]);
});

Deno.test("each Brands target is archived by a request of its own", async () => {
  const scope = fakeScope(({ path, method }) => {
    if (path.endsWith("/2")) throw new NotFoundError("No", { statusCode: 404, method, url: path });
    return { code: "SUCCESS", targetId: 1 };
  });
  const { targets, negativeTargets } = new SponsoredBrands(scope);
  const result = await targets.delete(["1", "2"]);
  deepEqual([...result].map((one) => one.ok ? one.id : one.code), ["1", "NOT_FOUND"]);
  await negativeTargets.delete(["1"]);
  deepEqual(scope.requests.map(sent), [
    ["DELETE", "/sb/targets/1", "vnd.sbtargetresponse.v3+json"],
    ["DELETE", "/sb/targets/2", "vnd.sbtargetresponse.v3+json"],
    ["DELETE", "/sb/negativeTargets/1", "vnd.sbnegativetarget.v3+json"],
  ]);
});

Deno.test("requests of Brands targets that are written by hand are read back as what they do", async () => {
  const wire = await KINDS["sb.targets"].wire.load();
  const read = (method: string, path: string, json?: unknown) => wire.readWrite?.({ method, path, json });
  deepEqual(read("PUT", "/sb/targets", { targets: [{ targetId: 7, state: "archived" }] }), {
    op: "update",
    items: [{ targetId: "7", state: "archived" }],
  });
  deepEqual(read("POST", "/sb/targets", { targets: [{ adGroupId: 2 }] }), {
    op: "create",
    items: [{ adGroupId: "2" }],
  });
  deepEqual(read("DELETE", "/sb/targets/7"), { op: "archive", items: [{ targetId: "7" }] });
  const strange: readonly [string, string, unknown?][] = [
    ["POST", "/sb/targets", { targets: [], other: 1 }],
    ["POST", "/sb/targets/list", { targets: [] }],
    ["PATCH", "/sb/targets", { targets: [] }],
    ["PUT", "/sb/targets", { targets: ["7"] }],
    ["DELETE", "/sb/targets/seven"],
    ["DELETE", "/sb/adverts/7"],
    ["GET", "/sb/targets/7"],
  ];
  for (const [method, path, json] of strange) equal(read(method, path, json), undefined, `${method} ${path}`);
});

Deno.test("a plan makes a Brands campaign with targets, changes their bids, and takes everything back", async () => {
  await using world = await emulated();
  const { us } = world;
  const draft = us.plan();
  const campaignId = { ref: "campaign" };
  const adGroupId = { ref: "group" };
  draft.create("sb.campaigns", { name: "Tents", state: "ENABLED", budget: 20, budgetType: "DAILY" }, {
    as: "campaign",
  });
  draft.create("sb.ad_groups", { campaignId, name: "Tents", state: "ENABLED" }, { as: "group" });
  draft.create("sb.targets", { campaignId, adGroupId, expressions: PRODUCT, bid: 0.9 });
  draft.create("sb.negative_targets", {
    campaignId,
    adGroupId,
    expressions: [{ type: "asinBrandSameAs", value: "8" }],
  });
  const plan = await draft.build();
  match(plan.toMarkdown(), /asinSameAs=B0DVQWC048/);
  const made = await plan.apply(us, { checkDrift: true });
  equal(made.ok, true, made.summary());
  const [campaign, group, one, kept] = made.changes.map(({ id }) => id!);
  deepEqual(
    (await us.sb.targets.list({ adGroupIds: [group!] })).map(({ targetId, expressions, bid, state }) => [
      targetId,
      expressions,
      bid,
      state,
    ]),
    [[one, PRODUCT, 0.9, "enabled"]],
  );
  equal((await us.sb.negativeTargets.list({ adGroupIds: [group!] }))[0]?.targetId, kept);

  const again = await us.sb.targets.planCreate([
    { campaignId: campaign!, adGroupId: group!, expressions: PRODUCT },
  ]);
  deepEqual(again.findings.map(({ code }) => code), ["ALREADY_THERE"]);
  const keptAgain = await us.sb.negativeTargets.planCreate([
    { campaignId: campaign!, adGroupId: group!, expressions: [{ type: "ASIN_BRAND_SAME_AS", value: "8" }] },
  ]);
  deepEqual(keptAgain.findings.map(({ code }) => code), ["ALREADY_THERE"]);

  const raise = await us.sb.targets.planUpdate([{ targetId: one!, bid: 9 }]);
  deepEqual([raise.findings.map(({ code }) => code), raise.money?.unknown], [["AMOUNT_TRIPLED"], 1]);
  (await raise.apply(us, { checkDrift: true })).raiseForErrors();
  const events = await us.history.list({ entityTypes: ["PRODUCT_TARGETING"], entityIds: [one!] });
  deepEqual(
    events.filter(({ entityId }) => entityId === one).map((
      { changeType, newValue },
    ) => [changeType, newValue])
      .sort(),
    [["BID_AMOUNT", "9"], ["CREATED", "ENABLED"]],
  );
  const undo = made.rollbackPlan();
  (await undo.apply(us)).raiseForErrors();
  equal((await us.sb.targets.get(one!))?.state, "archived");
  equal((await us.sb.negativeTargets.get(kept!))?.state, "archived");
});

Deno.test("the bid of a Brands target is put back by what the change history says of it", async () => {
  await using world = await emulated();
  const { us } = world;
  const [{ targetId, bid } = { targetId: "", bid: 0 }] = await us.sb.targets.list({ states: ["ENABLED"] });
  (await us.sb.targets.update([{ targetId, bid: 2.34 }])).raiseForErrors();
  const restore = await us.history.rollbackPlan("2026-09-30");
  deepEqual(restore.changes.map(({ kind, op, id, after }) => [kind, op, id, after["bid"]]), [
    ["sb.targets", "update", targetId, bid],
  ]);
});
