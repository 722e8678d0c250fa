import { deepEqual, equal, ok, rejects } from "../support/assert.ts";
import { ChangePlan, PlanStore, PlatformAds, type ProfileClient } from "../../mod.ts";
import { packSnapshot, rehearsePlan, snapshotAccount, unpackSnapshot } from "../../src/account/mod.ts";
import { type AccountCopy, Emulator, type EmulatorOptions, type JsonObject } from "../../src/emulator/mod.ts";
import { figures, Warehouse } from "../../src/store/mod.ts";
import { type Emulated, emulated } from "../support/emulated.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { Caller } from "../emulator/caller.ts";
import { long } from "../support/long.ts";

const CLOCK = { now: "2026-09-30T12:00:00Z", frozen: true };

async function bytesOf(copy: AccountCopy): Promise<Uint8Array> {
  return new Uint8Array(
    await new Blob(await Array.fromAsync(packSnapshot(copy)) as BlobPart[]).arrayBuffer(),
  );
}

async function* inParts(bytes: Uint8Array, size = 1000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

/** The profile on an emulator that plays the copy. */
async function playing(
  account: AccountCopy,
): Promise<AsyncDisposable & { emulator: Emulator; client: ProfileClient }> {
  const emulator = await Emulator.start({ clock: CLOCK, account });
  const ads = new PlatformAds(emulator.credentials, { platform: emulator.platform });
  const client = await ads.profile(account.profiles[0]!.record.profileId);
  return { emulator, client, [Symbol.asyncDispose]: () => emulator.stop() };
}

/** Things that are rare in accounts, put there over HTTP. */
async function makeOdd({ us }: Emulated): Promise<void> {
  const [portfolio] = await us.portfolios.list();
  const created = await us.sp.campaigns.create([{
    name: `${"long name ".repeat(12)}🎒 "quoted", 'too' — 終わり`.slice(0, 128),
    state: "PAUSED",
    targetingType: "AUTO",
    budget: { budget: 12.34, budgetType: "DAILY" },
    startDate: "2026-10-01",
    portfolioId: portfolio!.portfolioId,
    dynamicBidding: {
      strategy: "MANUAL",
      placementBidding: [{ placement: "PLACEMENT_TOP", percentage: 45 }],
    },
  }]);
  created.raiseForErrors();
  const campaigns = await us.sp.campaigns.list({ states: ["ENABLED"] });
  (await us.sp.campaigns.delete([campaigns[0]!.campaignId])).raiseForErrors();
  const adGroups = await us.sp.adGroups.list({ campaignIds: [campaigns[1]!.campaignId] });
  (await us.sp.adGroups.delete([adGroups[0]!.adGroupId])).raiseForErrors();
  const [group] = await us.sb.adGroups.list();
  (await us.sb.adGroups.update([{ adGroupId: group!.adGroupId, name: "長い🎒 ".repeat(80).slice(0, 255) }]))
    .raiseForErrors();
}

/** Rules of every program, on the same account. */
async function makeRules({ emulator }: Emulated): Promise<void> {
  await using caller = await Caller.start({ hostileNames: true });
  caller.emulator.restore(emulator.snapshot());
  const json = { type: "application/json" };
  const profile = caller.emulator.state.profile(caller.profile("US"))!;
  for (const program of ["sp", "sb", "sd"]) {
    const { json: made } = await caller.call("POST", `/${program}/budgetRules`, {
      budgetRulesDetails: [{
        name: "odd ".repeat(60),
        ruleType: "SCHEDULE",
        budgetIncreaseBy: { type: "PERCENT", value: 20 },
        duration: { dateRangeTypeRuleDuration: { startDate: "20261001" } },
        recurrence: { type: "DAILY" },
      }],
    }, json);
    const campaignId = String(profile.collection(`${program}.campaigns`).at(0)!["campaignId"]);
    const budgetRuleIds = [made.responses[0].ruleId];
    await caller.call("POST", `/${program}/campaigns/${campaignId}/budgetRules`, { budgetRuleIds }, json);
  }
  const conditions = [{ attributeName: "ACOS", criteria: { comparisonOperator: "LESS_THAN", value: 30 } }];
  await caller.call("POST", "/sb/rules/optimization", { optimizationRules: [{ conditions }] }, {
    type: "application/vnd.sbruleoptimization.v4+json",
  });
  await caller.call("POST", "/sd/optimizationRules", [{
    ruleName: "odd",
    state: "enabled",
    ruleConditions: [{
      metricName: "COST_PER_CLICK",
      comparisonOperator: "LESS_THAN_OR_EQUAL_TO",
      threshold: 1,
    }],
  }], json);
  emulator.restore(caller.emulator.snapshot());
}

/** Lists that a foreign client asks, by their path and media type. */
const LISTS: readonly (readonly [method: string, path: string, type: string, body?: JsonObject])[] = [
  ["POST", "/sp/campaigns/list", "application/vnd.spCampaign.v3+json", {
    includeExtendedDataFields: true,
    stateFilter: { include: ["ENABLED", "PAUSED", "ARCHIVED"] },
  }],
  ["POST", "/sp/adGroups/list", "application/vnd.spAdGroup.v3+json", { includeExtendedDataFields: true }],
  ["POST", "/sp/keywords/list", "application/vnd.spKeyword.v3+json", { maxResults: 5000 }],
  ["POST", "/sp/targets/list", "application/vnd.spTargetingClause.v3+json", {}],
  ["POST", "/sp/negativeKeywords/list", "application/vnd.spNegativeKeyword.v3+json", {}],
  ["POST", "/sp/campaignNegativeKeywords/list", "application/vnd.spCampaignNegativeKeyword.v3+json", {}],
  ["POST", "/sp/productAds/list", "application/vnd.spProductAd.v3+json", {}],
  ["POST", "/portfolios/list", "application/vnd.spPortfolio.v3+json", { includeExtendedDataFields: true }],
  ["POST", "/sb/v4/campaigns/list", "application/vnd.sbcampaignresource.v4+json", {}],
  ["POST", "/sb/v4/adGroups/list", "application/vnd.sbadgroupresource.v4+json", {}],
  ["POST", "/sb/v4/ads/list", "application/vnd.sbadresource.v4+json", {}],
  ["GET", "/sb/keywords", "application/vnd.sbkeyword.v3.2+json"],
  ["POST", "/sb/themes/list", "application/vnd.sbthemeslistresponse.v3+json", {}],
  ["GET", "/sd/campaigns", "application/json"],
  ["GET", "/sd/campaigns/extended", "application/json"],
  ["GET", "/sd/targets/extended", "application/json"],
  ["GET", "/sd/negativeTargets", "application/json"],
  ["GET", "/sd/productAds", "application/json"],
  ["GET", "/sp/budgetRules?pageSize=30", "application/json"],
];

Deno.test("a copy is what the account is: every list of a foreign client, field by field", async () => {
  await using world = await emulated({ emulator: { hostileNames: true } });
  await makeOdd(world);
  await makeRules(world);
  const notices: string[] = [];
  const copy = await snapshotAccount(world.us, { onNotice: (text) => notices.push(text) });
  deepEqual(notices, []);
  const { collections } = copy.profiles[0]!;
  deepEqual(
    Object.keys(collections).filter((kind) => collections[kind]!.length === 0),
    [],
    "kinds without any",
  );
  ok(collections["sb.ad_groups"]!.some(({ name }) => String(name).length === 255));
  ok(
    copy.profiles[0]!.collections["sp.keywords"]!.some(({ keywordId }) =>
      BigInt(String(keywordId)) > 2n ** 53n
    ),
  );
  await using second = await playing(copy);
  deepEqual(await snapshotAccount(second.client, { now: () => Date.parse(copy.takenAt) }), copy);

  const first = await Caller.start({ hostileNames: true });
  const again = await Caller.start({ account: copy });
  try {
    first.emulator.restore(world.emulator.snapshot());
    let compared = 0;
    for (const [method, path, type, body] of LISTS) {
      const options = { type, profile: world.us.profileId };
      const [a, b] = [
        await first.call(method, path, body, options),
        await again.call(method, path, body, options),
      ];
      equal(a.status, 200, `${path}: ${a.text.slice(0, 200)}`);
      deepEqual(exact(b.text), exact(a.text), path);
      compared += a.text.length;
    }
    ok(compared > 100_000, `${compared} characters are alike`);
  } finally {
    await first.emulator.stop();
    await again.emulator.stop();
  }
});

Deno.test("the file of a copy comes back whole, and any damage to it is told", async () => {
  await using world = await emulated();
  const copy = await snapshotAccount(world.us);
  const bytes = await bytesOf(copy);
  deepEqual(await unpackSnapshot(inParts(bytes)), copy);
  deepEqual(await unpackSnapshot(inParts(bytes, 7_919)), copy);
  ok(!new TextDecoder().decode(await plain(bytes)).includes(world.emulator.credentials.refreshToken));

  const whole = new TextDecoder().decode(await plain(bytes));
  const lines = whole.trimEnd().split("\n");
  const refusals: readonly (readonly [string, RegExp])[] = [
    ["", /it is empty/],
    ["name,bid\n", /it is not an account copy/],
    [`${JSON.stringify({ format: "other" })}\n`, /it is not an account copy/],
    [whole.replace('"version":1', '"version":2'), /it has version 2, and this release reads version 1/],
    [`${lines.slice(0, -1).join("\n")}\n`, /its end is missing/],
    [`${lines.slice(0, -2).join("\n")}\n${lines.at(-1)}\n`, /its checksum does not match/],
    [whole.replace(/"bid":0\.\d+/, '"bid":9.99'), /changed or damaged/],
    [`${whole}{"more":1}\n`, /there is data after its end/],
  ];
  for (const [text, message] of refusals) {
    const file = await gzip(text);
    await rejects(unpackSnapshot(inParts(file), { name: "friday.snap" }), message, text.slice(0, 60));
  }
  for (const cut of [0, 10, bytes.length >> 1, bytes.length - 9]) {
    await rejects(
      unpackSnapshot(inParts(bytes.slice(0, cut))),
      /it is incomplete|it is empty|its end is missing/,
      `cut at ${cut}`,
    );
  }
});

Deno.test("an anonymous copy tells no word of the account, and still fits together", async () => {
  await using world = await emulated();
  const named = await snapshotAccount(world.us);
  const copy = await snapshotAccount(world.us, { anonymous: true });
  const other = await snapshotAccount(world.us, { anonymous: true });
  const text = JSON.stringify(copy);
  const words = new Set<string>();
  const [profile] = named.profiles;
  words.add(profile!.record.accountInfo.name);
  words.add(profile!.record.accountInfo.id);
  for (const [kind, entities] of Object.entries(profile!.collections)) {
    for (const { name, keywordText, promptText, asin, sku } of entities) {
      for (const word of [name, keywordText, promptText, asin, sku]) {
        if (typeof word === "string") words.add(word);
      }
    }
    equal(copy.profiles[0]!.collections[kind]!.length, entities.length, kind);
  }
  ok(words.size > 1000);
  deepEqual([...words].filter((word) => text.includes(JSON.stringify(word))), []);
  // The same word is the same pseudonym in one copy, and another one in the next.
  const texts = (one: AccountCopy): string[] =>
    one.profiles[0]!.collections["sp.keywords"]!.map((each) => String(each.keywordText));
  const before = texts(named);
  const at = before.findIndex((each, index) => before.indexOf(each) < index);
  ok(at > 0, "a keyword is there twice");
  equal(texts(copy)[at], texts(copy)[before.indexOf(before[at]!)]);
  ok(texts(copy)[at] !== texts(other)[at]);
  await using second = await playing(copy);
  const [keyword] = await second.client.sp.keywords.list({ states: ["ENABLED"] });
  const plan = await second.client.sp.keywords.planUpdate([{ keywordId: keyword!.keywordId, bid: 0.77 }]);
  equal((await plan.apply(second.client)).ok, true);
});

long();
Deno.test("traffic of a copy goes on at the account's own levels", async () => {
  await using folder = await temporaryFolder();
  const reports = {
    reports: ["sp_targeting", "sp_campaigns"],
    start: "2026-08-01",
    end: "2026-09-29",
  } as const;
  const period = { from: "2026-08-15", to: "2026-09-11", today: "2026-09-30", by: ["campaign"] } as const;
  /** Figures of an emulator's profile, after a sync. */
  const played = async (name: string, options: EmulatorOptions) => {
    const emulator = await Emulator.start({ clock: CLOCK, ...options });
    const now = (): number => emulator.clock.now();
    const store = await Warehouse.open(`${folder.path}/${name}.sqlite`, { now });
    try {
      const ads = new PlatformAds(emulator.credentials, {
        platform: emulator.platform,
        now,
        sleep: (seconds) => Promise.resolve(emulator.advance(seconds)),
      });
      const us = await ads.profile("US");
      equal((await store.sync(us, reports)).ok, true);
      const found = await figures(store, period);
      const costs = new Map(found.rows.map((row) => [row["campaign_id"], Number(row["cost"])]));
      const copy = await snapshotAccount(us, { store, days: 60 });
      return { costs, clicks: Number(found.totals[0]!["clicks"]), copy };
    } finally {
      await store.close();
      await emulator.stop();
    }
  };
  // An account unlike the demo account: in one half of the campaigns shoppers are rare, in the other they buy a lot.
  const { copy: demo } = await played("demo", {});
  const [profile] = demo.profiles;
  const { levels, collections } = profile!;
  const campaigns = [...new Set(collections["sp.keywords"]!.map(({ campaignId }) => campaignId))];
  const campaignOf = new Map(
    ["sp.keywords", "sp.targets"].flatMap((kind) =>
      collections[kind]!.map((
        { keywordId, targetId, campaignId },
      ) => [String(keywordId ?? targetId), campaignId])
    ),
  );
  const clauses = Object.fromEntries(
    Object.entries(levels!.clauses).map(([id, level]) => {
      const isRare = campaigns.indexOf(campaignOf.get(id)) % 2 === 0;
      const { impressions, orderRate } = level;
      return [id, {
        ...level,
        impressions: impressions * (isRare ? 0.15 : 1.2),
        orderRate: orderRate * (isRare ? 1 : 2),
      }];
    }),
  );
  const odd = { ...demo, profiles: [{ ...profile!, levels: { ...levels!, clauses } }] };
  const seen = await played("account", { account: odd });
  const after = await played("copy", { account: seen.copy, seed: "copy" });
  const { levels: _, ...bare } = seen.copy.profiles[0]!;
  const without = await played("bare", { account: { ...seen.copy, profiles: [bare] }, seed: "bare" });
  const total = [...seen.costs.values()].reduce((sum, cost) => sum + cost, 0);
  const off = ({ costs }: typeof seen): number =>
    [...seen.costs].reduce((sum, [id, cost]) => sum + Math.abs(cost - (costs.get(id) ?? 0)), 0) / total;
  const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;
  console.log(
    `Cost by campaign differs by ${percent(off(after))} with levels, by ${
      percent(off(without))
    } without; clicks by ` +
      percent(after.clicks / seen.clicks - 1),
  );
  ok(seen.costs.size > 10, `${seen.costs.size} campaigns have figures`);
  ok(off(after) < 0.25 && off(after) < off(without) / 2);
  ok(Math.abs(after.clicks / seen.clicks - 1) < 0.2);
});

Deno.test("a plan made on a copy says so, and is applied there only; one of the account may be rehearsed", async () => {
  await using world = await emulated();
  const copy = await snapshotAccount(world.us);
  await using second = await playing(copy);
  await using folder = await temporaryFolder();
  const [keyword] = await world.us.sp.keywords.list({ states: ["ENABLED"] });
  const change = { keywordId: keyword!.keywordId, bid: 0.91 };
  const made = await second.client.sp.keywords.planUpdate([change]);
  equal(made.rehearsal, copy.takenAt);
  const store = PlanStore.open(folder.path);
  await store.save(made);
  const read = await store.get(made.id);
  equal(read.rehearsal, copy.takenAt);
  await rejects(
    read.apply(world.us),
    /Cannot apply plan .* here: it was made on the copy of the account of 2026-/,
  );
  equal((await world.us.sp.keywords.get(keyword!.keywordId))!.bid, keyword!.bid);
  equal((await read.apply(second.client)).ok, true);
  equal(made.inverse().rehearsal, copy.takenAt);
  ok(read.toMarkdown().includes("REHEARSAL"));

  // The mark cannot be edited away.
  const path = `${folder.path}/plan-${made.id}.json`;
  const edited = (await Deno.readTextFile(path)).replace(/ *"rehearsal": "[^"]+",\n/, "");
  await Deno.writeTextFile(path, edited);
  await rejects(PlanStore.open(folder.path).get(made.id), /was edited/);

  const own = await world.us.sp.keywords.planUpdate([change]);
  equal(own.rehearsal, null);
  await using third = await playing(copy);
  equal((await new ChangePlan(own).apply(third.client)).ok, true);
  equal((await own.apply(world.us)).ok, true);
});

Deno.test("a rehearsed plan tells where the account differs by now in what the plan depends on", async () => {
  await using world = await emulated();
  const { us } = world;
  const copy = await snapshotAccount(us);
  const enabled = await us.sp.keywords.list({ states: ["ENABLED"] });
  const byCampaign = [...new Map(enabled.map((each) => [each.campaignId, each])).values()];
  const [first, second, third] = byCampaign;
  const plan: ChangePlan = await us.sp.keywords.planUpdate(
    [first, second].map((each) => ({ keywordId: each!.keywordId, bid: 0.93 })),
  );
  {
    await using fresh = await playing(copy);
    const { result, differences } = await rehearsePlan(plan, { account: us, copy: fresh.client });
    equal(result.ok, true);
    deepEqual(differences, []);
  }
  await us.sp.keywords.update([{ keywordId: first!.keywordId, bid: 0.41 }, {
    keywordId: third!.keywordId,
    bid: 0.4,
  }]);
  await us.sp.campaigns.update([{ campaignId: second!.campaignId, state: "PAUSED" }]);
  await using fresh = await playing(copy);
  const { result, differences } = await rehearsePlan(plan, { account: us, copy: fresh.client });
  equal(result.ok, true);
  deepEqual(
    differences.filter(({ field }) => field !== null).map((
      { kind, id, field, account },
    ) => [kind, id, field, account]),
    [
      ["sp.keywords", first!.keywordId, "bid", 0.41],
      ["sp.campaigns", second!.campaignId, "state", "PAUSED"],
    ],
  );
  equal((await us.sp.keywords.get(first!.keywordId))!.bid, 0.41, "nothing was sent to the account");

  await us.sp.keywords.delete([first!.keywordId]);
  await using last = await playing(copy);
  const { differences: refused } = await rehearsePlan(plan, { account: us, copy: last.client });
  const own = refused.find(({ id, field }) => id === first!.keywordId && field === null);
  equal(own?.copy, "accepted");
  ok(/ARCHIVED/.test(String(own?.account)), JSON.stringify(own));
});

/** JSON with ids past 2^53 as they are, whatever the order of fields. */
function exact(text: string): unknown {
  return JSON.parse(text.replace(/(?<=[:[,])\d{15,}/g, '"$&"'));
}

async function plain(bytes: Uint8Array): Promise<ArrayBuffer> {
  return await new Response(
    new Blob([bytes as BlobPart]).stream().pipeThrough(new DecompressionStream("gzip")),
  ).arrayBuffer();
}

async function gzip(text: string): Promise<Uint8Array> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
