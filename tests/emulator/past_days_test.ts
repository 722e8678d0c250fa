import assert from "node:assert/strict";
import { Random } from "../../src/emulator/core/random.ts";
import type { JsonObject } from "../../src/emulator/mod.ts";
import type { ReportPresetName } from "../../src/client/reports/requests/presets.ts";
import { Caller } from "./caller.ts";
import { archive, pick, write } from "./products.ts";
import { type Row, rowsOf } from "./report_caller.ts";
import { long } from "../support/long.ts";

const PAST = { start: "2026-08-01", end: "2026-08-04" };
const TYPES = {
  negativeKeywords: "application/vnd.spNegativeKeyword.v3+json",
  keywords: "application/vnd.spKeyword.v3+json",
} as const;

for (const kind of ["negativeKeywords", "keywords"] as const) {
  Deno.test(`the search terms of past days stay when ${kind} are added`, async () => {
    await using caller = await Caller.start();
    const before = await rowsOf(caller, "sp_search_terms", PAST);
    const [{ campaignId, adGroupId }] = before as [typeof before[number]];
    const item = {
      campaignId: String(campaignId),
      adGroupId: String(adGroupId),
      keywordText: "zebra lamp",
      matchType: kind === "keywords" ? "EXACT" : "NEGATIVE_EXACT",
      state: "ENABLED",
      ...(kind === "keywords" ? { bid: 0.5 } : {}),
    };
    const type = TYPES[kind];
    const path = `/sp/${kind}`;
    const headers = { "content-type": type, accept: type };
    const { json: body } = await caller.call("POST", path, { [kind]: [item] }, { headers });
    assert.equal(
      (body as Record<string, { success: unknown[] }>)[kind]!.success.length,
      1,
      JSON.stringify(body),
    );
    assert.deepEqual(await rowsOf(caller, "sp_search_terms", PAST), before);
  });
}

/** What shoppers did: other columns show an entity as it is now. */
const DONE =
  /^(date|searchTerm|keywordId|targetingId|targetingExpression|adGroupId|impressions|clicks|cost|purchases.*|sales.*|purchasedAsin)$/;
/** Reports of each product. */
const REPORTS: readonly ReportPresetName[] = [
  "sp_search_terms",
  "sp_purchased_products",
  "sd_targeting",
  "sb_search_terms",
  "sb_targeting",
];

/** What the reports say of days that have passed. What is sold after a click is told late, so a younger day leaves it out. */
async function told(caller: Caller, span: { start: string; end: string; sales: boolean }): Promise<Row[][]> {
  const reports: Row[][] = [];
  for (const preset of REPORTS) {
    if (!span.sales && preset === "sp_purchased_products") continue;
    const rows = await rowsOf(caller, preset, span);
    const isKept = (name: string) => DONE.test(name) && (span.sales || !/^(purchases|sales)/.test(name));
    reports.push(
      rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => isKept(name)))),
    );
  }
  return reports;
}

