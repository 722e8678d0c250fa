import { deepEqual, equal, ok, rejects } from "../support/assert.ts";
import { PlatformAds, SponsoredDisplay } from "../../mod.ts";
import { Emulator } from "../../src/emulator/mod.ts";
import { KINDS } from "../../src/client/entities/kinds/kinds.ts";
import { stringifyJson } from "../../src/base/json/json.ts";
import { emulated } from "../support/emulated.ts";
import { fakeScope } from "../support/fake_scope.ts";

const FAR = "18446744073709551615";

Deno.test("Display lists by GET, states in lower case, names and ids as filters, extended data at its own path", async () => {
  const scope = fakeScope(({ params }) => params?.["startIndex"] === 0 ? [{ campaignId: 7, name: "a" }] : []);
  const { campaigns, targets, negativeTargets } = new SponsoredDisplay(scope);
  deepEqual(await campaigns.list({ name: "a", states: ["PAUSED"] }), [{ campaignId: "7", name: "a" }]);
  await targets.list({ campaignIds: ["1", "2"], extended: true, pageSize: 50 });
  await negativeTargets.getMany(["7"]);
  deepEqual(scope.requests.map(({ method, path, params, accept }) => [method, path, params, accept]), [
    ["GET", "/sd/campaigns", { name: "a", stateFilter: ["paused"], startIndex: 0 }, "application/json"],
    ["GET", "/sd/campaigns", { name: "a", stateFilter: ["paused"], startIndex: 1 }, "application/json"],
    ...[0, 1].map((startIndex) => [
      "GET",
      "/sd/targets/extended",
      { campaignIdFilter: ["1", "2"], stateFilter: ["enabled", "paused"], startIndex, count: 50 },
      "application/json",
    ]),
    // Of negative targets only the extended list takes ids.
    ["GET", "/sd/negativeTargets/extended", { targetIdFilter: ["7"], startIndex: 0 }, "application/json"],
  ]);
});

Deno.test("ids of Display past 2^53 go out as bare integers and come back as text", async () => {
  const scope = fakeScope(() => [{ code: "SUCCESS", adGroupId: FAR }]);
  const { adGroups } = new SponsoredDisplay(scope);
  const result = await adGroups.create([{ campaignId: FAR, name: "a", state: "ENABLED" }]);
  deepEqual(result.ids, [FAR]);
  equal(stringifyJson(scope.requests[0]!.json), `[{"campaignId":${FAR},"name":"a","state":"enabled"}]`);
});

Deno.test("an update of Display empties with null, and days and words may be written as elsewhere", async () => {
  const scope = fakeScope(({ json }) => (json as unknown[]).map(() => ({ code: "SUCCESS", campaignId: 7 })));
  const { campaigns } = new SponsoredDisplay(scope);
  await campaigns.update([{ campaignId: "7", endDate: null, portfolioId: null, startDate: "2026-10-01" }]);
  await campaigns.create([
    { name: "a", tactic: "T00030", budget: 5, costType: "VCPM", end_date: "2026-12-24", state: "Paused" },
  ]);
  deepEqual(scope.requests.map(({ method, json }) => [method, stringifyJson(json)]), [
    ["PUT", '[{"campaignId":7,"startDate":"20261001","endDate":null,"portfolioId":null}]'],
    [
      "POST",
      '[{"budgetType":"daily","name":"a","tactic":"T00030","budget":5,"costType":"vcpm",' +
      '"endDate":"20261224","state":"paused"}]',
    ],
  ]);
});

Deno.test("a new Display target goes out without the campaign, which the platform takes from its ad group", async () => {
  const scope = fakeScope(() => [{ code: "SUCCESS", targetId: 7 }]);
  const { targets } = new SponsoredDisplay(scope);
  const expression = [{ type: "views", value: [{ type: "lookback", value: "30" }] }];
  await targets.create([{ campaignId: "1", adGroupId: "2", expression, expressionType: "MANUAL" }]);
  equal(
    stringifyJson(scope.requests[0]!.json),
    '[{"adGroupId":2,"expression":[{"type":"views","value":[{"type":"lookback","value":"30"}]}],' +
      '"expressionType":"manual"}]',
  );
});

Deno.test("audiences are told apart by what is in them", () => {
  const { identity, label } = KINDS["sd.targets"];
  const views = (days: string, more: object[] = []) => ({
    adGroupId: "2",
    expression: [{ type: "views", value: [{ type: "lookback", value: days }, ...more] }],
  });
  const product = { type: "exactProduct" };
  ok(identity!(views("30")) !== identity!(views("60")));
  ok(identity!(views("30")) !== identity!(views("30", [product])));
  const [lookback] = views("30").expression[0]!.value;
  const turned = { adGroupId: "2", expression: [{ type: "views", value: [product, lookback] }] };
  equal(identity!(turned), identity!(views("30", [product])));
  equal(label(views("30", [product])), "views(lookback=30 exactProduct)");
});

Deno.test("Display says how much of its budgets is spent", async () => {
  await using world = await emulated();
  const [campaign] = await world.us.sd.campaigns.list();
  const usage = await world.us.sd.campaigns.budgetUsage([campaign!.campaignId]);
  equal(usage.successes[0]!.entity!.campaignId, campaign!.campaignId);
  ok(world.asked().includes("POST /sd/campaigns/budget/usage"));
});

Deno.test("the extended list of Display has dates and serving status, which other lists leave out", async () => {
  await using world = await emulated();
  for (
    const kind of ["sd.campaigns", "sd.ad_groups", "sd.product_ads", "sd.targets", "sd.negative_targets"]
  ) {
    const resource = world.us.resource(kind);
    const [plain] = await resource.list();
    const [extended] = await resource.list({ extended: true });
    equal(typeof extended!["creationDate"], "number", kind);
    equal(typeof extended!["servingStatus"], "string", kind);
    equal(plain!["creationDate"], undefined, kind);
    equal(plain![resource.idField], extended![resource.idField], kind);
  }
});

Deno.test("the reports of days before a Display campaign was paused stay as they were", async () => {
  const emulator = await Emulator.start({ clock: { now: "2026-09-30T12:00:00Z", frozen: true } });
  await using _stop = { [Symbol.asyncDispose]: () => emulator.stop() };
  const ads = new PlatformAds(emulator.credentials, {
    platform: emulator.platform,
    now: () => emulator.clock.now(),
    sleep: (seconds) => Promise.resolve(emulator.advance(seconds)),
  });
  const us = await ads.profile("US");
  const ask = async () => {
    const rows = await us.reports.run("sd_campaigns", "2026-09-20", "2026-09-26");
    return rows.map(({ campaignId, date, clicks, cost }) => ({ campaignId, date, clicks, cost }));
  };
  const before = await ask();
  const [first] = before;
  const { ids } = await us.sd.campaigns.pause([String(first!["campaignId"])]);
  equal(ids.length, 1);
  deepEqual(await ask(), before);
});

Deno.test("what is no Display item is refused before anything is sent", async () => {
  const scope = fakeScope(() => []);
  const { campaigns } = new SponsoredDisplay(scope);
  const bad: object = { name: "a", tactic: "T00020", budget: { budget: 5 } };
  await rejects(campaigns.create([bad as never]), /budget .* is not a number/);
  await rejects(campaigns.update([{ campaignId: "7", state: "ARCHIVED" }]), /Archiving is permanent/);
  await rejects(campaigns.get("7x"), /is not a campaignId/);
  deepEqual(scope.requests, []);
});
