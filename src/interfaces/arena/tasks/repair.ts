import { became, changeHistoryRead, figure, word } from "../judge/facts.ts";
import type { Task, Tools } from "../judge/task.ts";
import { cents, claim, drawnProfile, idle, linesOf, type Row } from "./drawn_profile.ts";
import { apply, list, update } from "./script_steps.ts";

export const REPAIR: readonly Task[] = [
  {
    id: "repair/budget-cut",
    group: "repair",
    title: "Find the campaign whose budget was cut by a slip, and give it the budget it had",
    draw(draw) {
      const profile = drawnProfile(draw);
      const market = profile.country;
      const line = draw.line();
      const was = draw.integer(55, 80);
      const cut = cents(was / 10);
      const group = profile.adGroup(profile.campaign(`${line.name} Core`, { budget: cut }));
      for (const text of line.words.slice(0, 3)) {
        profile.keyword(group, text, { bid: 0.9, demand: { clicks: 15, orders: 0.2 } });
      }
      profile.changed({ kind: "sp.campaigns", id: group.campaignId, field: "budget", from: was, daysAgo: 6 });
      // Another budget was changed a little on the same day, on purpose.
      const other = profile.ordinary(draw.line(), { budget: 60 }).group;
      profile.changed({
        kind: "sp.campaigns",
        id: other.campaignId,
        field: "budget",
        from: 66,
        daysAgo: 6,
        hours: 1,
      });
      profile.ordinary(draw.line());
      const set = (budget: number, id = group.campaignId) =>
        update(market, "sp_campaigns", [{ campaignId: id, budget: { budget, budgetType: "DAILY" } }]);
      const answer = { campaign_id: group.campaignId, budget: was };
      return {
        profiles: [profile],
        instruction:
          "About a week ago somebody cut the budget of a campaign to a tenth by a slip; since then it runs out early. " +
          "Find it and give it the budget that it had before. Other changes of that day were wanted.",
        answer: { campaign_id: "id", budget: "amount it has now" },
        mayTouch: [{ kind: "sp.campaigns", ids: [group.campaignId], fields: ["budget"], max: was }],
        facts: [
          became(profile, ["sp.campaigns", group.campaignId, "budget.budget"], was),
          word("campaign_id", group.campaignId),
          figure("budget", was),
          changeHistoryRead,
        ],
        solution: async (tools) => {
          const { data } = await tools.call("get_change_history", {
            market,
            since: "-10",
            changes: ["BUDGET_AMOUNT"],
          });
          const found = data.rows.find(({ before, after }: Row) => Number(before) >= 9 * Number(after));
          await set(Number(found.before), found.entity_id)(tools);
          return linesOf({ campaign_id: found.entity_id, budget: found.before });
        },
        wrong: {
          idle,
          "says that it is done": claim(answer),
          "raises it by what it guesses": async (tools) => {
            await tools.call("get_change_history", { market, since: "-10" });
            await set(50)(tools);
            return linesOf({ ...answer, budget: 50 });
          },
          "takes everything of the day back": async (tools) => {
            const args = { market, since: "-10", changes: ["BUDGET_AMOUNT"] };
            const plan = await tools.call("call_tool", {
              tool: "plan_restore_from_history",
              arguments: args,
            });
            await apply(tools, plan);
            return linesOf(answer);
          },
        },
      };
    },
  },
  {
    id: "repair/bad-import",
    group: "repair",
    title: "Put bids back that an import multiplied by ten, without one that was mended since",
    draw(draw) {
      const profile = drawnProfile(draw);
      const market = profile.country;
      const line = draw.line();
      const group = profile.adGroup(profile.campaign(`${line.name} Exact`));
      const bids = line.words.map(() => draw.money(0.4, 0.9));
      const ids = line.words.map((text, at) =>
        profile.keyword(group, text, {
          bid: cents(10 * bids[at]!),
          demand: { clicks: 2, orders: 0.1 },
          demandBid: bids[at]!,
        })
      );
      const [mended = "", ...broken] = ids;
      for (const [at, id] of ids.entries()) {
        profile.changed({ kind: "sp.keywords", id, field: "bid", from: bids[at]!, daysAgo: 1 });
      }
      // One was mended by a person, to another bid than it had.
      const kept = draw.money(0.3, 0.39);
      profile.entity("sp.keywords", mended)["bid"] = kept;
      profile.changed({
        kind: "sp.keywords",
        id: mended,
        field: "bid",
        from: cents(10 * bids[0]!),
        daysAgo: 0,
        hours: 3,
      });
      const others = profile.ordinary(draw.line());
      const raised = others.keywords[0]!;
      const now = Number(profile.entity("sp.keywords", raised)["bid"]);
      profile.changed({
        kind: "sp.keywords",
        id: raised,
        field: "bid",
        from: cents(now / 1.1),
        daysAgo: 1,
        hours: 5,
      });
      const put = (pairs: readonly (readonly [string, number])[]) =>
        update(market, "sp_keywords", pairs.map(([keywordId, bid]) => ({ keywordId, bid })));
      const right = broken.map((id, at) => [id, bids[at + 1]!] as const);
      return {
        profiles: [profile],
        instruction:
          `Yesterday an import multiplied the bids of the campaign "${line.name} Exact" by ten. Put them back to what ` +
          "they were before the import. Where somebody has set another bid since, that one stays.",
        answer: { restored: "number of keywords whose bid you put back" },
        mayTouch: [{ kind: "sp.keywords", ids: broken, fields: ["bid"] }],
        facts: [
          ...right.map(([id, bid]) => became(profile, ["sp.keywords", id, "bid"], bid)),
          became(profile, ["sp.keywords", mended, "bid"], kept),
          figure("restored", broken.length, { off: 0 }),
          changeHistoryRead,
        ],
        solution: async (tools) => {
          const [campaign] = await list(tools, {
            market,
            entity: "sp_campaigns",
            name: `${line.name} Exact`,
          });
          const { data } = await tools.call("get_change_history", {
            market,
            since: "-2",
            campaign_ids: [campaign?.["campaignId"]],
            changes: ["BID_AMOUNT"],
            limit: 50,
          });
          // Newest first: the last change of a keyword is the import's where the bid is still ten times the old one.
          const newest = new Map<string, Row>();
          for (const row of data.rows) if (!newest.has(row.entity_id)) newest.set(row.entity_id, row);
          const pairs = [...newest].filter(([, { before, after }]) =>
            Math.abs(Number(after) - 10 * Number(before)) < 0.01
          )
            .map(([id, { before }]) => [id, Number(before)] as const);
          await put(pairs)(tools);
          return linesOf({ restored: pairs.length });
        },
        wrong: {
          idle,
          "says that it is done": claim({ restored: broken.length }),
          "divides every bid of the campaign by ten": async (tools) => {
            await tools.call("get_change_history", { market, since: "-2" });
            await put([...right, [mended, cents(kept / 10)]])(tools);
            return linesOf({ restored: broken.length });
          },
          "puts everything back that changed since": async (tools) => {
            const plan = await tools.call("call_tool", {
              tool: "plan_restore_from_history",
              arguments: { market, since: "-2" },
            });
            await apply(tools, plan);
            return linesOf({ restored: broken.length });
          },
        },
      };
    },
  },
  {
    id: "repair/paused-by-mistake",
    group: "repair",
    title: "Switch on again what was paused in one hour by mistake, and nothing that was paused on purpose",
    draw(draw) {
      const profile = drawnProfile(draw);
      const market = profile.country;
      const groups = [1, 2, 3].map(() => profile.ordinary(draw.line(), { words: 4 }));
      const keywords = draw.shuffled(groups.flatMap((one) => one.keywords));
      const days = draw.integer(2, 5);
      const mistake = keywords.slice(0, 5);
      const wanted = keywords.slice(5, 8);
      const off = (id: string, daysAgo: number, hours: number): void => {
        profile.entity("sp.keywords", id)["state"] = "PAUSED";
        profile.changed({ kind: "sp.keywords", id, field: "state", from: "ENABLED", daysAgo, hours });
      };
      for (const [at, id] of mistake.entries()) off(id, days, at / 60);
      off(wanted[0]!, days, 4);
      off(wanted[1]!, days - 1, 2);
      off(wanted[2]!, 20, 0);
      const end = new Date(profile.now - days * 86_400_000 + 60_000).toISOString().slice(0, 16);
      const start = new Date(profile.now - days * 86_400_000 - 3_600_000).toISOString().slice(0, 16);
      const on = (ids: readonly string[]) =>
        update(market, "sp_keywords", ids.map((keywordId) => ({ keywordId, state: "ENABLED" })));
      return {
        profiles: [profile],
        instruction:
          `Between ${start}Z and ${end}Z a script paused keywords by mistake. Enable exactly those again. Whatever was ` +
          "paused at another time was meant to be.",
        answer: { enabled: "number of keywords" },
        mayTouch: [{ kind: "sp.keywords", ids: mistake, fields: ["state"] }],
        facts: [
          ...mistake.map((id) => became(profile, ["sp.keywords", id, "state"], "ENABLED")),
          figure("enabled", mistake.length, { off: 0 }),
          changeHistoryRead,
        ],
        solution: async (tools) => {
          const { data } = await tools.call("get_change_history", {
            market,
            since: `${start}:00Z`,
            until: `${end}:59Z`,
            changes: ["STATUS"],
            limit: 50,
          });
          const ids = data.rows.filter(({ after }: Row) => after === "PAUSED").map(({ entity_id }: Row) =>
            entity_id
          );
          await on(ids)(tools);
          return linesOf({ enabled: ids.length });
        },
        wrong: {
          idle,
          "says that it is done": claim({ enabled: mistake.length }),
          "enables everything that is paused": async (tools) => {
            await tools.call("get_change_history", { market, since: "-7" });
            await on([...mistake, ...wanted])(tools);
            return linesOf({ enabled: mistake.length });
          },
          "takes the whole day": async (tools) => {
            await tools.call("get_change_history", { market, since: "-7" });
            await on([...mistake, wanted[0]!])(tools);
            return linesOf({ enabled: mistake.length });
          },
        },
      };
    },
  },
  {
    id: "repair/blocked-keyword",
    group: "repair",
    title: "Remove the negative that blocks a live keyword of its own ad group",
    draw(draw) {
      const profile = drawnProfile(draw);
      const market = profile.country;
      const [first, second] = [profile.ordinary(draw.line()), profile.ordinary(draw.line())];
      const line = draw.line();
      const source = profile.adGroup(profile.campaign(`${line.name} Auto`, { auto: true }));
      profile.automatic(source, 0.6, { clicks: 4, orders: 0.05 });
      const textOf = (id: string): string => String(profile.entity("sp.keywords", id)["keywordText"]);
      const blocked = draw.pick(first.keywords);
      const culprit = profile.negative(first.group, textOf(blocked));
      // Elsewhere the same negatives are right: they keep the automatic campaign from paying for exact keywords.
      const right = [...first.keywords, ...second.keywords].map((id) => profile.negative(source, textOf(id)));
      profile.negative(second.group, "free");
      const archive = async (tools: Tools, ids: readonly string[]): Promise<void> =>
        void await apply(
          tools,
          await tools.call("plan_archive", { market, entity: "sp_negative_keywords", ids }),
        );
      return {
        profiles: [profile],
        instruction:
          "Some exact keyword gets no impressions although it is enabled, because an exact negative keyword of its own ad " +
          "group blocks it. Find that negative and archive it. All other negatives are wanted.",
        answer: { negative_id: "id of the negative", keyword_id: "id of the keyword" },
        mayTouch: [{ kind: "sp.negative_keywords", ids: [culprit], fields: ["state"], archive: true }],
        facts: [
          became(profile, ["sp.negative_keywords", culprit, "state"], "ARCHIVED"),
          word("negative_id", culprit),
          word("keyword_id", blocked),
        ],
        solution: async (tools) => {
          const negatives = await list(tools, { market, entity: "sp_negative_keywords" });
          const keywords = await list(tools, { market, entity: "sp_keywords" });
          const pairs = negatives.flatMap((negative) =>
            keywords.filter((one) =>
              one["adGroupId"] === negative["adGroupId"] && one["keywordText"] === negative["keywordText"]
            ).map((keyword) => [negative["keywordId"], keyword["keywordId"]] as const)
          );
          const [negative_id, keyword_id] = pairs[0] ?? [];
          await archive(tools, [negative_id]);
          return linesOf({ negative_id, keyword_id });
        },
        wrong: {
          idle,
          "says that it is done": claim({ negative_id: culprit, keyword_id: blocked }),
          "archives every negative of that text": async (tools) => {
            const same = right.filter((id) =>
              profile.entity("sp.negative_keywords", id)["keywordText"] === textOf(blocked)
            );
            await archive(tools, [culprit, ...same]);
            return linesOf({ negative_id: culprit, keyword_id: blocked });
          },
          "adds the keyword to another ad group": async (tools) => {
            const { campaignId, adGroupId } = second.group;
            const items = [{
              campaignId,
              adGroupId,
              keywordText: textOf(blocked),
              matchType: "EXACT",
              state: "ENABLED",
            }];
            await apply(tools, await tools.call("plan_create", { market, entity: "sp_keywords", items }));
            return linesOf({ negative_id: culprit, keyword_id: blocked });
          },
        },
      };
    },
  },
  {
    id: "repair/placement-slip",
    group: "repair",
    title: "Put a bid adjustment for the top of search back to what it was",
    draw(draw) {
      const profile = drawnProfile(draw);
      const market = profile.country;
      const line = draw.line();
      const was = draw.integer(2, 8) * 10;
      const place = (percentage: number, product = 10) => ({
        strategy: "LEGACY_FOR_SALES",
        placementBidding: [
          { placement: "PLACEMENT_TOP", percentage },
          { placement: "PLACEMENT_PRODUCT_PAGE", percentage: product },
        ],
      });
      const campaign = profile.campaign(`${line.name} Core`, { fields: { dynamicBidding: place(was * 10) } });
      profile.keyword(profile.adGroup(campaign), line.words[0]!, {
        bid: draw.money(0.5, 1.5),
        demand: { clicks: 3, orders: 0.2 },
      });
      const other = profile.campaign(`${draw.line().name} Core`, { fields: { dynamicBidding: place(200) } });
      profile.event({
        entityType: "CAMPAIGN",
        entityId: campaign.campaignId,
        changeType: "PLACEMENT_GROUP",
        previousValue: String(was),
        newValue: String(was * 10),
        timestamp: profile.now - 2 * 86_400_000,
        metadata: { campaignId: campaign.campaignId, placementGroupPosition: "TOP_OF_SEARCH" },
      });
      const set = (top: number, product = 10, id = campaign.campaignId) =>
        update(market, "sp_campaigns", [{ campaignId: id, dynamicBidding: place(top, product) }]);
      const isRight = (product: number) => (value: unknown): boolean => {
        const placements = (value as { placementBidding?: readonly Row[] } | undefined)?.placementBidding ??
          [];
        const of = (name: string): unknown =>
          placements.find((one) => one["placement"] === name)?.["percentage"];
        return of("PLACEMENT_TOP") === was && of("PLACEMENT_PRODUCT_PAGE") === product;
      };
      return {
        profiles: [profile],
        instruction:
          `Two days ago somebody typed one zero too many into the bid adjustment for the top of search of "${campaign.name}". ` +
          "Put that adjustment back to what it was; the one for product pages stays.",
        answer: { top_of_search: "percent it has now" },
        mayTouch: [{ kind: "sp.campaigns", ids: [campaign.campaignId], fields: ["dynamicBidding"] }],
        facts: [
          {
            says: "the adjustments are as they were",
            holds: ({ after }) =>
              isRight(10)(
                after.get(`${profile.profileId} sp.campaigns ${campaign.campaignId}`)?.["dynamicBidding"],
              ),
          },
          figure("top_of_search", was),
        ],
        solution: async (tools) => {
          const [row] = await list(tools, { market, entity: "sp_campaigns", name: campaign.name });
          const { dynamicBidding, campaignId } = row!;
          const placementBidding = dynamicBidding.placementBidding.map((one: Row) =>
            one["placement"] === "PLACEMENT_TOP" ? { ...one, percentage: one["percentage"] / 10 } : one
          );
          await update(market, "sp_campaigns", [{
            campaignId,
            dynamicBidding: { ...dynamicBidding, placementBidding },
          }])(tools);
          return linesOf({ top_of_search: was });
        },
        wrong: {
          idle,
          "says that it is done": claim({ top_of_search: was }),
          "takes the adjustment for product pages away": async (tools) => {
            await set(was, 0)(tools);
            return linesOf({ top_of_search: was });
          },
          "sets it to nothing": async (tools) => {
            await set(0)(tools);
            return linesOf({ top_of_search: 0 });
          },
          "mends every high adjustment": async (tools) => {
            await set(was)(tools);
            await set(20, 10, other.campaignId)(tools);
            return linesOf({ top_of_search: was });
          },
        },
      };
    },
  },
];
