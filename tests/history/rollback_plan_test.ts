import { deepEqual, equal, ok, rejects } from "../support/assert.ts";
import { ChangeHistory, SponsoredBrands, SponsoredProducts } from "../../mod.ts";
import type { Fields } from "../../src/client/entities/model/resource_wire.ts";
import type { Resource } from "../../src/client/entities/resource/resource.ts";
import { emulated } from "../support/emulated.ts";
import { fakeScope } from "../support/fake_scope.ts";

const NOW = Date.parse("2026-09-30T12:00:00Z");

/** An account of which this is the history, oldest change first, and these are the keywords and ad groups. */
function account(
  events: readonly Fields[],
  entities: { keywords?: Fields[]; adGroups?: Fields[] },
): ChangeHistory {
  const scope = fakeScope(({ path, json }) => {
    if (path === "/history") {
      return { events: events.map((event, at) => ({ timestamp: NOW - 1000 + at, metadata: {}, ...event })) };
    }
    if (path === "/sb/keywords") return [];
    const { include } = Object.values(json as Record<string, { include?: string[] }>)[0]!;
    const among = (list: Fields[] = [], id: string): Fields[] =>
      list.filter((one) => include!.includes(String(one[id])));
    return {
      keywords: among(entities.keywords, "keywordId"),
      adGroups: path === "/sp/adGroups/list" ? among(entities.adGroups, "adGroupId") : [],
    };
  }, { now: () => NOW });
  const products = new SponsoredProducts(scope);
  const brands = new SponsoredBrands(scope);
  const resources: Record<string, unknown> = {
    "sp.keywords": products.keywords,
    "sb.keywords": brands.keywords,
    "sp.ad_groups": products.adGroups,
    "sb.ad_groups": brands.adGroups,
  };
  return new ChangeHistory(scope, (kind) => resources[kind] as Resource);
}

const bid = (entityId: string, previousValue: string | null, newValue: string): Fields => ({
  entityType: "KEYWORD",
  entityId,
  changeType: "BID_AMOUNT",
  previousValue,
  newValue,
});
const keyword = (keywordId: string, parts: Fields = {}): Fields => ({
  keywordId,
  campaignId: "11",
  keywordText: `word ${keywordId}`,
  matchType: "EXACT",
  state: "ENABLED",
  bid: 0.9,
  ...parts,
});

Deno.test("changes that are chosen are undone, and what others set before or since stays", async () => {
  const history = account([
    bid("1", "0.5", "0.6"),
    bid("1", "0.6", "0.9"), // ours, after theirs
    bid("2", "0.4", "0.8"), // ours, before theirs
    bid("2", "0.8", "0.9"),
    bid("3", "0.7", "0.9"), // theirs alone
  ], { keywords: [keyword("1"), keyword("2"), keyword("3")] });
  const ours = new Set(["0.6 0.9", "0.4 0.8"]);
  const plan = await history.rollbackPlan("2026-09-29", {
    only: ({ previousValue, newValue }) => ours.has(`${previousValue} ${newValue}`),
  });
  deepEqual(plan.changes.map(({ id, after }) => [id, after]), [["1", { bid: 0.6 }]]);
  deepEqual(plan.warnings, ["KEYWORD 2: BID_AMOUNT was changed by others since, so it is left as it is"]);
});

Deno.test("every value goes back to what it was before its first change", async () => {
  const history = account([
    bid("1", "0.5", "0.6"),
    bid("1", "0.6", "0.9"),
    bid("2", "0.9", "1"),
    bid("2", "1", "0.9"),
  ], {
    keywords: [keyword("1"), keyword("2")],
  });
  const plan = await history.rollbackPlan("2026-09-29", { note: "undo yesterday" });
  deepEqual(plan.changes.map(({ id, before, after }) => [id, before, after]), [["1", { bid: 0.9 }, {
    bid: 0.5,
  }]]);
  deepEqual([plan.note, plan.warnings, plan.missing], ["undo yesterday", [], []]);
});

