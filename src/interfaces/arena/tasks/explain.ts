import { idText } from "../../../base/json/id_of.ts";
import { marketOf } from "../../../base/markets/markets.ts";
import { addDays, dayIn } from "../../../base/time/calendar.ts";
import { changeHistoryRead, figure, readReports, word } from "../judge/facts.ts";
import type { Task, Truth } from "../judge/task.ts";
import type { CampaignPlace } from "../account/account_draft.ts";
import { by, cents, claim, drawnProfile, idle, linesOf, type Row } from "./drawn_profile.ts";

export const EXPLAIN: readonly Task[] = [
  {
    id: "explain/spend-jump",
    group: "explain",
    title: "Find the keyword behind a rise of spend, and by how much it rose",
    draw(draw) {
      const profile = drawnProfile(draw);
      const others = [1, 2, 3].map(() => profile.ordinary(draw.line(), { clicks: draw.integer(5, 8) }));
      const line = draw.line();
      const group = profile.adGroup(profile.campaign(`${line.name} Phrase`));
      const before = draw.money(0.4, 0.6);
      const culprit = profile.keyword(group, line.words[0]!, {
        bid: cents(before * draw.integer(28, 34) / 10),
        demand: { clicks: draw.integer(9, 12), orders: 0.05 },
        demandBid: before,
      });
      profile.keyword(group, line.words[1]!, { bid: 0.7, demand: { clicks: 4, orders: 0.2 } });
      profile.changed({
        kind: "sp.keywords",
        id: culprit,
        field: "bid",
        from: before,
        daysAgo: 7,
        hours: 14,
      });
      // The one that was lowered at the same time is not it.
      const lowered = others[0]!.keywords[0]!;
      const now = Number(profile.entity("sp.keywords", lowered)["bid"]);
      profile.changed({ kind: "sp.keywords", id: lowered, field: "bid", from: cents(1.3 * now), daysAgo: 8 });
      const answer = { campaign_id: group.campaignId, keyword_id: culprit };
      return {
        profiles: [profile],
        instruction:
          `Spend was higher in the seven days to yesterday (${profile.day(-7)} to ${
            profile.day(-1)
          }) than in the ` +
          "seven days before. Find the keyword whose spend rose most, its campaign, and by how much its spend rose.",
        answer: { campaign_id: "id", keyword_id: "id", rise: "amount" },
        facts: [
          word("campaign_id", group.campaignId),
          word("keyword_id", culprit),
          figure("rise", async (truth) => {
            const of = (start: number, end: number) =>
              truth.sum("cost", {
                preset: "sp_targeting",
                start: profile.day(start),
                end: profile.day(end),
                where: ({ keywordId }) => idText(keywordId) === culprit,
              });
            return await of(-7, -1) - await of(-14, -8);
          }, { off: 0.02 }),
          readReports(profile.day(-14), profile.day(-1)),
        ],
        solution: async (tools) => {
          const market = profile.country;
          const { data } = await tools.call("compare_periods", { market, by: ["keyword"] });
          const top = data.rows.slice(1).toSorted(by("cost_change"))[0];
          const { data: found } = await tools.call("list_entities", {
            market,
            entity: "sp_keywords",
            ids: [top.id],
          });
          return linesOf({
            campaign_id: found.rows[0].campaignId,
            keyword_id: top.id,
            rise: top.cost_change,
          });
        },
        wrong: {
          idle,
          "names them without a look": claim({ ...answer, rise: 40 }),
          "takes the change of all campaigns": async (tools) => {
            const { data } = await tools.call("compare_periods", { market: profile.country });
            return linesOf({ ...answer, rise: data.rows[0].cost_change });
          },
          "takes the keyword that spends most in a week": async (tools) => {
            const report = {
              market: profile.country,
              report: "sp_targeting",
              time_unit: "SUMMARY",
              sort_by: "cost",
            };
            const { data } = await tools.call("run_report", report);
            return linesOf({ ...answer, keyword_id: data.rows[0].keywordId, rise: data.rows[0].cost });
          },
        },
      };
    },
  },
  {
    id: "explain/better-campaign",
    group: "explain",
    title: "Say which of two campaigns had the lower ACOS over finished days",
    draw(draw) {
      const profile = drawnProfile(draw);
      const [big, small] = [draw.line(), draw.line()];
      const [dear, thrifty] = [big, small].map((line, at) => {
        const group = profile.adGroup(
          profile.campaign(`${line.name} ${draw.pick(["Exact", "Brand", "Core"])}`),
        );
        for (const text of line.words.slice(0, 3)) {
          profile.keyword(group, text, {
            bid: at === 0 ? draw.money(1.2, 1.5) : draw.money(0.5, 0.7),
            demand: { clicks: at === 0 ? 9 : 4, orders: at === 0 ? 0.16 : 0.2, value: 30 },
          });
        }
        return group;
      });
      profile.ordinary(draw.line());
      const [start, end] = [profile.day(-draw.integer(40, 44)), profile.day(-draw.integer(15, 17))];
      const acos = (place: CampaignPlace) => async (truth: Truth): Promise<number> => {
        const where = ({ campaignId }: Row) => idText(campaignId) === place.campaignId;
        const of = { preset: "sp_campaigns", start, end, where } as const;
        return 100 * await truth.sum("cost", of) / await truth.sum("sales14d", of);
      };
      // deno-lint-ignore no-explicit-any -- rows of an answer
      const bothOf = (rows: any[]): any[] =>
        rows.filter(({ campaignName }) => [dear!.name, thrifty!.name].includes(campaignName)).toSorted(
          by("acos"),
        ).reverse();
      return {
        profiles: [profile],
        instruction:
          `Which was worth more from ${start} to ${end}: the campaign "${dear!.name}" or "${
            thrifty!.name
          }"? ` +
          "The one with the lower ACOS (cost by sales within 14 days) is. Give the ACOS of both in percent.",
        answer: { better: "campaign id", acos_better: "percent", acos_other: "percent" },
        facts: [
          word("better", thrifty!.campaignId),
          figure("acos_better", acos(thrifty!), { off: 0.06 }),
          figure("acos_other", acos(dear!), { off: 0.06 }),
          readReports(start, end),
        ],
        solution: async (tools) => {
          const report = {
            market: profile.country,
            report: "sp_campaigns",
            start,
            end,
            time_unit: "SUMMARY",
          };
          const { data } = await tools.call("run_report", report);
          const rows = bothOf(data.rows);
          return linesOf({
            better: rows[0].campaignId,
            acos_better: (100 * rows[0].acos).toFixed(2),
            acos_other: (100 * rows[1].acos).toFixed(2),
          });
        },
        wrong: {
          idle,
          "takes the last week": async (tools) => {
            const report = { market: profile.country, report: "sp_campaigns", time_unit: "SUMMARY" };
            const { data } = await tools.call("run_report", report);
            const rows = bothOf(data.rows);
            return linesOf({
              better: rows[0].campaignId,
              acos_better: (100 * rows[0].acos).toFixed(2),
              acos_other: (100 * rows[1].acos).toFixed(2),
            });
          },
          "takes the one with more sales": async (tools) => {
            const report = {
              market: profile.country,
              report: "sp_campaigns",
              start,
              end,
              time_unit: "SUMMARY",
            };
            const { data } = await tools.call("run_report", { ...report, sort_by: "sales14d" });
            const [first, second] = data.rows;
            return linesOf({
              better: first.campaignId,
              acos_better: (100 * first.acos).toFixed(2),
              acos_other: (100 * second.acos).toFixed(2),
            });
          },
        },
      };
    },
  },
  {
    id: "explain/who-paused",
    group: "explain",
    title: "Find the campaign that was paused lately, the day, and what it spent before",
    draw(draw) {
      const profile = drawnProfile(draw);
      const lines = [1, 2, 3, 4].map(() => draw.line());
      const groups = lines.map((line) => profile.ordinary(line).group);
      const days = draw.integer(4, 9);
      const [paused, long, back] = draw.shuffled(groups);
      profile.entity("sp.campaigns", paused!.campaignId)["state"] = "PAUSED";
      profile.changed({
        kind: "sp.campaigns",
        id: paused!.campaignId,
        field: "state",
        from: "ENABLED",
        daysAgo: days,
      });
      profile.entity("sp.campaigns", long!.campaignId)["state"] = "PAUSED";
      profile.changed({
        kind: "sp.campaigns",
        id: long!.campaignId,
        field: "state",
        from: "ENABLED",
        daysAgo: 40,
      });
      const turned = (from: string, to: string, daysAgo: number): void =>
        profile.event({
          entityType: "CAMPAIGN",
          entityId: back!.campaignId,
          changeType: "STATUS",
          previousValue: from,
          newValue: to,
          timestamp: profile.now - daysAgo * 86_400_000,
          metadata: { campaignId: back!.campaignId },
        });
      turned("ENABLED", "PAUSED", days + 2);
      turned("PAUSED", "ENABLED", days + 1);
      const [start, end] = [profile.day(-days - 7), profile.day(-days - 1)];
      const spent = "the average spend a day of the seven whole days before that day";
      return {
        profiles: [profile],
        instruction:
          "Some campaign was paused in the last two weeks and is still off. Find out which, on which day, and " +
          `what it used to cost: ${spent}.`,
        answer: { campaign_id: "id", day: "YYYY-MM-DD in the market's time zone", spend: "amount a day" },
        facts: [
          word("campaign_id", paused!.campaignId),
          word("day", profile.day(-days)),
          figure("spend", async (truth) =>
            await truth.sum("cost", {
              preset: "sp_campaigns",
              start,
              end,
              where: ({ campaignId }) => idText(campaignId) === paused!.campaignId,
            }) / 7, { off: 0.02 }),
          changeHistoryRead,
          readReports(start, end),
        ],
        solution: async (tools) => {
          const market = profile.country;
          const { data: history } = await tools.call("get_change_history", {
            market,
            since: "-14",
            entity_types: ["CAMPAIGN"],
            changes: ["STATUS"],
          });
          const isOff = new Set<string>();
          for (const { entity_id: id, after } of history.rows.toReversed()) {
            if (after === "PAUSED") isOff.add(id);
            else isOff.delete(id);
          }
          const [id = ""] = isOff;
          const found = history.rows.find((row: Row) => row["entity_id"] === id);
          const day = dayIn(marketOf(market)!.timeZone, Date.parse(found.time));
          const { data } = await tools.call("run_report", {
            market,
            report: "sp_campaigns",
            start: addDays(day, -7),
            end: addDays(day, -1),
            time_unit: "SUMMARY",
          });
          const { cost } = data.rows.find((row: Row) => row["campaignId"] === id);
          return linesOf({ campaign_id: id, day, spend: (cost / 7).toFixed(2) });
        },
        wrong: {
          idle,
          "guesses the spend": claim({ campaign_id: paused!.campaignId, day: profile.day(-days), spend: 11 }),
          "takes the spend of the last week": async (tools) => {
            const market = profile.country;
            await tools.call("get_change_history", { market, since: "-14" });
            const { data } = await tools.call("run_report", {
              market,
              report: "sp_campaigns",
              time_unit: "SUMMARY",
            });
            const row = data.rows.find((one: Row) => one["campaignId"] === paused!.campaignId);
            return linesOf({
              campaign_id: paused!.campaignId,
              day: profile.day(-days),
              spend: (row?.cost ?? 0) / 7,
            });
          },
          "takes the campaign that is off for long": async (tools) => {
            const market = profile.country;
            const { data } = await tools.call("list_entities", {
              market,
              entity: "sp_campaigns",
              states: ["PAUSED"],
            });
            const other = data.rows.find((one: Row) => one["campaignId"] !== paused!.campaignId);
            await tools.call("get_change_history", { market, since: "-60" });
            return linesOf({ campaign_id: other.campaignId, day: profile.day(-40), spend: 5 });
          },
        },
      };
    },
  },
  {
    id: "explain/worst-term",
    group: "explain",
    title: "Find the search term that cost most without an order, over all campaigns",
    draw(draw) {
      const profile = drawnProfile(draw);
      const [line, other, third] = [draw.line(), draw.line(), draw.line()];
      const [shared = "", alone = "", sold = ""] = line.words;
      const groups = [line, other].map(({ name }, at) =>
        profile.adGroup(profile.campaign(`${name} ${["Exact", "Research"][at]}`))
      );
      const bid = draw.money(0.7, 0.9);
      // A term in two campaigns costs most in sum, though another one costs more in a single campaign.
      for (const group of groups) profile.keyword(group, shared, { bid, demand: { clicks: 5, orders: 0 } });
      profile.keyword(groups[0]!, alone, { bid, demand: { clicks: 6.5, orders: 0 } });
      profile.keyword(groups[1]!, sold, { bid: 1.3, demand: { clicks: 12, orders: 0.2 } });
      profile.ordinary(third);
      const [start, end] = [profile.day(-draw.integer(36, 42)), profile.day(-15)];
      const costs = async (truth: Truth): Promise<(readonly [string, number])[]> => {
        const terms = Map.groupBy(
          await truth.rows("sp_search_terms", start, end),
          ({ searchTerm }) => String(searchTerm),
        );
        return [...terms].filter(([, rows]) => rows.every(({ purchases14d }) => purchases14d === 0))
          .map(([term, rows]) =>
            [term, cents(rows.reduce((sum, { cost }) => sum + Number(cost), 0))] as const
          )
          .toSorted((a, b) => b[1] - a[1]);
      };
      return {
        profiles: [profile],
        instruction:
          `Which search term cost most from ${start} to ${end} without a single order (within 14 days), over all ` +
          "campaigns together?",
        answer: { search_term: "text", cost: "amount" },
        facts: [
          word("search_term", async (truth) => (await costs(truth))[0]![0]),
          figure("cost", async (truth) => (await costs(truth))[0]![1], { off: 0.02 }),
          readReports(start, end),
        ],
        solution: async (tools) => {
          const report = {
            market: profile.country,
            report: "sp_search_terms",
            start,
            end,
            time_unit: "SUMMARY",
            limit: 1,
          };
          const { data } = await tools.call("run_report", report);
          const { data: found } = await tools.call("query_result", {
            from: data.result_uri,
            columns: ["searchTerm", "sum(cost) AS cost", "sum(purchases14d) AS orders"],
            group_by: ["searchTerm"],
            sort_by: "cost DESC",
            limit: 10,
          });
          const top = found.rows.find(({ orders }: Row) => orders === 0);
          return linesOf({ search_term: top.searchTerm, cost: top.cost });
        },
        wrong: {
          idle,
          "does not add campaigns up": async (tools) => {
            const report = {
              market: profile.country,
              report: "sp_search_terms",
              start,
              end,
              time_unit: "SUMMARY",
            };
            const { data } = await tools.call("run_report", { ...report, sort_by: "cost" });
            const top = data.rows.find(({ purchases14d }: Row) => purchases14d === 0);
            return linesOf({ search_term: top.searchTerm, cost: top.cost });
          },
          "takes the most expensive term, sold or not": async (tools) => {
            const report = {
              market: profile.country,
              report: "sp_search_terms",
              start,
              end,
              time_unit: "SUMMARY",
            };
            const { data } = await tools.call("run_report", { ...report, sort_by: "cost" });
            return linesOf({ search_term: data.rows[0].searchTerm, cost: data.rows[0].cost });
          },
          "names it without a report": claim({ search_term: shared, cost: 60 }),
        },
      };
    },
  },
  {
    id: "explain/top-of-search",
    group: "explain",
    title: "Say how much of a campaign's spend went to the top of search, and its ACOS there",
    draw(draw) {
      const profile = drawnProfile(draw);
      const [line, other] = [draw.line(), draw.line()];
      const premium = draw.integer(3, 9) * 10;
      const placementBidding = [{ placement: "PLACEMENT_TOP", percentage: premium }];
      const place = profile.campaign(`${line.name} Core`, {
        fields: { dynamicBidding: { strategy: "LEGACY_FOR_SALES", placementBidding } },
      });
      const group = profile.adGroup(place);
      for (const text of line.words.slice(0, 3)) {
        profile.keyword(group, text, { bid: draw.money(0.7, 1.1), demand: { clicks: 7, orders: 0.15 } });
      }
      profile.ordinary(other, { clicks: 8 });
      const [start, end] = [profile.day(-draw.integer(36, 42)), profile.day(-15)];
      const sum = (truth: Truth, column: string, isTop: boolean): Promise<number> =>
        truth.sum(column, {
          preset: "sp_placement",
          start,
          end,
          where: ({ campaignId, placementClassification }) =>
            idText(campaignId) === place.campaignId &&
            (!isTop || /^top of search/i.test(String(placementClassification))),
        });
      const report = {
        market: profile.country,
        report: "sp_placement",
        start,
        end,
        time_unit: "SUMMARY",
        limit: 50,
      };
      const answerOf = (rows: readonly Row[]): string => {
        const cost = rows.reduce((sum, row) => sum + Number(row["cost"]), 0);
        const top = rows.filter((row) => /^top/i.test(String(row["placementClassification"])));
        const [topCost, topSales] = ["cost", "sales14d"].map((name) =>
          top.reduce((sum, row) => sum + Number(row[name]), 0)
        );
        return linesOf({
          top_share: (100 * topCost! / cost).toFixed(2),
          top_acos: (100 * topCost! / topSales!).toFixed(2),
        });
      };
      return {
        profiles: [profile],
        instruction:
          `How much of the spend of the campaign "${place.name}" went to the top of search from ${start} to ` +
          `${end}, and which ACOS (sales within 14 days) did it have there?`,
        answer: { top_share: "percent of the campaign's spend", top_acos: "percent" },
        facts: [
          figure(
            "top_share",
            async (truth) => 100 * await sum(truth, "cost", true) / await sum(truth, "cost", false),
            {
              off: 0.1,
            },
          ),
          figure(
            "top_acos",
            async (truth) => 100 * await sum(truth, "cost", true) / await sum(truth, "sales14d", true),
            {
              off: 0.1,
            },
          ),
          readReports(start, end),
        ],
        solution: async (tools) => {
          const { data } = await tools.call("run_report", report);
          return answerOf(data.rows.filter(({ campaignName }: Row) => campaignName === place.name));
        },
        wrong: {
          idle,
          "takes all campaigns": async (tools) =>
            answerOf((await tools.call("run_report", report)).data.rows),
          "takes the bid adjustment for the share": async (tools) => {
            await tools.call("run_report", report);
            return linesOf({ top_share: premium, top_acos: 30 });
          },
        },
      };
    },
  },
];
