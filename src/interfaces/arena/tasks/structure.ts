import { created, figure, newEntities } from "../judge/facts.ts";
import type { Fact, Seen, Task, Tools } from "../judge/task.ts";
import { cents, claim, drawnProfile, idle, linesOf, type Row } from "./drawn_profile.ts";
import { create, list, update } from "./script_steps.ts";

function isPlain({ state, dynamicBidding, endDate, portfolioId, siteRestrictions }: Row): boolean {
  const placements: readonly Row[] = dynamicBidding?.placementBidding ?? [];
  return state === "PAUSED" && placements.every(({ percentage }) => percentage === 0) &&
    dynamicBidding?.strategy !== "AUTO_FOR_SALES" &&
    [endDate, portfolioId, siteRestrictions].every((one) => one === undefined);
}

export const STRUCTURE: readonly Task[] = [
  {
    id: "structure/build",
    group: "structure",
    title: "Build a paused campaign with an ad group, an ad and keywords",
    draw(draw) {
      const profile = drawnProfile(draw);
      const market = profile.country;
      const [line, other] = [draw.line(), draw.line()];
      const { group: existing } = profile.ordinary(other);
      const name = `${line.name} Launch`;
      const [budget, bid] = [draw.integer(12, 30), draw.money(0.5, 0.9)];
      const [asin, sku] = [draw.asin(), `NW-${draw.integer(1000, 9999)}`];
      const texts = line.words.slice(0, 3);
      const campaignOf = (seen: Seen): Row | undefined => newEntities(seen, profile, "sp.campaigns")[0];
      const isInside = (row: Row): boolean => row["campaignId"] !== existing.campaignId;
      const build = async (tools: Tools, state: string, wanted: number): Promise<string> => {
        const place = { campaignId: { ref: "campaign" }, adGroupId: { ref: "group" }, state: "ENABLED" };
        const { data } = await create(tools, market, "sp_campaigns", [
          {
            as: "campaign",
            name,
            state,
            targetingType: "MANUAL",
            startDate: profile.day(0),
            budget: { budget: wanted, budgetType: "DAILY" },
          },
          {
            entity: "sp_ad_groups",
            as: "group",
            campaignId: place.campaignId,
            name: "Main",
            state: "ENABLED",
            defaultBid: bid,
          },
          { entity: "sp_product_ads", ...place, asin, sku },
          ...texts.map((keywordText) => ({
            entity: "sp_keywords",
            ...place,
            keywordText,
            matchType: "EXACT",
            bid,
          })),
        ]);
        const campaignId = data.created?.find(({ kind }: Row) => kind === "sp.campaigns")?.id;
        return linesOf({ campaign_id: campaignId });
      };
      const isOf = (kind: string, check: (row: Row) => boolean): Fact => ({
        says: `one ${kind} as asked for is in the new campaign`,
        holds: (seen) => {
          const all = newEntities(seen, profile, kind);
          return all.length === 1 && all[0]!["campaignId"] === campaignOf(seen)?.["campaignId"] &&
            check(all[0]!);
        },
      });
      return {
        profiles: [profile],
        instruction:
          `Build a manual campaign "${name}" with a daily budget of ${budget} that begins today and is paused. In ` +
          `it an ad group "Main" with a default bid of ${bid}, an ad for the product ${asin} with the SKU ${sku}, and the ` +
          `exact keywords ${
            texts.map((text) => `"${text}"`).join(", ")
          } with a bid of ${bid} each. All but the campaign is ` +
          "enabled.",
        answer: { campaign_id: "id of the new campaign" },
        limits: { calls: 30 },
        mayTouch: [
          { kind: "sp.campaigns", isNew: (one) => one["name"] === name && isPlain(one) },
          ...["sp.ad_groups", "sp.product_ads", "sp.keywords"].map((kind) => ({ kind, isNew: isInside })),
        ],
        facts: [
          created(profile, "sp.campaigns", [
            (one) =>
              one["name"] === name && one["targetingType"] === "MANUAL" &&
              (one["budget"] as Row)["budget"] === budget,
          ]),
          isOf(
            "sp.ad_groups",
            (one) => one["name"] === "Main" && one["defaultBid"] === bid && one["state"] === "ENABLED",
          ),
          isOf(
            "sp.product_ads",
            (one) => one["asin"] === asin && one["sku"] === sku && one["state"] === "ENABLED",
          ),
          created(
            profile,
            "sp.keywords",
            texts.map((text) => (one: Row) =>
              one["keywordText"] === text && one["matchType"] === "EXACT" && one["bid"] === bid &&
              one["state"] === "ENABLED"
            ),
          ),
          {
            says: "the answer gives the id of the new campaign",
            holds: (seen) => seen.answer.get("campaign_id") === campaignOf(seen)?.["campaignId"],
          },
        ],
        solution: (tools) => build(tools, "PAUSED", budget),
        wrong: {
          idle,
          "says that it is built": claim({ campaign_id: draw.id() }),
          "starts it at once": (tools) => build(tools, "ENABLED", budget),
          "takes ten times the budget": (tools) => build(tools, "PAUSED", budget * 10),
        },
      };
    },
  },
  {
    id: "structure/copy-keywords",
    group: "structure",
    title: "Copy the enabled keywords of an ad group to another one, without those that it has",
    draw(draw) {
      const profile = drawnProfile(draw);
      const market = profile.country;
      const [line, other] = [draw.line(), draw.line()];
      const from = profile.adGroup(profile.campaign(`${line.name} Phrase`));
      const to = profile.adGroup(profile.campaign(`${line.name} Seasonal`, { state: "PAUSED" }));
      profile.ordinary(other);
      const [has = "", off = "", ...copied] = line.words;
      const bids = new Map(copied.map((text) => [text, draw.money(0.5, 1.5)]));
      for (const [text, bid] of bids) profile.keyword(from, text, { bid, type: "PHRASE" });
      profile.keyword(from, has, { bid: 1.1, type: "PHRASE" });
      profile.keyword(to, has, { bid: 0.6, type: "PHRASE" });
      profile.keyword(from, off, { bid: 0.9, type: "PHRASE", state: "PAUSED" });
      const { campaignId, adGroupId } = to;
      const copy = (tools: Tools, texts: readonly string[], bidOf: (text: string) => number) =>
        create(
          tools,
          market,
          "sp_keywords",
          texts.map((keywordText) => ({
            campaignId,
            adGroupId,
            keywordText,
            matchType: "PHRASE",
            state: "ENABLED",
            bid: bidOf(keywordText),
          })),
        );
      const bidOf = (text: string): number => bids.get(text) ?? 0.9;
      return {
        profiles: [profile],
        instruction:
          `Copy the enabled keywords of the campaign "${from.name}" with match type and bid into the ad group of ` +
          `"${to.name}". Leave out paused ones and those that it has already; change nothing that is there.`,
        answer: { copied: "number of new keywords" },
        mayTouch: [{
          kind: "sp.keywords",
          isNew: (one) => one["adGroupId"] === adGroupId && copied.includes(String(one["keywordText"])),
        }],
        facts: [
          created(
            profile,
            "sp.keywords",
            copied.map((text) => (one: Row) =>
              one["keywordText"] === text && one["matchType"] === "PHRASE" && one["bid"] === bids.get(text) &&
              one["state"] === "ENABLED"
            ),
          ),
          figure("copied", copied.length, { off: 0 }),
        ],
        solution: async (tools) => {
          const rows = await list(tools, { market, entity: "sp_keywords", states: ["ENABLED"] });
          const [campaign] = await list(tools, { market, entity: "sp_campaigns", name: to.name });
          const isTarget = (row: Row): boolean => row["campaignId"] === campaign?.["campaignId"];
          const there = rows.filter(isTarget);
          const place = {
            campaignId: there[0]?.["campaignId"],
            adGroupId: there[0]?.["adGroupId"],
            state: "ENABLED",
          };
          const items = rows.filter((row) =>
            row["campaignId"] === from.campaignId &&
            !there.some((one) => one["keywordText"] === row["keywordText"])
          ).map(({ keywordText, matchType, bid }) => ({ ...place, keywordText, matchType, bid }));
          await create(tools, market, "sp_keywords", items);
          return linesOf({ copied: items.length });
        },
        wrong: {
          idle,
          "says that it is done": claim({ copied: copied.length }),
          "copies paused ones as well": async (tools) => {
            await copy(tools, [...copied, off], bidOf);
            return linesOf({ copied: copied.length });
          },
          "takes one bid for all": async (tools) => {
            await copy(tools, copied, () => 0.75);
            return linesOf({ copied: copied.length });
          },
        },
      };
    },
  },
  {
    id: "structure/translate",
    group: "structure",
    title: "Take keywords over to another marketplace: translated, in its currency",
    draw(draw) {
      const [here, there] = draw.pick([["US", "DE"], ["CA", "FR"], ["UK", "IT"], ["AU", "ES"]] as const);
      const profile = drawnProfile(draw, here);
      const abroad = profile.sibling(there);
      const line = draw.line();
      const from = profile.adGroup(profile.campaign(`${line.name} Exact`));
      const to = abroad.adGroup(abroad.campaign(`${line.name} Exact ${there}`));
      abroad.ordinary(draw.line());
      const rate = draw.integer(70, 95) / 100;
      const pairs = line.words.slice(0, 4).map((text, at) => {
        const bid = draw.money(0.5, 1.6);
        profile.keyword(from, text, { bid });
        return {
          text,
          other: `${draw.pick(["sac", "borsa", "bolsa", "tasche"])} ${at + 1}${draw.integer(10, 99)}`,
          bid,
        };
      });
      const { campaignId, adGroupId } = to;
      const takeOver = (tools: Tools, bidOf: (bid: number) => number, market: string) =>
        create(
          tools,
          market,
          "sp_keywords",
          pairs.map(({ other, bid }) => ({
            campaignId,
            adGroupId,
            keywordText: other,
            matchType: "EXACT",
            state: "ENABLED",
            bid: bidOf(bid),
          })),
        );
      const table = pairs.map(({ text, other }) => `"${text}" is "${other}"`).join(", ");
      return {
        profiles: [profile, abroad],
        instruction:
          `Take the exact keywords of "${from.name}" (${here}) over into the ad group of "${to.name}" in the market ` +
          `${there}. Translate them: ${table}. Bids: those of ${here} times ${rate}, rounded to cents.`,
        answer: { created: "number of new keywords" },
        mayTouch: [{
          kind: "sp.keywords",
          isNew: (one) =>
            one["adGroupId"] === adGroupId && pairs.some(({ other }) => other === one["keywordText"]),
        }],
        facts: [
          created(
            abroad,
            "sp.keywords",
            pairs.map(({ other, bid }) => (one: Row) =>
              one["keywordText"] === other && one["matchType"] === "EXACT" &&
              Math.abs(Number(one["bid"]) - bid * rate) <= 0.0101
            ),
          ),
          figure("created", pairs.length, { off: 0 }),
        ],
        solution: async (tools) => {
          const rows = await list(tools, { market: here, entity: "sp_keywords" });
          const place = { market: there, entity: "sp_ad_groups", campaign_name: to.name };
          const [group] = await list(tools, place);
          const items = pairs.map(({ text, other }) => ({
            campaignId: group?.["campaignId"],
            adGroupId: group?.["adGroupId"],
            keywordText: other,
            matchType: "EXACT",
            state: "ENABLED",
            bid: cents(Number(rows.find((row) => row["keywordText"] === text)?.["bid"]) * rate),
          }));
          await create(tools, there, "sp_keywords", items);
          return linesOf({ created: items.length });
        },
        wrong: {
          idle,
          "says that it is done": claim({ created: 4 }),
          "forgets the currency": async (tools) => {
            await takeOver(tools, (bid) => bid, there);
            return linesOf({ created: 4 });
          },
          "builds it at home": async (tools) => {
            const items = pairs.map(({ other, bid }) => ({
              campaignId: from.campaignId,
              adGroupId: from.adGroupId,
              keywordText: other,
              matchType: "EXACT",
              state: "ENABLED",
              bid: cents(bid * rate),
            }));
            await create(tools, here, "sp_keywords", items);
            return linesOf({ created: 4 });
          },
        },
      };
    },
  },
  {
    id: "structure/portfolio",
    group: "structure",
    title: "Make a portfolio and put three campaigns into it",
    draw(draw) {
      const profile = drawnProfile(draw);
      const market = profile.country;
      const line = draw.line();
      const groups = ["Exact", "Phrase", "Broad"].map((kind) =>
        profile.adGroup(profile.campaign(`${line.name} ${kind}`))
      );
      const old = profile.portfolio("Everything else");
      const similar = profile.adGroup(profile.campaign(`${line.name} Exact Clearance`, { portfolioId: old }));
      profile.ordinary(draw.line());
      const name = `${line.name} ${draw.integer(2027, 2029)}`;
      const ids = groups.map(({ campaignId }) => campaignId);
      const fresh = (seen: Seen): string | undefined =>
        newEntities(seen, profile, "portfolios")[0]?.["portfolioId"] as string;
      const move = async (tools: Tools, wanted: readonly string[]): Promise<string> => {
        const { data } = await create(tools, market, "portfolios", [{ name, state: "ENABLED" }]);
        const portfolioId = data.created?.[0]?.id;
        await update(market, "sp_campaigns", wanted.map((campaignId) => ({ campaignId, portfolioId })))(
          tools,
        );
        return linesOf({ portfolio_id: portfolioId });
      };
      return {
        profiles: [profile],
        instruction:
          `Make a portfolio "${name}" and put the campaigns ${
            groups.map((one) => `"${one.name}"`).join(", ")
          } into ` +
          "it. Other campaigns stay where they are.",
        answer: { portfolio_id: "id of the new portfolio" },
        mayTouch: [
          { kind: "portfolios", isNew: (one) => one["name"] === name && one["budget"] === undefined },
          { kind: "sp.campaigns", ids, fields: ["portfolioId"] },
        ],
        facts: [
          created(profile, "portfolios", [(one) => one["name"] === name]),
          {
            says: "the three campaigns are in the new portfolio",
            holds: (seen) =>
              fresh(seen) !== undefined &&
              ids.every((id) =>
                seen.after.get(`${profile.profileId} sp.campaigns ${id}`)?.["portfolioId"] === fresh(seen)
              ),
          },
          {
            says: "the answer gives the id of the new portfolio",
            holds: (seen) => fresh(seen) !== undefined && seen.answer.get("portfolio_id") === fresh(seen),
          },
        ],
        solution: async (tools) => {
          const rows = await list(tools, { market, entity: "sp_campaigns" });
          const wanted = groups.map((one) => rows.find((row) => row["name"] === one.name)?.["campaignId"]);
          return await move(tools, wanted);
        },
        wrong: {
          idle,
          "takes every campaign of that name": (tools) => move(tools, [...ids, similar.campaignId]),
          "puts them into the old portfolio": async (tools) => {
            await update(market, "sp_campaigns", ids.map((campaignId) => ({ campaignId, portfolioId: old })))(
              tools,
            );
            return linesOf({ portfolio_id: old });
          },
          "forgets one": (tools) => move(tools, ids.slice(1)),
        },
      };
    },
  },
  {
    id: "structure/shared-negatives",
    group: "structure",
    title: "Add the same negatives to every campaign of a product line that lacks them",
    draw(draw) {
      const profile = drawnProfile(draw);
      const market = profile.country;
      const line = draw.line();
      const campaigns = ["Exact", "Phrase", "Auto"].map((kind) =>
        profile.adGroup(profile.campaign(`${line.name} ${kind}`))
      );
      const off = profile.adGroup(profile.campaign(`${line.name} Old`, { state: "PAUSED" }));
      const others = profile.ordinary(draw.line()).group;
      const words = draw.shuffled(["free", "used", "repair", "rental", "toy", "jobs"]).slice(0, 3);
      const [first] = campaigns;
      profile.campaignNegative(first!, words[0]!, "NEGATIVE_PHRASE");
      const wanted = campaigns.flatMap(({ campaignId }) =>
        words.filter((text) => campaignId !== first!.campaignId || text !== words[0]).map((text) => ({
          campaignId,
          text,
        }))
      );
      const add = (
        tools: Tools,
        pairs: readonly { campaignId: string; text: string }[],
        matchType = "NEGATIVE_PHRASE",
      ) =>
        create(
          tools,
          market,
          "sp_campaign_negative_keywords",
          pairs.map(({ campaignId, text }) => ({
            campaignId,
            keywordText: text,
            matchType,
            state: "ENABLED",
          })),
        );
      const isWanted = (row: Row): boolean =>
        row["matchType"] === "NEGATIVE_PHRASE" &&
        wanted.some(({ campaignId, text }) =>
          campaignId === row["campaignId"] && text === row["keywordText"]
        );
      return {
        profiles: [profile],
        instruction: `Every enabled campaign whose name begins with "${line.name}" gets the phrases ` +
          `${
            words.map((text) => `"${text}"`).join(", ")
          } as negative phrases of the campaign, where it lacks them. Do not ` +
          "touch other campaigns, nor paused ones.",
        answer: { added: "number of new negatives" },
        mayTouch: [{ kind: "sp.campaign_negative_keywords", isNew: isWanted }],
        facts: [
          created(
            profile,
            "sp.campaign_negative_keywords",
            wanted.map(({ campaignId, text }) => (one: Row) =>
              one["campaignId"] === campaignId && one["keywordText"] === text
            ),
          ),
          figure("added", wanted.length, { off: 0 }),
        ],
        solution: async (tools) => {
          const rows = await list(tools, { market, entity: "sp_campaigns", states: ["ENABLED"] });
          const there = await list(tools, { market, entity: "sp_campaign_negative_keywords" });
          const pairs = rows.filter((row) => String(row["name"]).startsWith(line.name)).flatMap((
            { campaignId },
          ) =>
            words.filter((text) =>
              !there.some((one) => one["campaignId"] === campaignId && one["keywordText"] === text)
            ).map((text) => ({ campaignId, text }))
          );
          await add(tools, pairs);
          return linesOf({ added: pairs.length });
        },
        wrong: {
          idle,
          "says that it is done": claim({ added: wanted.length }),
          "takes paused campaigns as well": async (tools) => {
            await add(tools, [...wanted, { campaignId: off.campaignId, text: words[0]! }]);
            return linesOf({ added: wanted.length });
          },
          "takes all campaigns": async (tools) => {
            await add(tools, [...wanted, ...words.map((text) => ({ campaignId: others.campaignId, text }))]);
            return linesOf({ added: wanted.length });
          },
          "takes exact negatives": async (tools) => {
            await add(tools, wanted, "NEGATIVE_EXACT");
            return linesOf({ added: wanted.length });
          },
        },
      };
    },
  },
];