Deno.test("what cannot be put back is told, each thing once", async () => {
  const history = account([
    bid("1", null, "0.6"),
    bid("1", "0.6", "0.9"),
    bid("2", "0.5", "0.9"),
    bid("3", "a lot", "0.9"),
    bid("4", "0.5", "0.9"),
    {
      entityType: "KEYWORD",
      entityId: "5",
      changeType: "STATUS",
      previousValue: "DRAFTED",
      newValue: "ENABLED",
    },
    { entityType: "KEYWORD", entityId: "6", changeType: "STATUS", previousValue: null, newValue: "ENABLED" },
    { entityType: "KEYWORD", entityId: "1", changeType: "MATCH", previousValue: "5", newValue: "9" },
    { entityType: "KEYWORD", entityId: "1", changeType: "MATCH", previousValue: "9", newValue: "10" },
    { entityType: "KEYWORD", entityId: "1", changeType: "IN_BUDGET", previousValue: "1", newValue: "0" },
    { entityType: "THEME", entityId: "8", changeType: "STATUS", previousValue: "5", newValue: "9" },
  ], {
    keywords: [keyword("1"), keyword("2", { state: "ARCHIVED" }), keyword("3"), keyword("5"), keyword("6")],
  });
  const plan = await history.rollbackPlan("2026-09-29", {
    entityTypes: ["KEYWORD", "THEME"],
  });
  deepEqual(plan.changes.map(({ id, after }) => [id, after]), [["1", { bid: null }]]);
  deepEqual(plan.missing, ["4"]);
  deepEqual(plan.warnings, [
    "Changes of THEME cannot be undone: 1 entities",
    'keyword 1 "word 1" (EXACT): a change of MATCH cannot be undone by an update',
    'keyword 2 "word 2" (EXACT): it is archived, which is permanent',
    'keyword 3 "word 3" (EXACT): "bid" cannot be set to "a lot"',
    'keyword 5 "word 5" (EXACT): "state" cannot be set to "DRAFTED"',
    'keyword 6 "word 6" (EXACT): "state" had no value before and cannot be cleared',
  ]);
});

Deno.test("the bid of an ad group is its default bid, by either name of the change", async () => {
  const changed = (entityId: string, changeType: string): Fields => ({
    entityType: "AD_GROUP",
    entityId,
    changeType,
    previousValue: "0.4",
    newValue: "0.8",
  });
  const adGroup = (adGroupId: string): Fields => ({
    adGroupId,
    name: "g",
    state: "ENABLED",
    defaultBid: 0.8,
  });
  const history = account([changed("1", "BID_AMOUNT"), changed("2", "DEFAULT_BID_AMOUNT")], {
    adGroups: [adGroup("1"), adGroup("2")],
  });
  const plan = await history.rollbackPlan("2026-09-29");
  deepEqual(plan.changes.map(({ after }) => after), [{ defaultBid: 0.4 }, { defaultBid: 0.4 }]);
});

Deno.test("a quiet account gives a plan of nothing", async () => {
  const plan = await account([], {}).rollbackPlan("2026-09-29");
  deepEqual([plan.changes, plan.missing, plan.warnings], [[], [], []]);
});

Deno.test("a misspelt filter is refused, for without it everything would be put back", async () => {
  const history = account([bid("1", "0.5", "0.6")], { keywords: [keyword("1")] });
  const misspelt = { campaignId: "11" } as { campaignIds?: string[] };
  await rejects(history.rollbackPlan("2026-09-29", misspelt), /Cannot restore values by "campaignId"/);
});

Deno.test("a moment that is forgotten is refused", async () => {
  await rejects(account([], {}).rollbackPlan("2026-01-01"), RangeError);
});

Deno.test("an afternoon's changes of products and Brands are undone from the history alone", async () => {
  await using world = await emulated({ emulator: { clock: { now: "2026-09-30T12:00:00Z", frozen: true } } });
  const { sp, sb, history } = world.us;
  const [campaign] = await sp.campaigns.list({ states: ["ENABLED"] });
  const all = await sp.keywords.list({ states: ["ENABLED"] });
  const keywords = all.filter(({ bid }) => bid !== undefined).slice(0, 5);
  const brandsCampaign = (await sb.campaigns.list({ states: ["ENABLED"] }))[0]!;
  const brandsKeywords = (await sb.keywords.list({ campaignIds: [brandsCampaign.campaignId] })).slice(0, 3);
  const since = world.time.now();
  world.emulator.advance(60);
  world.time.advance(60);

  (await sp.keywords.update(keywords.map(({ keywordId }) => ({ keywordId, bid: 1.11 })))).raiseForErrors();
  (await sp.keywords.update(keywords.map(({ keywordId }) => ({ keywordId, bid: 1.22 })))).raiseForErrors();
  (await sb.keywords.update(brandsKeywords.map(({ keywordId }) => ({ keywordId, bid: 1.33 }))))
    .raiseForErrors();
  (await sp.campaigns.pause([campaign!.campaignId])).raiseForErrors();
  world.emulator.advance(60);
  world.time.advance(60);

  const plan = await history.rollbackPlan(since);
  deepEqual(
    [...plan.grouped()].map(([group, changes]) => [group, changes.length]).sort(),
    [["update sb.keywords", 3], ["update sp.campaigns", 1], ["update sp.keywords", 5]],
  );
  (await plan.apply(world.us, { checkDrift: true })).raiseForErrors();
  equal((await sp.campaigns.get(campaign!.campaignId))!.state, "ENABLED");
  const now = await sp.keywords.getMany(keywords.map(({ keywordId }) => keywordId));
  ok(keywords.every(({ keywordId, bid }) => now.get(keywordId)!.bid === bid));
  const brandsNow = await sb.keywords.getMany(brandsKeywords.map(({ keywordId }) => keywordId));
  ok(brandsKeywords.every(({ keywordId, bid }) => brandsNow.get(keywordId)!.bid === bid));
});