/** Sends items with ids as bare integers, and gives back the first id of the response. */
async function sent(
  caller: Caller,
  method: string,
  path: string,
  body: unknown,
  accept?: string,
): Promise<string> {
  const raw = JSON.stringify(body).replace(/"(\w+Id)":"(\d+)"/g, '"$1":$2');
  const headers = { "content-type": "application/json", accept: accept ?? "application/json" };
  const { text } = await caller.call(method, path, undefined, { raw, headers });
  const id = /"(?:keywordId|targetId|adId)":"?(\d+)/.exec(text)?.[1];
  assert.ok(id !== undefined && !/"code":"(?!SUCCESS)/.test(text), text);
  return id;
}

/** Something that is added, and how it is taken away again, where it can be. */
type Addition = (random: Random, rows: readonly Row[][]) => Promise<(() => Promise<unknown>) | undefined>;

/** Each kind of negative, an ad, a premium and an end, for what had traffic. */
function additions(caller: Caller): Addition[] {
  const product = (random: Random) => `B0${String(random.integer(10_000_000, 99_999_999))}`;
  const profile = caller.emulator.state.profile(caller.profile("US"))!;
  const used = new Set<string>();
  /** True where an entity and what it is in are on. */
  const isOpen = (kind: string, entity: JsonObject) => {
    const family = kind.slice(0, 2);
    const adGroup = profile.collection(`${family}.ad_groups`).get(String(entity.adGroupId));
    const campaign = profile.collection(`${family}.campaigns`).get(String(adGroup?.campaignId));
    return [entity, adGroup, campaign].every((each) => /^enabled$/i.test(String(each?.state)));
  };
  const placeOf = (kind: string) => {
    const { campaignId, adGroupId } = pick(caller, kind, (entity) => isOpen(kind, entity));
    return { campaignId: String(campaignId), adGroupId: String(adGroupId) };
  };
  const aimedAtProduct = (random: Random, kind: string, field: "expression" | "expressions") => {
    const { campaignId, adGroupId, targetId, [field]: expression } = random.pick(
      profile.collection(kind).all().filter((entity) =>
        isOpen(kind, entity) && !used.has(String(entity.targetId)) &&
        JSON.stringify(entity[field]).includes('"type":"asinSameAs"')
      ),
    );
    used.add(String(targetId));
    return { campaignId: String(campaignId), adGroupId: String(adGroupId), [field]: expression };
  };
  const ofProducts = async (kind: string, item: JsonObject) => {
    const { success, error } = await write(caller, ["POST", kind], [item]);
    assert.equal(success.length, 1, JSON.stringify(error));
    const id = Object.entries(success[0]).find(([name]) => name.endsWith("Id"))![1];
    return () => archive(caller, kind, [id]);
  };
  const clicked = (random: Random, rows: readonly Row[]) => {
    const row = random.pick(
      rows.filter(({ clicks, searchTerm }) => clicks !== 0 && !/^b0/.test(String(searchTerm))),
    );
    const adGroup = pick(caller, "sp.ad_groups", ({ adGroupId }) => adGroupId === String(row.adGroupId));
    const { campaignId, adGroupId } = adGroup as Record<string, string>;
    return { campaignId: campaignId!, adGroupId: adGroupId!, term: String(row.searchTerm) };
  };
  return [
    (random, [rows]) => {
      const { term, ...place } = clicked(random, rows!);
      const matchType = random.pick(["NEGATIVE_EXACT", "NEGATIVE_PHRASE"]);
      const keywordText = term.split(" ").slice(0, 3).join(" ");
      return ofProducts("sp.negative_keywords", { ...place, keywordText, matchType, state: "ENABLED" });
    },
    (random, [rows]) => {
      const { term, campaignId } = clicked(random, rows!);
      const keywordText = term.split(" ").slice(0, 3).join(" ");
      return ofProducts("sp.campaign_negative_keywords", {
        campaignId,
        keywordText,
        matchType: "NEGATIVE_PHRASE",
        state: "ENABLED",
      });
    },
    (random) => {
      const value = product(random);
      const expression = [{ type: "ASIN_SAME_AS", value }];
      return ofProducts("sp.negative_targets", { ...placeOf("sp.targets"), expression, state: "ENABLED" });
    },
    (random, [rows]) => {
      const row = random.pick(rows!.filter(({ searchTerm }) => /^b0/.test(String(searchTerm))));
      const { campaignId } = pick(
        caller,
        "sp.ad_groups",
        ({ adGroupId }) => adGroupId === String(row.adGroupId),
      );
      const expression = [{ type: "ASIN_SAME_AS", value: String(row.searchTerm).toUpperCase() }];
      return ofProducts("sp.campaign_negative_targets", {
        campaignId: campaignId!,
        expression,
        state: "ENABLED",
      });
    },
    async (random, [, , , terms]) => {
      const row = random.pick(terms!.filter(({ clicks }) => clicks !== 0));
      const { campaignId, adGroupId } = pick(
        caller,
        "sb.keywords",
        ({ keywordId }) => keywordId === String(row.keywordId),
      );
      const item = {
        campaignId: String(campaignId),
        adGroupId: String(adGroupId),
        keywordText: String(row.searchTerm).split(" ").slice(0, 3).join(" "),
        matchType: "negativePhrase",
      };
      const accept = "application/vnd.sbkeywordresponse.v3+json";
      const keywordId = await sent(caller, "POST", "/sb/negativeKeywords", [item], accept);
      const { keywordText: _, matchType: __, ...place } = item;
      const gone = [{ keywordId, ...place, state: "archived" }];
      return () => sent(caller, "PUT", "/sb/negativeKeywords", gone, accept);
    },
    async (random) => {
      const { expressions, ...place } = aimedAtProduct(random, "sb.targets", "expressions");
      const targetId = await sent(
        caller,
        "POST",
        "/sb/negativeTargets",
        { negativeTargets: [{ ...place, expressions }] },
        "application/vnd.sbcreatenegativetargetsrequest.v3+json",
      );
      const gone = { negativeTargets: [{ targetId, state: "archived" }] };
      return () =>
        sent(
          caller,
          "PUT",
          "/sb/negativeTargets",
          gone,
          "application/vnd.updatenegativetargetsresponse.v3+json",
        );
    },
    async (random) => {
      const { expression, adGroupId } = aimedAtProduct(random, "sd.targets", "expression");
      const item = { adGroupId, expression, expressionType: "manual", state: "enabled" };
      const targetId = await sent(caller, "POST", "/sd/negativeTargets", [item]);
      return () => sent(caller, "PUT", "/sd/negativeTargets", [{ targetId, state: "paused" }]);
    },
    (random) => {
      const asin = product(random);
      const place = placeOf("sp.keywords");
      return ofProducts("sp.product_ads", { ...place, asin, sku: asin, state: "ENABLED" });
    },
    async (random) => {
      const { campaignId } = random.pick(
        profile.collection("sp.keywords").all().filter((keyword) => isOpen("sp.keywords", keyword)),
      );
      const end = (endDate: string | null) =>
        write(caller, ["PUT", "sp.campaigns"], [{ campaignId, endDate }]);
      const today = new Date(caller.emulator.clock.now()).toISOString().slice(0, 10);
      assert.equal((await end(today)).success.length, 1);
      return () => end(null);
    },
    async (random) => {
      const { campaignId } = placeOf("sp.keywords");
      const placementBidding = [{ placement: "PLACEMENT_TOP", percentage: random.integer(1, 200) }];
      const item = { campaignId, dynamicBidding: { placementBidding } };
      assert.equal((await write(caller, ["PUT", "sp.campaigns"], [item])).success.length, 1);
      return undefined;
    },
  ];
}

long();
Deno.test("negatives, ads and premiums that come and go leave every day that has passed as it was", async () => {
  for (const seed of [1, 2]) {
    await using caller = await Caller.start();
    const random = new Random(`past days ${seed}`);
    const makers = additions(caller);
    const long = { start: "2026-08-06", end: "2026-08-08", sales: true };
    const since = { start: "2026-09-28", end: "2026-10-02", sales: false };
    const longAgo = await told(caller, long);
    const takeAway: (() => Promise<unknown>)[] = [];
    for (const make of random.shuffled([...makers, ...makers])) {
      const undo = await make(random, longAgo);
      if (undo !== undefined) takeAway.push(undo);
    }
    assert.deepEqual(await told(caller, long), longAgo, `seed ${seed}: after additions`);
    caller.emulator.advance(4 * 86_400);
    await caller.logIn();
    const lately = await told(caller, since);
    for (const undo of random.shuffled(takeAway)) await undo();
    for (const make of random.shuffled(makers)) await make(random, longAgo);
    assert.deepEqual(await told(caller, since), lately, `seed ${seed}: after they were taken away`);
    assert.deepEqual(await told(caller, long), longAgo, `seed ${seed}: long ago`);
  }
});
