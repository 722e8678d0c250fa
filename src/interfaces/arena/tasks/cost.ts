import { idText, requiredId } from "../../../base/json/id_of.ts";
import { became, figure, listed, readReports, word } from "../judge/facts.ts";
import type { Task, Tools, Truth } from "../judge/task.ts";
import type { AdGroupPlace, ProfileDraft } from "../account/account_draft.ts";
import type { Draw } from "../account/draw.ts";
import { cents, claim, drawnProfile, idle, linesOf, type Row } from "./drawn_profile.ts";
import { list, update } from "./script_steps.ts";

/** Maximum tokens of an answer, whatever the size of the account. */
const TOKENS = 8_000;

function manyKeywords(
  { profile, draw }: { profile: ProfileDraft; draw: Draw },
  group: AdGroupPlace,
  { count, words }: { count: number; words: readonly string[] },
): Map<string, number> {
  return new Map(Array.from({ length: count }, (_, at) => {
    const bid = draw.money(0.3, 2.4);
    const state = draw.integer(1, 10) === 1 ? "PAUSED" : "ENABLED";
    return [profile.keyword(group, `${words[at % words.length]} ${at}`, { bid, state }), bid] as const;
  }));
}

export const COST: readonly Task[] = [
  {
    id: "cost/count-large",
    group: "cost",
    title: "Count and sum the bids of a thousand keywords",
    draw(draw) {
      const profile = drawnProfile(draw);
      const market = profile.country;
      const lines = [1, 2, 3].map(() => draw.line());
      const bids = new Map(lines.flatMap((line) => {
        const group = profile.adGroup(profile.campaign(`${line.name} Exact`));
        return [...manyKeywords({ profile, draw }, group, { count: 340, words: line.words })];
      }));
      const above = draw.money(1.2, 1.8);
      const isOn = (id: string): boolean => profile.entity("sp.keywords", id)["state"] === "ENABLED";
      const enabled = new Map([...bids.keys()].map((id) => [id, isOn(id)]));
      const found = [...bids].filter(([id, bid]) => enabled.get(id) && bid > above);
      const sum = cents(found.reduce((total, [, bid]) => total + bid, 0));
      const query = async (tools: Tools, where: string): Promise<Row> => {
        const { data } = await tools.call("list_entities", { market, entity: "sp_keywords", limit: 1 });
        const columns = ["count(*) AS n", "sum(bid) AS total"];
        const { data: answer } = await tools.call("query_result", { from: data.result_uri, columns, where });
        return answer.rows[0];
      };
      return {
        profiles: [profile],
        limits: { tokens: TOKENS, calls: 15 },
        instruction:
          `How many enabled keywords of the whole account have a bid above ${above}, and what is the sum of those bids?`,
        answer: { keywords: "number", sum: "amount" },
        facts: [
          figure("keywords", found.length, { off: 0 }),
          figure("sum", sum, { off: 0.02 }),
          listed("keywords"),
        ],
        solution: async (tools) => {
          const { n, total } = await query(tools, `bid > ${above} AND state = 'ENABLED'`);
          return linesOf({ keywords: n, sum: cents(total) });
        },
        wrong: {
          idle,
          "counts paused ones as well": async (tools) => {
            const { n, total } = await query(tools, `bid > ${above}`);
            return linesOf({ keywords: n, sum: cents(total) });
          },
          "counts the first page": async (tools) => {
            const rows = await list(tools, {
              market,
              entity: "sp_keywords",
              states: ["ENABLED"],
              limit: 100,
            });
            const own = rows.filter(({ bid }) => bid > above);
            return linesOf({
              keywords: own.length,
              sum: cents(own.reduce((total, { bid }) => total + bid, 0)),
            });
          },
          "reads every page": async (tools) => {
            for (let offset = 0; offset < 1020; offset += 100) {
              await tools.call("list_entities", { market, entity: "sp_keywords", limit: 100, offset });
            }
            return linesOf({ keywords: found.length, sum });
          },
        },
      };
    },
  },
  {
    id: "cost/find-one",
    group: "cost",
    title: "Find one keyword among many lookalikes, and change its bid",
    draw(draw) {
      const profile = drawnProfile(draw);
      const market = profile.country;
      const line = draw.line();
      const groups = ["Exact", "Phrase", "Broad"].map((kind) =>
        profile.adGroup(profile.campaign(`${line.name} ${kind}`))
      );
      const all = groups.map((
        group,
      ) => [...manyKeywords({ profile, draw }, group, { count: 220, words: line.words })]);
      const at = draw.integer(20, 200);
      const [id, old] = all[1]![at]!;
      const text = String(profile.entity("sp.keywords", id)["keywordText"]);
      const bid = cents(old + draw.money(0.1, 0.3));
      const set = (keywordId: string) => update(market, "sp_keywords", [{ keywordId, bid }]);
      const answer = { keyword_id: id, old_bid: old };
      return {
        profiles: [profile],
        limits: { tokens: TOKENS, calls: 15 },
        instruction:
          `Set the bid of the keyword "${text}" of the campaign "${
            groups[1]!.name
          }" to ${bid}. The same text is in other ` +
          "campaigns too; leave those as they are.",
        answer: { keyword_id: "id", old_bid: "amount it had" },
        mayTouch: [{ kind: "sp.keywords", ids: [id], fields: ["bid"] }],
        facts: [
          became(profile, ["sp.keywords", id, "bid"], bid),
          word("keyword_id", id),
          figure("old_bid", old),
        ],
        solution: async (tools) => {
          const args = { market, entity: "sp_keywords", campaign_name: groups[1]!.name, limit: 1 };
          const { data } = await tools.call("list_entities", args);
          const { data: found } = await tools.call("query_result", {
            from: data.result_uri,
            where: `keywordText = '${text}'`,
            limit: 5,
          });
          const [row] = found.rows;
          await set(row.keywordId)(tools);
          return linesOf({ keyword_id: row.keywordId, old_bid: row.bid });
        },
        wrong: {
          idle,
          "takes the first of that text": async (tools) => {
            await set(all[0]![at]![0])(tools);
            return linesOf(answer);
          },
          "changes all of that text": async (tools) => {
            const items = all.map((own) => ({ keywordId: own[at]![0], bid }));
            await update(market, "sp_keywords", items)(tools);
            return linesOf(answer);
          },
          "says that it is done": claim(answer),
        },
      };
    },
  },
  {
    id: "cost/raise-large",
    group: "cost",
    title: "Raise the bids of two hundred keywords of one campaign",
    draw(draw) {
      const profile = drawnProfile(draw);
      const market = profile.country;
      const [line, other] = [draw.line(), draw.line()];
      const group = profile.adGroup(profile.campaign(`${line.name} Exact`));
      const bids = manyKeywords({ profile, draw }, group, { count: 200, words: line.words });
      const others = manyKeywords(
        { profile, draw },
        profile.adGroup(profile.campaign(`${other.name} Exact`)),
        {
          count: 120,
          words: other.words,
        },
      );
      const percent = draw.pick([5, 8]);
      const top = draw.money(2.2, 2.3);
      const isOn = (id: string): boolean => profile.entity("sp.keywords", id)["state"] === "ENABLED";
      const low = [...bids].filter(([id, bid]) => isOn(id) && bid < 1.2);
      const raised = (bid: number, by = 1 + percent / 100): number => cents(bid * by);
      const send = (pairs: readonly (readonly [string, number])[], by?: number) =>
        update(market, "sp_keywords", pairs.map(([keywordId, bid]) => ({ keywordId, bid: raised(bid, by) })));
      return {
        profiles: [profile],
        limits: { tokens: TOKENS, calls: 15 },
        instruction:
          `Raise the bid of every enabled keyword of "${line.name} Exact" whose bid is below 1.20 by ${percent} %, ` +
          "rounded to cents. Leave all others.",
        answer: { raised: "number of keywords" },
        mayTouch: [{ kind: "sp.keywords", ids: low.map(([id]) => id), fields: ["bid"], max: top }],
        facts: [
          {
            says: "every keyword of the task has the higher bid",
            holds: async (seen) => {
              for (const [id, bid] of low) {
                const fact = became(profile, ["sp.keywords", id, "bid"], bid * (1 + percent / 100), {
                  off: 0.0101,
                });
                if (!await fact.holds(seen)) return false;
              }
              return true;
            },
          },
          figure("raised", low.length, { off: 0 }),
        ],
        solution: async (tools) => {
          const args = {
            market,
            entity: "sp_keywords",
            campaign_name: `${line.name} Exact`,
            states: ["ENABLED"],
            limit: 1,
          };
          const { data } = await tools.call("list_entities", args);
          const pairs: (readonly [string, number])[] = [];
          const { data: found } = await tools.call("query_result", {
            from: data.result_uri,
            columns: ["keywordId", "bid"],
            where: "bid < 1.2",
            limit: 100,
          });
          pairs.push(...found.rows.map(({ keywordId, bid }: Row) => [keywordId, bid] as const));
          await send(pairs)(tools);
          return linesOf({ raised: pairs.length });
        },
        wrong: {
          idle,
          "says that it is done": claim({ raised: low.length }),
          "raises the first twenty": async (tools) => {
            await send(low.slice(0, 20))(tools);
            return linesOf({ raised: low.length });
          },
          "raises the other campaign too": async (tools) => {
            const more = [...others].filter(([id, bid]) => isOn(id) && bid < 1.2);
            await send([...low, ...more])(tools);
            return linesOf({ raised: low.length });
          },
        },
      };
    },
  },
  {
    id: "cost/long-report",
    group: "cost",
    title: "Find the most expensive day of two months",
    draw(draw) {
      const profile = drawnProfile(draw);
      const market = profile.country;
      for (let at = 0; at < 4; at++) profile.ordinary(draw.line(), { clicks: draw.integer(3, 5) });
      const [start, end] = [profile.day(-draw.integer(70, 80)), profile.day(-10)];
      const days = async (truth: Truth): Promise<(readonly [string, number])[]> => {
        const rows = Map.groupBy(await truth.rows("sp_campaigns", start, end), ({ date }) => String(date));
        return [...rows].map(([day, own]) =>
          [day, cents(own.reduce((sum, { cost }) => sum + Number(cost), 0))] as const
        )
          .toSorted((a, b) => b[1] - a[1]);
      };
      const report = { market, report: "sp_campaigns", start, end, time_unit: "DAILY" };
      return {
        profiles: [profile],
        limits: { tokens: TOKENS, calls: 15 },
        instruction: `On which day from ${start} to ${end} did the whole account spend most, and how much?`,
        answer: { day: "YYYY-MM-DD", cost: "amount" },
        facts: [
          word("day", async (truth) => (await days(truth))[0]![0]),
          figure("cost", async (truth) => (await days(truth))[0]![1], { off: 0.02 }),
          readReports(start, end),
        ],
        solution: async (tools) => {
          const { data } = await tools.call("run_report", { ...report, limit: 1 });
          const { data: found } = await tools.call("query_result", {
            from: data.result_uri,
            columns: ["date", "sum(cost) AS cost"],
            group_by: ["date"],
            sort_by: "cost DESC",
            limit: 1,
          });
          return linesOf({ day: found.rows[0].date, cost: cents(found.rows[0].cost) });
        },
        wrong: {
          idle,
          "takes the largest row": async (tools) => {
            const { data } = await tools.call("run_report", { ...report, sort_by: "cost", limit: 1 });
            return linesOf({ day: data.rows[0].date, cost: data.rows[0].cost });
          },
          "reads all rows": async (tools) => {
            for (let offset = 0; offset < 280; offset += 60) {
              await tools.call("run_report", { ...report, limit: 60, offset });
            }
            const { data } = await tools.call("run_report", { ...report, sort_by: "cost", limit: 1 });
            return linesOf({ day: data.rows[0].date, cost: data.rows[0].cost });
          },
          "names a day": claim({ day: end, cost: 60 }),
        },
      };
    },
  },
  {
    id: "cost/pause-sum",
    group: "cost",
    title: "Pause the keywords of a large ad group that cost most without orders",
    draw(draw) {
      const profile = drawnProfile(draw);
      const market = profile.country;
      const line = draw.line();
      const group = profile.adGroup(profile.campaign(`${line.name} Exact`));
      manyKeywords({ profile, draw }, group, { count: 300, words: line.words });
      const costs = [3, 2.4, 1.9];
      const wasters = costs.map((clicks, at) =>
        profile.keyword(group, `${line.words[0]} waste ${at}`, {
          bid: 1,
          demand: { clicks: 2 * clicks, orders: 0 },
        })
      );
      const sellers = [4, 5].map((clicks, at) =>
        profile.keyword(group, `${line.words[1]} best ${at}`, {
          bid: 1,
          demand: { clicks: 2 * clicks, orders: 0.3 },
        })
      );
      const small = profile.keyword(group, `${line.words[2]} small`, {
        bid: 0.5,
        demand: { clicks: 0.3, orders: 0 },
      });
      const [start, end] = [profile.day(-44), profile.day(-15)];
      const limit = 40;
      const pause = (ids: readonly string[]) =>
        update(market, "sp_keywords", ids.map((keywordId) => ({ keywordId, state: "PAUSED" })));
      const spend = (truth: Truth): Promise<number> =>
        truth.sum("cost", {
          preset: "sp_targeting",
          start,
          end,
          where: ({ keywordId }) => wasters.includes(idText(keywordId) ?? ""),
        });
      const found = async (tools: Tools): Promise<readonly Row[]> => {
        const report = { market, report: "sp_targeting", start, end, time_unit: "SUMMARY", limit: 1 };
        const { data } = await tools.call("run_report", report);
        const { data: rows } = await tools.call("query_result", {
          from: data.result_uri,
          columns: ["keywordId", "cost"],
          where: `cost > ${limit} AND purchases14d = 0`,
        });
        return rows.rows;
      };
      return {
        profiles: [profile],
        limits: { tokens: TOKENS, calls: 15 },
        instruction:
          `Pause every keyword that cost more than ${limit} from ${start} to ${end} and had no order (within 14 days), ` +
          "and say what these keywords cost together in those days.",
        answer: { paused: "number of keywords", cost: "amount" },
        mayTouch: [{ kind: "sp.keywords", ids: wasters, fields: ["state"] }],
        facts: [
          ...wasters.map((id) => became(profile, ["sp.keywords", id, "state"], "PAUSED")),
          figure("paused", wasters.length, { off: 0 }),
          figure("cost", spend, { off: 0.02 }),
        ],
        solution: async (tools) => {
          const rows = await found(tools);
          await pause(rows.map((row) => requiredId(row, "keywordId")))(tools);
          return linesOf({ paused: rows.length, cost: cents(rows.reduce((sum, { cost }) => sum + cost, 0)) });
        },
        wrong: {
          idle,
          "says that it is done": claim({ paused: 3, cost: 200 }),
          "pauses whatever cost much": async (tools) => {
            await found(tools);
            await pause([...wasters, ...sellers])(tools);
            return linesOf({ paused: 3, cost: 200 });
          },
          "pauses whatever sold nothing": async (tools) => {
            const rows = await found(tools);
            await pause([...wasters, small])(tools);
            return linesOf({ paused: 3, cost: cents(rows.reduce((sum, { cost }) => sum + cost, 0)) });
          },
        },
      };
    },
  },
];
