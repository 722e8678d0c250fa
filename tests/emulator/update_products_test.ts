import { deepEqual, equal } from "../support/assert.ts";
import type { JsonObject } from "../../src/emulator/mod.ts";
import { Caller } from "./caller.ts";
import { archive, errorsOf, newAdGroup, pick, resource, RESOURCES, write } from "./products.ts";

const open = (entity: JsonObject) => entity.state === "ENABLED";

/** An enabled keyword whose campaign and ad group are not archived. */
function liveKeyword(caller: Caller): JsonObject {
  return pick(
    caller,
    "sp.keywords",
    (keyword) =>
      open(keyword) &&
      open(pick(caller, "sp.campaigns", (found) => found.campaignId === keyword.campaignId)) &&
      open(pick(caller, "sp.ad_groups", (found) => found.adGroupId === keyword.adGroupId)),
  );
}

for (const { kind, idField, resultIdField, echoField } of RESOURCES) {
  Deno.test(`${kind} are paused and enabled again`, async () => {
    await using caller = await Caller.start();
    const live = pick(caller, kind, (entity) => {
      const campaign = pick(caller, "sp.campaigns", (found) => found.campaignId === entity.campaignId);
      const adGroupId = entity.adGroupId ?? pick(caller, "sp.ad_groups", open).adGroupId;
      return open(entity) && open(campaign) &&
        open(pick(caller, "sp.ad_groups", (found) => found.adGroupId === adGroupId));
    });
    const id = live[idField]!;
    for (const state of ["PAUSED", "ENABLED"]) {
      const headers = { prefer: "return=representation" };
      const { success, error } = await write(caller, ["PUT", kind], [{ [idField]: id, state }], { headers });
      deepEqual(error, []);
      equal(success[0][resultIdField], id);
      equal(success[0][echoField].state, state);
      equal(pick(caller, kind, (entity) => entity[idField] === id).state, state);
    }
  });

  Deno.test(`an archived one of ${kind} cannot be changed or archived again`, async () => {
    await using caller = await Caller.start();
    const gone = pick(caller, kind, (entity) => open(entity) && entity.expressionType !== "AUTO");
    const id = gone[idField]!;
    await archive(caller, kind, [id]);
    const update = await write(caller, ["PUT", kind], [{ [idField]: id, state: "ENABLED" }]);
    equal(errorsOf(update)[0]?.[2], "ARCHIVED_ENTITY_CANNOT_BE_MODIFIED");
    equal(errorsOf(await archive(caller, kind, [id]))[0]?.[2], "ARCHIVED_ENTITY_CANNOT_BE_MODIFIED");
  });

  Deno.test(`${kind} that do not exist are refused one by one`, async () => {
    await using caller = await Caller.start();
    const update = await write(caller, ["PUT", kind], [{ [idField]: "404", state: "PAUSED" }, {
      state: "PAUSED",
    }]);
    deepEqual(errorsOf(update).map(([, errorType, reason]) => [errorType, reason]), [
      ["entityNotFoundError", "ENTITY_NOT_FOUND"],
      ["missingValueError", "MISSING_VALUE"],
    ]);
    equal(errorsOf(await archive(caller, kind, ["404"]))[0]?.[1], "entityNotFoundError");
  });
}

Deno.test("nothing below an archived campaign can be changed", async () => {
  await using caller = await Caller.start();
  const keyword = liveKeyword(caller);
  await archive(caller, "sp.campaigns", [keyword.campaignId!]);
  const verdicts = await write(caller, ["PUT", "sp.keywords"], [{ keywordId: keyword.keywordId, bid: 1 }]);
  deepEqual(errorsOf(verdicts), [
    [0, "entityStateError", "PARENT_ARCHIVED_FORBIDS_UPDATES", "$.keywords[0].keywordId"],
  ]);
  const adGroup = [{ adGroupId: keyword.adGroupId, state: "PAUSED" }];
  equal(
    errorsOf(await write(caller, ["PUT", "sp.ad_groups"], adGroup))[0]?.[2],
    "PARENT_ARCHIVED_FORBIDS_UPDATES",
  );
});

Deno.test("a bid out of range names the limits of its marketplace", async () => {
  await using caller = await Caller.start();
  const limits: [string, number, string, string][] = [["US", 1001, "0.02", "1000"], ["JP", 1, "2", "100000"]];
  for (const [country, bid, lowerLimit, upperLimit] of limits) {
    const profile = caller.profile(country);
    const keyword = caller.emulator.state.profile(profile)!.collection("sp.keywords").all().find(open)!;
    const verdicts = await write(caller, ["PUT", "sp.keywords"], [{ keywordId: keyword.keywordId, bid }], {
      profile,
    });
    const { biddingError } = verdicts.error[0]!.errors[0]!.errorValue;
    equal(biddingError!.lowerLimit, lowerLimit);
    equal(biddingError!.upperLimit, upperLimit);
    equal(biddingError!.marketplace, country);
  }
});