/** The emulated account; `later` lets a minute pass. */
async function emulatedAccount() {
  const world = await emulated({ emulator: { clock: { now: "2026-09-30T12:00:00Z", frozen: true } } });
  const later = (): number => {
    world.emulator.advance(60);
    world.time.advance(60);
    return world.time.now();
  };
  const campaigns = await world.us.sp.campaigns.list({ states: ["ENABLED"] });
  return { world, later, campaigns };
}

Deno.test("budgets, names, dates, portfolios, strategies and placements go back, and what was created since is paused", async () => {
  const { world, later, campaigns: [campaign] } = await emulatedAccount();
  await using _ = world;
  const { sp, sb, history } = world.us;
  const { campaignId } = campaign!;
  const [brands] = await sb.campaigns.list({ states: ["ENABLED"] });
  const [portfolio] = await world.us.portfolios.list();
  const since = world.time.now();
  later();
  (await sp.campaigns.update([{
    campaignId,
    name: "Renamed",
    budget: 3000,
    endDate: "2027-01-31",
    portfolioId: portfolio!.portfolioId === campaign!.portfolioId ? null : portfolio!.portfolioId,
    dynamicBidding: {
      strategy: campaign!.dynamicBidding?.strategy === "MANUAL" ? "LEGACY_FOR_SALES" : "MANUAL",
      placementBidding: [{ placement: "PLACEMENT_TOP", percentage: 777 }],
    },
  }])).raiseForErrors();
  (await sb.campaigns.update([{ campaignId: brands!.campaignId, budget: 4000, name: "Also renamed" }]))
    .raiseForErrors();
  const created = await sp.campaigns.create([
    { name: "New since", state: "ENABLED", targetingType: "MANUAL", budget: 10, startDate: "2026-09-30" },
  ]);
  created.raiseForErrors();
  const newId = created.ids[0]!;
  (await sp.adGroups.create([{ campaignId: newId, name: "In it", state: "ENABLED", defaultBid: 1 }]))
    .raiseForErrors();
  later();

  const plan = await history.rollbackPlan(since);
  deepEqual(plan.warnings, [
    `campaign ${newId} New since: it was created since, and is paused; archiving it would be permanent`,
  ]);
  deepEqual(
    plan.changes.map(({ op, id }) => [op, id]).sort(),
    [["update", brands!.campaignId], ["update", campaignId], ["update", newId]].sort(),
    "what is in the new campaign goes with it",
  );
  (await plan.apply(world.us, { checkDrift: true })).raiseForErrors();
  const after = (await sp.campaigns.get(campaignId))!;
  const place = (one: typeof after): number =>
    one.dynamicBidding?.placementBidding?.find(({ placement }) => placement === "PLACEMENT_TOP")
      ?.percentage ??
      0;
  deepEqual(
    [after.name, after.budget.budget, after.endDate, after.portfolioId, after.dynamicBidding?.strategy],
    [
      campaign!.name,
      campaign!.budget.budget,
      campaign!.endDate,
      campaign!.portfolioId,
      campaign!.dynamicBidding?.strategy,
    ],
  );
  equal(place(after), place(campaign!));
  const brandsAfter = (await sb.campaigns.get(brands!.campaignId))!;
  deepEqual([brandsAfter.name, brandsAfter.budget], [brands!.name, brands!.budget]);
  equal((await sp.campaigns.get(newId))!.state, "PAUSED");

  const keep = await history.rollbackPlan(since, { created: "keep", changes: ["CREATED"] });
  deepEqual([keep.changes, keep.warnings], [[], [
    `campaign ${newId} New since: it was created since, and is left as it is`,
  ]]);
  const archive = await history.rollbackPlan(since, { created: "archive", changes: ["CREATED"] });
  deepEqual(archive.changes.map(({ op, id }) => [op, id]), [["archive", newId]]);
});

Deno.test("with until, only changes until then are undone, and what changed again later is named and left", async () => {
  const { world, later, campaigns: [first, second] } = await emulatedAccount();
  await using _ = world;
  const { sp, history } = world.us;
  const budget = async (id: string, amount: number): Promise<void> =>
    (await sp.campaigns.update([{ campaignId: id, budget: amount }])).raiseForErrors();
  const since = world.time.now();
  later();
  await budget(first!.campaignId, 3000);
  await budget(second!.campaignId, 3001);
  const until = later();
  later();
  await budget(second!.campaignId, 3002);
  later();
  const plan = await history.rollbackPlan(since, { until });
  deepEqual(plan.changes.map(({ id }) => id), [first!.campaignId]);
  deepEqual(plan.warnings, [
    `CAMPAIGN ${second!.campaignId}: BUDGET_AMOUNT changed again after ${
      new Date(until).toISOString()
    }, so it is left as it is`,
  ]);
  await rejects(history.rollbackPlan(since, { until: since - 1 }), /it ends before it begins/);
});
