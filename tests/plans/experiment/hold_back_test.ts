import { deepEqual, equal, match, notEqual, ok, rejects, throws } from "../../support/assert.ts";
import { ChangePlan } from "../../../mod.ts";
import type { EntityFigures, HoldBack } from "../../../src/plans/mod.ts";
import type { Change } from "../../../src/plans/model/change.ts";
import { checkHoldBack } from "../../../src/plans/model/experiment.ts";
import { portfolioCaps } from "../../../src/plans/review/portfolio_caps.ts";
import { AccountReading } from "../../../src/plans/state/account_reading.ts";
import { assign } from "../../../src/base/statistics/mod.ts";
import { judge } from "../../../src/plans/review/judge.ts";
import { planView } from "../../../src/plans/view/plan_view.ts";
import { renderPlan } from "../../../src/plans/view/terminal_text.ts";
import { keptPart } from "../../../src/plans/review/hold_back.ts";
import { accountState, stepsOf } from "../../support/account_state.ts";
import { emulated } from "../../support/emulated.ts";
import { FakeTarget } from "../../support/fake_target.ts";
import { withoutPolicy } from "../../support/without_policy.ts";

const plain = (text: string): string => text;
const STYLES = { bold: plain, dim: plain, red: plain, green: plain, yellow: plain };