Deno.test("a field that is an object is replaced whole", async () => {
  await using caller = await Caller.start();
  const { campaignId } = await newAdGroup(caller);
  const placementBidding = [{ placement: "PLACEMENT_TOP", percentage: 30 }];
  await write(caller, ["PUT", "sp.campaigns"], [{
    campaignId,
    dynamicBidding: { strategy: "MANUAL", placementBidding },
  }]);
  await write(caller, ["PUT", "sp.campaigns"], [{
    campaignId,
    dynamicBidding: { strategy: "AUTO_FOR_SALES" },
  }]);
  const campaign = pick(caller, "sp.campaigns", (found) => found.campaignId === campaignId);
  deepEqual(campaign.dynamicBidding, { strategy: "AUTO_FOR_SALES" });
});

Deno.test("a field of null is left as it is", async () => {
  await using caller = await Caller.start();
  const { keywordId, bid } = liveKeyword(caller);
  await write(caller, ["PUT", "sp.keywords"], [{ keywordId, bid: null, state: "PAUSED" }]);
  const keyword = pick(caller, "sp.keywords", (found) => found.keywordId === keywordId);
  equal(keyword.bid, bid);
  equal(keyword.state, "PAUSED");
});

Deno.test("a new expression is resolved anew", async () => {
  await using caller = await Caller.start();
  const { targetId } = pick(
    caller,
    "sp.targets",
    (target) => open(target) && target.expressionType === "MANUAL",
  );
  const expression = [{ type: "ASIN_SAME_AS", value: "B0ZZZZZZZZ" }];
  await write(caller, ["PUT", "sp.targets"], [{ targetId, expression }]);
  const target = pick(caller, "sp.targets", (found) => found.targetId === targetId);
  deepEqual(target.resolvedExpression, expression);
});

Deno.test("a keyword's text cannot be changed", async () => {
  await using caller = await Caller.start();
  const { path, type } = resource("sp.keywords");
  const keywords = [{ keywordId: liveKeyword(caller).keywordId, keywordText: "other" }];
  equal((await caller.call("PUT", path, { keywords }, { type })).status, 400);
});

Deno.test("a name that another campaign holds is refused, that of an archived one is free", async () => {
  await using caller = await Caller.start();
  const { campaignId } = await newAdGroup(caller);
  const rival = pick(caller, "sp.campaigns", open);
  const name = rival.name!;
  const rename = [{ campaignId, name }];
  equal(errorsOf(await write(caller, ["PUT", "sp.campaigns"], rename))[0]?.[2], "NAME_NOT_UNIQUE");
  await archive(caller, "sp.campaigns", [rival.campaignId]);
  deepEqual((await write(caller, ["PUT", "sp.campaigns"], rename)).error, []);
});

Deno.test("a campaign that has started keeps its start", async () => {
  await using caller = await Caller.start();
  const { campaignId } = pick(caller, "sp.campaigns", open);
  const verdicts = await write(caller, ["PUT", "sp.campaigns"], [{ campaignId, startDate: "2026-09-01" }]);
  equal(errorsOf(verdicts)[0]?.[2], "UPDATING_READ_ONLY_START_DATE");
});

Deno.test("automatic targets cannot be archived", async () => {
  await using caller = await Caller.start();
  const { adGroupId } = await newAdGroup(caller, { targetingType: "AUTO" });
  const { targetId } = pick(caller, "sp.targets", (target) => target.adGroupId === adGroupId);
  const verdicts = await archive(caller, "sp.targets", [targetId]);
  equal(errorsOf(verdicts)[0]?.[2], "AUTO_TARGETING_CLAUSE_CANNOT_BE_ARCHIVED_MANUALLY");
});

Deno.test("an archive takes one filter of at most 1,000 ids", async () => {
  await using caller = await Caller.start();
  const { path, type } = resource("sp.keywords");
  const include = Array.from({ length: 1001 }, (_, index) => String(index));
  const bodies = [{}, { keywordIdFilter: { include } }, {
    keywordIdFilter: { include: ["1"] },
    maxResults: 1,
  }, []];
  for (const body of bodies) equal((await caller.call("POST", `${path}/delete`, body, { type })).status, 400);
});

Deno.test("a profile cannot change what belongs to another", async () => {
  await using caller = await Caller.start();
  const { keywordId } = liveKeyword(caller);
  const items = [{ keywordId, bid: 1 }];
  const verdicts = await write(caller, ["PUT", "sp.keywords"], items, { profile: caller.profile("CA") });
  equal(errorsOf(verdicts)[0]?.[1], "entityNotFoundError");
});
