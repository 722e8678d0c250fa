import { idText } from "../../../base/json/id_of.ts";
import { became, created, figure, listed, newEntities } from "../judge/facts.ts";
import type { Task, Tools, Truth } from "../judge/task.ts";
import type { ProfileDraft } from "../account/account_draft.ts";
import { cents, claim, drawnProfile, idle, linesOf, type Row } from "./drawn_profile.ts";
import { apply, update } from "./script_steps.ts";

export const WEEKLY: readonly Task[] = [
  {
    id: "weekly/lower-wasters",
    group: "weekly",
    title: "Lower the bids of keywords that were clicked and sold nothing",
    draw(draw) {
      const profile = drawnProfile(draw);
      const market = profile.country;
      const percent = draw.pick([10, 15, 20]);
      const wasters: string[] = [];
      const others: string[] = [];
      for (const line of [draw.line(), draw.line(), draw.line()]) {
        const group = profile.adGroup(profile.campaign(`${line.name} Exact`));
        const [waster = "", seller = "", quiet = ""] = line.words;
        wasters.push(
          profile.keyword(group, waster, { bid: draw.money(0.6, 1.2), demand: { clicks: 2, orders: 0 } }),
        );
        others.push(
          profile.keyword(group, seller, { bid: draw.money(0.6, 1.2), demand: { clicks: 4, orders: 0.25 } }),
        );
        others.push(
          profile.keyword(group, quiet, { bid: draw.money(0.6, 1.2), demand: { clicks: 0.05, orders: 0 } }),
        );
      }
      const bidOf = (id: string): number => Number(profile.entity("sp.keywords", id)["bid"]);
      const [start, end] = [profile.day(-44), profile.day(-15)];
      const lowered = (ids: readonly string[], factor = 1 - percent / 100) =>
        update(market, "sp_keywords", ids.map((id) => ({ keywordId: id, bid: cents(bidOf(id) * factor) })));
      return {
        profiles: [profile],
        instruction:
          `Lower the bid of every keyword that had at least 10 clicks and no order from ${start} to ${end} (within 14 ` +
          `days) by ${percent} %. Leave everything else as it is.`,
        answer: { lowered: "number of keywords" },
        mayTouch: [{ kind: "sp.keywords", ids: wasters, fields: ["bid"] }],
        facts: [
          figure("lowered", wasters.length, { off: 0 }),
          ...wasters.map((id) =>
            became(profile, ["sp.keywords", id, "bid"], bidOf(id) * (1 - percent / 100), { off: 0.0101 })
          ),
        ],
        solution: async (tools) => {
          const plan = await tools.call("plan_bids", {
            market,
            where: "clicks30d >= 10 && orders30d == 0",
            change: `-${percent}%`,
            lag: 14,
          });
          await apply(tools, plan);
          return linesOf({ lowered: plan.data.total_changes });
        },
        wrong: {
          idle,
          "says that it is done": claim({ lowered: wasters.length }),
          "lowers every keyword": async (tools) => {
            await lowered([...wasters, ...others])(tools);
            return linesOf({ lowered: wasters.length });
          },
          "lowers them twice as far": async (tools) => {
            await lowered(wasters, 1 - percent / 50)(tools);
            return linesOf({ lowered: wasters.length });
          },
          "plans and does not apply": async (tools) => {
            const where = "clicks30d >= 10 && orders30d == 0";
            await tools.call("plan_bids", { market, where, change: `-${percent}%`, lag: 14 });
            return linesOf({ lowered: wasters.length });
          },
        },
      };
    },
  },
  {
    id: "weekly/negatives",
    group: "weekly",
    title: "Keep search terms away that were clicked and sold nothing",
    draw(draw) {
      const profile = drawnProfile(draw);
      const market = profile.country;
      const clicks = draw.pick([15, 18, 20]);
      const line = draw.line();
      const group = profile.adGroup(profile.campaign(`${line.name} Auto`, { auto: true }));
      profile.automatic(group, draw.money(0.5, 0.8), { clicks: 9, orders: 0.004 });
      const exact = profile.adGroup(profile.campaign(`${line.name} Exact`));
      // A keyword of its own is no search term to keep away.
      profile.keyword(exact, line.words[0]!, { bid: 0.8, demand: { clicks: 3, orders: 0 } });
      for (const text of line.words.slice(1)) {
        profile.keyword(exact, text, { bid: 0.8, demand: { clicks: 2, orders: 0.3 } });
      }
      profile.ordinary(draw.line());
      const [start, end] = [profile.day(-44), profile.day(-15)];
      const wasted = async (truth: Truth): Promise<string[]> => {
        const rows = (await truth.rows("sp_search_terms", start, end)).filter(({ adGroupId }) =>
          idText(adGroupId) === group.adGroupId
        );
        return [...Map.groupBy(rows, ({ searchTerm }) => String(searchTerm))].filter(([, own]) =>
          own.reduce((sum, row) => sum + Number(row["clicks"]), 0) >= clicks &&
          own.every(({ purchases14d }) => purchases14d === 0)
        ).map(([term]) => term);
      };
      const isOwn = (row: Row): boolean =>
        row["adGroupId"] === group.adGroupId && row["matchType"] === "NEGATIVE_EXACT";
      const negatives =
        (terms: readonly string[], matchType: string) => async (tools: Tools): Promise<void> => {
          const { campaignId, adGroupId } = group;
          const items = terms.map((keywordText) => ({
            campaignId,
            adGroupId,
            keywordText,
            matchType,
            state: "ENABLED",
          }));
          await apply(
            tools,
            await tools.call("plan_create", { market, entity: "sp_negative_keywords", items }),
          );
        };
      return {
        profiles: [profile],
        instruction:
          `Look at the ad group of the campaign "${group.name}". Each search term that had at least ${clicks} ` +
          `clicks there from ${start} to ${end} and no order becomes an exact negative keyword of that ad group. ` +
          "Do this in no other ad group.",
        answer: { negatives: "number of new negative keywords" },
        mayTouch: [{ kind: "sp.negative_keywords", isNew: isOwn }],
        facts: [
          {
            says: "some term was to be kept away",
            holds: async ({ truth }) => (await wasted(truth)).length > 0,
          },
          created(
            profile,
            "sp.negative_keywords",
            async (truth) =>
              (await wasted(truth)).map((term) => ({ keywordText }) =>
                String(keywordText).toLowerCase() === term
              ),
          ),
          figure("negatives", async (truth) => (await wasted(truth)).length, { off: 0 }),
        ],
        solution: async (tools) => {
          const plan = await tools.call("plan_negatives", {
            market,
            min_clicks: clicks,
            campaign_ids: [group.campaignId],
          });
          await apply(tools, plan);
          return linesOf({ negatives: parseInt(plan.data.counts) });
        },
        wrong: {
          idle,
          "finds them and writes none": async (tools) => {
            const { data } = await tools.call("find_waste", {
              market,
              min_clicks: clicks,
              campaign_ids: [group.campaignId],
            });
            return linesOf({ negatives: data.total });
          },
          "blocks the words as phrases": async (tools) => {
            const { data } = await tools.call("find_waste", {
              market,
              min_clicks: clicks,
              campaign_ids: [group.campaignId],
            });
            await negatives(data.rows.map((row: Row) => row["search_term"]), "NEGATIVE_PHRASE")(tools);
            return linesOf({ negatives: data.rows.length });
          },
          "does it in every ad group": async (tools) => {
            const plan = await tools.call("plan_negatives", { market, min_clicks: clicks, days: 60 });
            await apply(tools, plan);
            return linesOf({ negatives: 3 });
          },
        },
      };
    },
  },
  {
    id: "weekly/budgets",
    group: "weekly",
    title: "Raise the budgets of campaigns that sell well and run out, up to a limit",
    draw(draw) {
      const profile = drawnProfile(draw);
      const market = profile.country;
      const limit = draw.integer(24, 28);
      const make = (name: string, budget: number, orders: number): string => {
        const line = draw.line();
        const group = profile.adGroup(profile.campaign(`${line.name} ${name}`, { budget }));
        for (const text of line.words.slice(0, 3)) {
          profile.keyword(group, text, { bid: 1.2, demand: { clicks: 14, orders, value: 32 } });
        }
        return group.campaignId;
      };
      const low = draw.integer(14, 18);
      const [first, second] = [make("Core", low, 0.28), make("Brand", limit - 2, 0.28)];
      const poor = make("Research", draw.integer(14, 18), 0.02);
      const roomy = make("Exact", 400, 0.28);
      const wanted = new Map([[first, cents(low * 1.2)], [second, limit]]);
      const [start, end] = [profile.day(-14), profile.day(-1)];
      const raise = (budgets: ReadonlyMap<string, number>) =>
        update(
          market,
          "sp_campaigns",
          [...budgets].map(([campaignId, budget]) => ({
            campaignId,
            budget: { budget, budgetType: "DAILY" },
          })),
        );
      const answer = { raised: 2 };
      return {
        profiles: [profile],
        instruction:
          `Raise the daily budget by 20 %, but to at most ${limit}, of every campaign that spent its budget on at least ` +
          `three days from ${start} to ${end} and whose ACOS is below 30 %. Leave the others as they are.`,
        answer: { raised: "number of campaigns" },
        mayTouch: [{ kind: "sp.campaigns", ids: [first, second], fields: ["budget"], max: limit }],
        facts: [
          ...[...wanted].map(([id, budget]) =>
            became(profile, ["sp.campaigns", id, "budget.budget"], budget, { off: 0.011 })
          ),
          figure("raised", 2, { off: 0 }),
        ],
        solution: async (tools) => {
          const args = { market, change: "+20%", max: limit, max_acos: 0.3 };
          const plan = await tools.call("call_tool", { tool: "plan_budgets", arguments: args });
          await apply(tools, plan);
          return linesOf({ raised: plan.data.total_changes });
        },
        wrong: {
          idle,
          "says that it is done": claim(answer),
          "raises every campaign": async (tools) => {
            await raise(new Map([...wanted, [poor, 20], [roomy, 480]]))(tools);
            return linesOf(answer);
          },
          "forgets the limit": async (tools) => {
            await raise(new Map([[first, cents(low * 1.2)], [second, cents((limit - 2) * 1.2)]]))(tools);
            return linesOf(answer);
          },
        },
      };
    },
  },
  {
    id: "weekly/harvest",
    group: "weekly",
    title: "Turn search terms that sell into exact keywords, and stop paying for them where they were found",
    draw(draw) {
      const profile = drawnProfile(draw);
      const market = profile.country;
      const line = draw.line();
      const source = profile.adGroup(profile.campaign(`${line.name} Auto`, { auto: true }));
      profile.automatic(source, draw.money(0.5, 0.8), { clicks: 7, orders: 0.08 });
      const bid = draw.money(0.7, 1.1);
      const target = profile.adGroup(profile.campaign(`${line.name} Exact`), { bid });
      profile.keyword(target, line.words[0]!, { bid: 0.9, demand: { clicks: 3, orders: 0.2 } });
      profile.ordinary(draw.line());
      profile.ordinary(draw.line());
      const orders = draw.pick([3, 4]);
      const [start, end] = [profile.day(-30), profile.day(-1)];
      const selling = async (truth: Truth): Promise<string[]> => {
        const rows = (await truth.rows("sp_search_terms", start, end)).filter(({ adGroupId }) =>
          idText(adGroupId) === source.adGroupId
        );
        return [...Map.groupBy(rows, ({ searchTerm }) => String(searchTerm))].filter(([term, own]) =>
          own.reduce((sum, row) => sum + Number(row["purchases14d"]), 0) >= orders &&
          term !== line.words[0]!.toLowerCase() && !/^b0/.test(term)
        ).map(([term]) => term);
      };
      const isIn = (place: { adGroupId: string }, matchType: string) => (row: Row): boolean =>
        row["adGroupId"] === place.adGroupId && row["matchType"] === matchType;
      const texts = async (truth: Truth) =>
        (await selling(truth)).map((term) => ({ keywordText }: Row) =>
          String(keywordText).toLowerCase() === term
        );
      return {
        profiles: [profile],
        instruction:
          `Each search term of the ad group of "${source.name}" with at least ${orders} orders from ${start} to ${end} ` +
          `becomes an exact keyword in the ad group of "${target.name}", with that ad group's default bid, unless it is ` +
          "one already, and an exact negative keyword in the ad group where it was found.",
        answer: { keywords: "number of new keywords" },
        mayTouch: [
          { kind: "sp.keywords", isNew: isIn(target, "EXACT") },
          { kind: "sp.negative_keywords", isNew: isIn(source, "NEGATIVE_EXACT") },
        ],
        facts: [
          { says: "some term sold enough", holds: async ({ truth }) => (await selling(truth)).length > 0 },
          created(profile, "sp.keywords", texts),
          {
            says: "new keywords have the default bid",
            holds: (seen) =>
              newEntities(seen, profile, "sp.keywords").every((one) =>
                one["bid"] === undefined || one["bid"] === bid
              ),
          },
          {
            says: "each new keyword has its negative where it was found",
            holds: async (seen) => {
              const made = newEntities(seen, profile, "sp.negative_keywords").map((one) =>
                String(one["keywordText"]).toLowerCase()
              );
              return (await selling(seen.truth)).every((term) => made.includes(term));
            },
          },
          figure("keywords", async (truth) => (await selling(truth)).length, { off: 0 }),
        ],
        solution: async (tools) => {
          const map = [{ source: source.adGroupId, target: target.adGroupId }];
          const plan = await tools.call("plan_harvest", { market, map, min_orders: orders });
          await apply(tools, plan);
          const isKeyword = ({ kind }: Row): boolean => kind === "sp.keywords";
          return linesOf({ keywords: plan.data.changes.filter(isKeyword).length });
        },
        wrong: {
          idle,
          "says that it is done": claim({ keywords: 2 }),
          "leaves the negatives out": async (tools) => {
            const found = await searchTerms(tools, profile, { start, end });
            const terms = soldIn(found, source.adGroupId, orders);
            const { campaignId, adGroupId } = target;
            const items = terms.map((keywordText) => ({
              campaignId,
              adGroupId,
              keywordText,
              matchType: "EXACT",
              state: "ENABLED",
            }));
            await apply(tools, await tools.call("plan_create", { market, entity: "sp_keywords", items }));
            return linesOf({ keywords: items.length });
          },
          "takes terms with a single order": async (tools) => {
            const map = [{ source: source.adGroupId, target: target.adGroupId }];
            const plan = await tools.call("plan_harvest", { market, map, min_orders: 1 });
            await apply(tools, plan);
            return linesOf({ keywords: parseInt(plan.data.counts) / 2 });
          },
        },
      };
    },
  },
  {
    id: "weekly/out-of-stock",
    group: "weekly",
    title: "Pause the ads of a product that is out of stock, in every campaign",
    draw(draw) {
      const profile = drawnProfile(draw);
      const market = profile.country;
      const sku = `KX-${draw.integer(1000, 9999)}`;
      const asin = draw.asin();
      const groups = [1, 2, 3, 4].map(() => profile.ordinary(draw.line()).group);
      const ads = groups.slice(0, 3).map((group) => profile.ad(group, { asin, sku }));
      const paused = profile.ad(groups[3]!, { asin, sku, state: "PAUSED" });
      const similar = profile.ad(groups[0]!, { sku: `${sku}-B` });
      const off = (ids: readonly string[]) =>
        update(market, "sp_product_ads", ids.map((adId) => ({ adId, state: "PAUSED" })));
      return {
        profiles: [profile],
        instruction:
          `The product with the SKU ${sku} is out of stock. Pause its ads in every campaign. Other products, ` +
          "also those with a similar SKU, go on.",
        answer: { paused: "number of ads that you paused" },
        mayTouch: [{ kind: "sp.product_ads", ids: ads, fields: ["state"] }],
        facts: [
          ...[...ads, paused].map((id) => became(profile, ["sp.product_ads", id, "state"], "PAUSED")),
          figure("paused", ads.length, { off: 0 }),
          listed("productAds"),
        ],
        solution: async (tools) => {
          const { data } = await tools.call("list_entities", {
            market,
            entity: "sp_product_ads",
            states: ["ENABLED"],
          });
          const ids = data.rows.filter((row: Row) => row["sku"] === sku).map((row: Row) => row["adId"]);
          await off(ids)(tools);
          return linesOf({ paused: ids.length });
        },
        wrong: {
          idle,
          "says that it is done": claim({ paused: 3 }),
          "takes similar products as well": async (tools) => {
            await tools.call("list_entities", { market, entity: "sp_product_ads" });
            await off([...ads, similar])(tools);
            return linesOf({ paused: 3 });
          },
          "pauses whole campaigns": async (tools) => {
            await tools.call("list_entities", { market, entity: "sp_product_ads" });
            const items = groups.map(({ campaignId }) => ({ campaignId, state: "PAUSED" }));
            await update(market, "sp_campaigns", items)(tools);
            return linesOf({ paused: 3 });
          },
          "archives the ads": async (tools) => {
            await tools.call("list_entities", { market, entity: "sp_product_ads" });
            await apply(
              tools,
              await tools.call("plan_archive", { market, entity: "sp_product_ads", ids: ads }),
            );
            return linesOf({ paused: 3 });
          },
        },
      };
    },
  },
];

async function searchTerms(
  tools: Tools,
  { country: market }: ProfileDraft,
  days: { readonly start: string; readonly end: string },
): Promise<readonly Row[]> {
  const report = { market, report: "sp_search_terms", time_unit: "SUMMARY", limit: 100, ...days };
  return (await tools.call("run_report", report)).data.rows;
}

function soldIn(rows: readonly Row[], adGroupId: string, orders: number): string[] {
  return rows.filter((row) => row["adGroupId"] === adGroupId && row["purchases14d"] >= orders)
    .map((row) => row["searchTerm"]);
}