/** Forty keywords of the demo account that have a bid, at most five of a campaign. */
async function keywords() {
  const world = await emulated({ emulator: { clock: { now: "2026-09-30T12:00:00Z", frozen: true } } });
  const found: { keywordId: string; bid: number; campaignId: string }[] = [];
  for await (const one of world.us.sp.keywords.iter({ states: ["ENABLED"] })) {
    const inIt = found.filter(({ campaignId }) => campaignId === one.campaignId).length;
    if (typeof one.bid !== "number" || inIt === 5 || found.length === 40) continue;
    found.push({ keywordId: one.keywordId, bid: one.bid, campaignId: one.campaignId });
  }
  return { world, us: world.us, found, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

type Place = Awaited<ReturnType<typeof keywords>>;

const build = (
  { us, found }: Place,
  holdBack: HoldBack | undefined,
  figures?: (id: string) => EntityFigures,
): Promise<ChangePlan> => {
  const draft = us.plan();
  for (const { keywordId, bid } of found) {
    draft.update("sp.keywords", { keywordId, bid: Number((bid + 0.05).toFixed(2)) });
  }
  return draft.build({
    holdBack,
    figures: figures &&
      (({ entities }) => Promise.resolve(new Map(entities.map(({ id }) => [id, figures(id)])))),
  });
};

Deno.test("a drawn share of a plan is left as it is, by the seed, and stands under the fingerprint", async () => {
  await using place = await keywords();
  const whole = await build(place, undefined);
  const plan = await build(place, { share: 0.25, seed: "s", weeks: 3 });
  const { experiment } = plan;
  equal(whole.experiment, null);
  deepEqual([experiment?.unit, experiment?.weeks, experiment?.held.length], ["keyword", 3, 10]);
  const ids = plan.changes.map(({ id }) => id!);
  deepEqual([...ids, ...experiment!.held].sort(), place.found.map(({ keywordId }) => keywordId).sort());
  deepEqual(Object.keys(experiment!.strata).sort(), place.found.map(({ keywordId }) => keywordId).sort());
  // The draw is the one that the function of the same seed makes.
  const spends = place.found.map(({ keywordId }) => ({ id: keywordId, spend: 0, product: "sp" }));
  deepEqual([...experiment!.held].sort(), [...assign(spends, { share: 0.25, seed: "s" }).held].sort());

  const again = await build(place, { share: 0.25, seed: "s", weeks: 3 });
  const other = await build(place, { share: 0.25, seed: "t", weeks: 3 });
  equal(again.fingerprint, plan.fingerprint);
  notEqual(other.fingerprint, plan.fingerprint);
  const without = new ChangePlan({ ...plan, experiment: null });
  notEqual(without.fingerprint, plan.fingerprint, "the same changes with nothing held back are another plan");

  const held =
    /Held back for comparison: 10 of 40 keywords and targets for 3 weeks\. Units are keywords and targets/;
  match(renderPlan(planView(plan), { styles: STYLES }), held);
  match(plan.toMarkdown(), held);
  equal(planView(plan).experiment?.of, 40);
  const { digest } = await judge(plan, place.us, {});
  notEqual(digest, (await judge(without, place.us, {})).digest);

  const result = await plan.apply(place.us);
  ok(result.changes.filter(({ outcome }) => outcome === "done").length > 20);
  for await (const { keywordId, bid } of place.us.sp.keywords.iter({ ids: [...experiment!.held] })) {
    equal(bid, place.found.find((one) => one.keywordId === keywordId)?.bid, keywordId);
  }
  equal(result.rollbackPlan().experiment, null);
});

Deno.test("what is held back is kept in the plan file, and an edited list is refused", async () => {
  await using place = await keywords();
  const plan = await build(place, { share: 0.25, seed: "s" });
  const text = plan.toJson();
  deepEqual(ChangePlan.fromJson(text).experiment, plan.experiment);
  const [first] = plan.experiment!.held;
  const edited = (change: (experiment: Record<string, unknown>) => void): string => {
    const data = JSON.parse(text);
    change(data.experiment);
    return JSON.stringify(data);
  };
  throws(
    () =>
      ChangePlan.fromJson(
        edited((one) => one["held"] = (one["held"] as string[]).filter((id) => id !== first)),
      ),
    /edited/,
  );
  throws(() => ChangePlan.fromJson(edited((one) => one["seed"] = "other")), /edited/);
  const noExperiment = JSON.parse(text);
  delete noExperiment.experiment;
  throws(() => ChangePlan.fromJson(JSON.stringify(noExperiment)), /edited/);
  for (
    const wrong of [{ share: 2 }, { unit: "market" }, { held: ["no unit"] }, { strata: [] }, { weeks: 0 }, {
      seed: "\u001b[31m",
    }]
  ) {
    throws(
      () => ChangePlan.fromJson(edited((one) => Object.assign(one, wrong))),
      /held-back part is malformed/,
    );
  }
  throws(
    () => ChangePlan.merge([plan, new ChangePlan({ ...plan, changes: [], experiment: null })]),
    /held back/,
  );
});

Deno.test("campaigns are the units where their budgets bind, and it is said why", async () => {
  await using place = await keywords();
  const campaigns = new Map(
    (await Array.fromAsync(place.us.sp.campaigns.iter())).map((
      one,
    ) => [one.campaignId, one.budget?.budget ?? 0]),
  );
  const several = [...Map.groupBy(place.found, ({ campaignId }) => campaignId)].filter(([, { length }]) =>
    length > 1
  );
  ok(several.length >= 4);
  const spending = (share: number) => (id: string): EntityFigures => {
    const budget = campaigns.get(id);
    return budget === undefined
      ? { cost7d: 1, cost30d: 4 }
      : { cost7d: share * 7 * budget, cost30d: share * 30 * budget };
  };
  const bound = (await build(place, { share: 0.4, seed: "s" }, spending(0.95))).experiment!;
  equal(bound.unit, "campaign");
  match(
    bound.why,
    /^Units are campaigns, because \d+ of \d+ spend 90 % or more of a budget that several changes share$/,
  );
  const loose = (await build(place, { share: 0.4, seed: "s" }, spending(0.3))).experiment!;
  equal(loose.unit, "keyword");
  match(loose.why, /no shared budget limits them/);
  const plan = await build(place, { share: 0.4, seed: "s", unit: "campaign" }, spending(0.3));
  const heldCampaigns = new Set(plan.experiment!.held);
  for (const { campaignId } of plan.changes) ok(!heldCampaigns.has(campaignId!));
  ok(place.found.some(({ campaignId }) => heldCampaigns.has(campaignId)));
});

withoutPolicy("it puts a first cap on a portfolio, which every max_decrease counts as too much");
Deno.test("campaigns are the units where the cap of their portfolio binds, and not where it is far off or gone", async () => {
  await using place = await keywords();
  const { us, found } = place;
  const campaigns = await Array.fromAsync(us.sp.campaigns.iter());
  const inPlan = new Set(found.map(({ campaignId }) => campaignId));
  const portfolioIds = [
    ...new Set(
      campaigns.flatMap(({ campaignId, portfolioId }) => inPlan.has(campaignId) ? portfolioId ?? [] : []),
    ),
  ];
  ok(portfolioIds.length > 0);
  const spending = (): EntityFigures => ({ cost7d: 1, cost30d: 30 });
  const unitUnder = async (amount: number | undefined, days?: [string, string]) => {
    for (const portfolioId of portfolioIds) {
      const budget = amount === undefined
        ? { policy: "NO_CAP" as const }
        : days === undefined
        ? { amount, currencyCode: "USD", policy: "MONTHLY_RECURRING" as const }
        : {
          amount,
          currencyCode: "USD",
          policy: "DATE_RANGE" as const,
          startDate: days[0],
          endDate: days[1],
        };
      const { ok: isDone, errors } = await us.portfolios.update([{ portfolioId, budget }]);
      ok(isDone, JSON.stringify(errors));
    }
    const { unit, why } = (await build(place, { share: 0.4, seed: "s" }, spending)).experiment!;
    return { unit, why };
  };
  // Each campaign of the plan spends 1 a day; a cap of 31 a month is as much as one of them spends.
  const bound = await unitUnder(31);
  equal(bound.unit, "campaign");
  match(
    bound.why,
    /^Units are campaigns, because several changes share (a binding portfolio cap|\d+ binding portfolio caps); /,
  );
  equal((await unitUnder(1_000_000)).unit, "keyword");
  equal((await unitUnder(undefined)).unit, "keyword");
  // 310 over ten months are one a day.
  equal((await unitUnder(310, ["2026-10-01", "2027-07-31"])).unit, "campaign");
  equal((await unitUnder(31_000, ["2026-10-01", "2027-07-31"])).unit, "keyword");
});

Deno.test("what is new is drawn by its search term, with all changes for it", async () => {
  await using place = await keywords();
  const { campaignId } = place.found[0]!;
  const adGroup = (await Array.fromAsync(place.us.sp.adGroups.iter({ campaignIds: [campaignId] })))[0]!;
  const draft = place.us.plan();
  const terms = Array.from({ length: 12 }, (_, at) => `brand new term ${at}`);
  for (const [at, keywordText] of terms.entries()) {
    const own = { campaignId, adGroupId: adGroup.adGroupId, state: "ENABLED" as const };
    draft.create("sp.keywords", { ...own, keywordText, matchType: "EXACT", bid: 0.4 }, { as: `k${at}` });
    draft.create(
      "sp.negative_keywords",
      { ...own, keywordText: keywordText.toUpperCase(), matchType: "NEGATIVE_EXACT" },
      { after: [`k${at}`] },
    );
  }
  const plan = await draft.build({ holdBack: { share: 0.25, seed: "s" } });
  const { held, unit, why } = plan.experiment!;
  deepEqual([unit, held.length, plan.changes.length], ["search_term", 3, 18]);
  match(why, /new terms have no history/);
  for (const { after } of plan.changes) ok(!held.includes(String(after["keywordText"]).toLowerCase()));
});

Deno.test("a part that cannot be drawn is refused before anything is planned", async () => {
  await using place = await keywords();
  await rejects(
    build({ ...place, found: place.found.slice(0, 5) }, { share: 0.25 }),
    /too few for a random split/,
  );
  await rejects(build(place, { share: 1 }), /more than 0 and less than 1/);
  await rejects(build(place, { share: 0.2, weeks: 0 }), /1 to 52/);
  const draft = place.us.plan();
  draft.create("sp.campaigns", {
    name: "New",
    state: "PAUSED",
    targetingType: "MANUAL",
    startDate: "2026-10-01",
    budget: { budget: 10, budgetType: "DAILY" },
  });
  await rejects(draft.build({ holdBack: { share: 0.5 } }), /is in no search term with a history to compare/);
  await rejects(
    place.us.sp.keywords.planUpdate([], { holdBack: { share: 0.5 }, check: false }),
    /check: false/,
  );
});

Deno.test("findings keep to their changes when others are held back", async () => {
  await using place = await keywords();
  const draft = place.us.plan();
  const [wild] = place.found;
  for (const { keywordId, bid } of place.found) {
    draft.update("sp.keywords", {
      keywordId,
      bid: keywordId === wild!.keywordId ? 400 : Number((bid + 0.05).toFixed(2)),
    });
  }
  const about = (plan: ChangePlan): string[] =>
    plan.findings.flatMap(({ code, change }) =>
      change === undefined ? [] : [`${code} ${plan.changes[change]?.id}`]
    )
      .sort();
  const all = about(await draft.build());
  ok(all.some((one) => one.endsWith(wild!.keywordId)));
  for (const seed of ["a", "b", "c", "d", "e", "f"]) {
    const plan = await draft.build({ holdBack: { share: 0.4, seed, unit: "keyword" } });
    const held = new Set(plan.experiment!.held);
    deepEqual(about(plan), all.filter((one) => !held.has(one.split(" ")[1]!)), seed);
  }
});

Deno.test("a portfolio whose cap the platform calls spent binds, whatever is stored, where several changes share it", () => {
  const account = accountState((kind, id) =>
    kind === "sp.keywords"
      ? { state: "ENABLED", bid: 1, campaignId: `c${Number(id) % 4}`, adGroupId: `g${id}` }
      : { state: "ENABLED", budget: { budget: 50, budgetType: "DAILY" } }
  );
  const steps = stepsOf(
    Array.from({ length: 8 }, (_, at) => ({
      ...{ kind: "sp.keywords", op: "update" as const, id: String(at), label: `k${at}` },
      ...{ before: { bid: 1 }, after: { bid: 1.1 }, campaignId: `c${at % 4}` },
    })),
    account,
  );
  const unit = (cap: { isSpent: boolean }): string | undefined => {
    const caps = new Map(
      [0, 1, 2, 3].map((at) => [`c${at}`, { portfolioId: "p", perDay: 1000, ...cap }] as const),
    );
    return keptPart(steps, { holdBack: { share: 0.5, seed: "s" }, caps }).experiment?.unit;
  };
  equal(unit({ isSpent: true }), "campaign");
  equal(unit({ isSpent: false }), "keyword");
});

Deno.test("what shares no budget is drawn by what the plan changes, and by keywords where that is of several kinds", () => {
  const unit = (kinds: readonly string[]): string | undefined => {
    const changes = Array.from({ length: 8 }, (_, at): Change => ({
      ...{ kind: kinds[at % kinds.length]!, op: "update", id: String(at), label: `k${at}` },
      ...{ before: { state: "PAUSED" }, after: { state: "ENABLED" } },
    }));
    const steps = stepsOf(changes, accountState((_, id) => ({ adGroupId: id })));
    return keptPart(steps, { holdBack: { share: 0.5, seed: "s" } }).experiment?.unit;
  };
  equal(unit(["sp.ad_groups"]), "ad_group");
  equal(unit(["sp.product_ads"]), "ad");
  equal(unit(["sp.keywords"]), "keyword");
  equal(unit(["sp.product_ads", "sp.keywords"]), "keyword");
});

Deno.test("caps are those of the campaigns that a plan is about; what is in no campaign has none", async () => {
  const steps = stepsOf(
    ["portfolios", "sp.campaigns"].map((kind): Change => ({
      ...{ kind, op: "update", id: "1", label: kind, before: {}, after: { name: "new" } },
    })),
    accountState({ "portfolios 1": { name: "old" }, "sp.campaigns 1": { name: "old", portfolioId: "5" } }),
  );
  const client = new FakeTarget({ portfolios: { "5": { budget: { amount: 304 }, inBudget: false } } });
  const caps = await portfolioCaps(steps, new AccountReading().by(client));
  deepEqual([...caps], [["1", { portfolioId: "5", perDay: 10, isSpent: true }]]);
});

Deno.test("a part is held back for a year at most", () => {
  checkHoldBack({ share: 0.5, weeks: 52 });
  throws(() => checkHoldBack({ share: 0.5, weeks: 53 }), /1 to 52/);
});

Deno.test("a held-back campaign still gets the fields that both groups share, and keeps the others", async () => {
  await using place = await keywords();
  const campaigns = (await Array.fromAsync(place.us.sp.campaigns.iter({ states: ["ENABLED"] }))).slice(0, 6);
  const draft = place.us.plan();
  for (const { campaignId, budget } of campaigns) {
    draft.update("sp.campaigns", {
      campaignId,
      budget: { budget: (budget?.budget ?? 10) + 1 },
      dynamicBidding: { placementBidding: [{ placement: "PLACEMENT_TOP", percentage: 17 }] },
    });
  }
  const holdBack = { share: 0.4, seed: "s", unit: "campaign", shared: ["sp.campaigns.budget"] } as const;
  const { changes, experiment } = await draft.build({ holdBack });
  deepEqual([changes.length, experiment?.held.length], [6, 2]);
  for (const { id, after } of changes) {
    const fields = experiment?.held.includes(id!) ? ["budget"] : ["budget", "dynamicBidding"];
    deepEqual(Object.keys(after).sort(), fields);
  }
  deepEqual(
    experiment?.changes?.map(({ id, after }) => [id, Object.keys(after)]).sort(),
    [
      ...experiment!.held.map((id) => [id, ["dynamicBidding"]]),
    ].sort(),
  );
});
