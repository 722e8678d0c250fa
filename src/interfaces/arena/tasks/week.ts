import { became, figure, readReports, word } from "../judge/facts.ts";
import type { Fact, Seen, Task, Tools } from "../judge/task.ts";
import type { ProfileDraft } from "../account/account_draft.ts";
import { cents, claim, drawnProfile, idle, linesOf, type Row } from "./drawn_profile.ts";
import { list, update } from "./script_steps.ts";

const DAY = 86_400_000;
const LIMITS = { days: 7, calls: 40 };

function changedBetween(
  profile: ProfileDraft,
  { id, type, to }: { readonly id: string; readonly type: string; readonly to?: string },
  [first, last]: readonly [first: number, last: number],
): (seen: Seen) => boolean {
  return ({ changes }) =>
    changes.some(({ entityId, changeType, newValue, timestamp }) => {
      const day = (timestamp - profile.now) / DAY;
      return entityId === id && changeType === type && day >= first && day < last + 1 &&
        (to === undefined || newValue === to || Number(newValue) === Number(to));
    });
}

function when(says: string, holds: (seen: Seen) => boolean): Fact {
  return { says, holds };
}

const wholeWeek = when("the week was played to its end", ({ days }) => days === LIMITS.days);

async function wait(tools: Tools, days = 1): Promise<string> {
  return (await tools.call("wait_days", { days })).text;
}

export const WEEK: readonly Task[] = [
  {
    id: "week/stock-out",
    group: "week",
    title: "Follow the person's messages about a product that runs out and comes back",
    draw(draw) {
      const profile = drawnProfile(draw);
      const market = profile.country;
      const sku = `SK-${draw.integer(1000, 9999)}`;
      const asin = draw.asin();
      const groups = [1, 2, 3].map(() => profile.ordinary(draw.line()).group);
      const ads = groups.slice(0, 2).map((group) => profile.ad(group, { asin, sku }));
      const others = groups.map((group) => profile.ad(group));
      const [out, back] = [draw.integer(1, 2), draw.integer(4, 5)];
      const set = (tools: Tools, ids: readonly string[], state: string) =>
        update(market, "sp_product_ads", ids.map((adId) => ({ adId, state })))(tools);
      const daily = async (tools: Tools, act: (text: string) => Promise<void>): Promise<void> => {
        for (let day = 1; day <= LIMITS.days; day++) await act(await wait(tools));
      };
      return {
        profiles: [profile],
        limits: LIMITS,
        onDay: (day) =>
          day === out
            ? `SKU ${sku} is out of stock: please pause its ads today.`
            : day === back
            ? `SKU ${sku} is back in stock: please switch its ads on again.`
            : undefined,
        instruction:
          "Look after the account for seven days, a day at a time. The person may write to you; do what they ask on the " +
          "day they ask for it, and nothing else.",
        answer: { sku: "the product it was about", ads: "number of its ads" },
        mayTouch: [{ kind: "sp.product_ads", ids: ads, fields: ["state"] }],
        facts: [
          wholeWeek,
          ...ads.flatMap((id) => [
            when(
              `ad ${id} was paused on the day`,
              changedBetween(profile, { id, type: "STATUS", to: "PAUSED" }, [out, out]),
            ),
            when(
              `ad ${id} was switched on on the day`,
              changedBetween(profile, { id, type: "STATUS", to: "ENABLED" }, [back, back]),
            ),
            became(profile, ["sp.product_ads", id, "state"], "ENABLED"),
          ]),
          word("sku", sku),
          figure("ads", ads.length, { off: 0 }),
        ],
        solution: async (tools) => {
          let found: string[] = [];
          let seen = "";
          await daily(tools, async (text) => {
            const [, name, what] = /SKU (\S+) is (out of|back in) stock/.exec(text) ?? [];
            if (name === undefined) return;
            seen = name;
            const rows = await list(tools, { market, entity: "sp_product_ads" });
            found = rows.filter((row) => row["sku"] === name).map((row) => row["adId"]);
            await set(tools, found, what === "out of" ? "PAUSED" : "ENABLED");
          });
          return linesOf({ sku: seen, ads: found.length });
        },
        wrong: {
          idle,
          "sleeps through the week": async (tools) => {
            await wait(tools, 7);
            await set(tools, ads, "PAUSED");
            await set(tools, ads, "ENABLED");
            return linesOf({ sku, ads: 2 });
          },
          "forgets to switch on": async (tools) => {
            await daily(tools, async (text) => {
              if (/out of stock/.test(text)) await set(tools, ads, "PAUSED");
            });
            return linesOf({ sku, ads: 2 });
          },
          "pauses other products as well": async (tools) => {
            await daily(tools, async (text) => {
              if (/out of stock/.test(text)) await set(tools, [...ads, others[0]!], "PAUSED");
              if (/back in stock/.test(text)) await set(tools, [...ads, others[0]!], "ENABLED");
            });
            return linesOf({ sku, ads: 2 });
          },
        },
      };
    },
  },
  {
    id: "week/promotion",
    group: "week",
    title: "Double a budget for the days of a promotion, and put it back",
    draw(draw) {
      const profile = drawnProfile(draw);
      const market = profile.country;
      const budget = draw.integer(20, 50);
      const { group } = profile.ordinary(draw.line(), { budget });
      const other = profile.ordinary(draw.line(), { budget: 30 }).group;
      const first = draw.integer(2, 3);
      const last = first + draw.integer(2, 3);
      const id = group.campaignId;
      const set = (tools: Tools, amount: number, campaignId = id) =>
        update(market, "sp_campaigns", [{ campaignId, budget: { budget: amount, budgetType: "DAILY" } }])(
          tools,
        );
      const play = async (
        tools: Tools,
        budgets: Readonly<Record<number, number>>,
        places = [id],
      ): Promise<string> => {
        for (let day = 1; day <= LIMITS.days; day++) {
          await wait(tools);
          const amount = budgets[day];
          if (amount === undefined) continue;
          for (const place of places) await set(tools, amount, place);
        }
        return linesOf({ budget });
      };
      return {
        profiles: [profile],
        limits: LIMITS,
        instruction:
          `The campaign "${group.name}" has a promotion. Double its daily budget on ${
            profile.day(first)
          } and put it back ` +
          `to ${budget} on ${profile.day(last)}. Today is ${profile.day(0)}; see the week to its end.`,
        answer: { budget: "budget at the end" },
        mayTouch: [{ kind: "sp.campaigns", ids: [id], fields: ["budget"], max: budget * 2 }],
        facts: [
          wholeWeek,
          when(
            "the budget was doubled on the first day",
            changedBetween(profile, { id, type: "BUDGET_AMOUNT", to: String(budget * 2) }, [first, first]),
          ),
          when(
            "the budget was put back on the last day",
            changedBetween(profile, { id, type: "BUDGET_AMOUNT", to: String(budget) }, [last, last]),
          ),
          became(profile, ["sp.campaigns", id, "budget.budget"], budget),
          figure("budget", budget),
        ],
        solution: async (tools) => {
          const [row] = await list(tools, { market, entity: "sp_campaigns", name: group.name });
          for (let day = 1; day <= LIMITS.days; day++) {
            const [, today] = /It is (\S{10})/.exec(await wait(tools)) ?? [];
            if (today === profile.day(first)) {
              await set(tools, row?.["budget"].budget * 2, row?.["campaignId"]);
            }
            if (today === profile.day(last)) await set(tools, row?.["budget"].budget, row?.["campaignId"]);
          }
          return linesOf({ budget: row?.["budget"].budget });
        },
        wrong: {
          idle,
          "forgets to put it back": (tools) => play(tools, { [first]: budget * 2 }),
          "does it a day early": (tools) => play(tools, { [first - 1]: budget * 2, [last]: budget }),
          "doubles every budget": (tools) =>
            play(tools, { [first]: budget * 2, [last]: budget }, [id, other.campaignId]),
          "doubles it twice": (tools) =>
            play(tools, { [first]: budget * 2, [first + 1]: budget * 4, [last]: budget }),
        },
      };
    },
  },
  {
    id: "week/colleagues-slip",
    group: "week",
    title: "Put a colleague's slip back on the same day, and leave their other changes",
    draw(draw) {
      const profile = drawnProfile(draw);
      const market = profile.country;
      const keywords = [1, 2].flatMap(() => profile.ordinary(draw.line()).keywords);
      const [slip = "", small = ""] = draw.shuffled(keywords);
      const bidOf = (id: string): number => Number(profile.entity("sp.keywords", id)["bid"]);
      const [was, other] = [bidOf(slip), bidOf(small)];
      const bad = cents(was * draw.integer(8, 12));
      const good = cents(other * 1.1);
      const [day, later] = [draw.integer(2, 3), draw.integer(4, 6)];
      const put = (tools: Tools, id: string, bid: number) =>
        update(market, "sp_keywords", [{ keywordId: id, bid }])(tools);
      const daily = async (tools: Tools, act: (rows: readonly Row[]) => Promise<void>): Promise<string> => {
        for (let count = 1; count <= LIMITS.days; count++) {
          await wait(tools);
          const { data } = await tools.call("get_change_history", {
            market,
            since: "-1",
            changes: ["BID_AMOUNT"],
            limit: 20,
          });
          await act(data.rows);
        }
        return linesOf({ keyword_id: slip, bid: was });
      };
      return {
        profiles: [profile],
        limits: LIMITS,
        onDay: (today, stage) => {
          if (today === day) stage.edit("sp.keywords", slip, "bid", bad);
          if (today === later) stage.edit("sp.keywords", small, "bid", good);
          return undefined;
        },
        instruction:
          "Watch the account for seven days, a day at a time. If somebody raises a bid to more than three times what it was, " +
          "that is a slip: put it back on the same day. All other changes of colleagues are wanted.",
        answer: { keyword_id: "keyword of the slip", bid: "bid that you put it back to" },
        mayTouch: [{ kind: "sp.keywords", ids: [slip], fields: ["bid"], max: was }],
        facts: [
          wholeWeek,
          when(
            "the slip was put back on its day",
            changedBetween(profile, { id: slip, type: "BID_AMOUNT", to: String(was) }, [day, day]),
          ),
          became(profile, ["sp.keywords", slip, "bid"], was),
          became(profile, ["sp.keywords", small, "bid"], good),
          word("keyword_id", slip),
          figure("bid", was),
        ],
        solution: (tools) =>
          daily(tools, async (rows) => {
            const found = rows.find(({ before, after }) => Number(after) > 3 * Number(before));
            if (found !== undefined) await put(tools, found["entity_id"], Number(found["before"]));
          }),
        wrong: {
          idle,
          "looks once at the end": async (tools) => {
            await wait(tools, 7);
            await put(tools, slip, was);
            return linesOf({ keyword_id: slip, bid: was });
          },
          "puts every change back": (tools) =>
            daily(tools, async (rows) => {
              for (const { entity_id: id, before, after } of rows) {
                if ([bad, good].includes(Number(after))) await put(tools, id, Number(before));
              }
            }),
          "only watches": (tools) => daily(tools, () => Promise.resolve()),
        },
      };
    },
  },
  {
    id: "week/changed-mind",
    group: "week",
    title: "Follow orders that the person takes back later",
    draw(draw) {
      const profile = drawnProfile(draw);
      const market = profile.country;
      const budget = draw.integer(40, 70);
      const lower = draw.integer(15, 25);
      const first = profile.ordinary(draw.line(), { budget }).group;
      const second = profile.ordinary(draw.line()).group;
      profile.ordinary(draw.line());
      const [order, back] = [1, draw.integer(3, 5)];
      const set = (tools: Tools, amount: number) =>
        update(market, "sp_campaigns", [{
          campaignId: first.campaignId,
          budget: { budget: amount, budgetType: "DAILY" },
        }])(tools);
      const pause = (tools: Tools) =>
        update(market, "sp_campaigns", [{ campaignId: second.campaignId, state: "PAUSED" }])(tools);
      const daily = async (tools: Tools, act: (day: number) => Promise<void>): Promise<string> => {
        for (let day = 1; day <= LIMITS.days; day++) {
          await wait(tools);
          await act(day);
        }
        return linesOf({ budget, paused: second.name });
      };
      const id = first.campaignId;
      return {
        profiles: [profile],
        limits: LIMITS,
        onDay: (day) =>
          day === order
            ? `Please lower the daily budget of "${first.name}" to ${lower}.`
            : day === back
            ? `Forget what I wrote about "${first.name}": give it the budget it had, and pause "${second.name}" in its place.`
            : undefined,
        instruction:
          "Look after the account for seven days, a day at a time. The person may write to you; do what they ask on the " +
          "day they ask for it, and nothing else.",
        answer: {
          budget: `budget of the first campaign at the end`,
          paused: "name of the campaign that is paused at the end",
        },
        mayTouch: [
          { kind: "sp.campaigns", ids: [id], fields: ["budget"], max: budget },
          { kind: "sp.campaigns", ids: [second.campaignId], fields: ["state"] },
        ],
        facts: [
          wholeWeek,
          when(
            "the budget was lowered on the day",
            changedBetween(profile, { id, type: "BUDGET_AMOUNT", to: String(lower) }, [order, order]),
          ),
          when(
            "the budget was put back on the day",
            changedBetween(profile, { id, type: "BUDGET_AMOUNT", to: String(budget) }, [back, back]),
          ),
          when(
            "the other campaign was paused on the day",
            changedBetween(profile, { id: second.campaignId, type: "STATUS", to: "PAUSED" }, [back, back]),
          ),
          became(profile, ["sp.campaigns", id, "budget.budget"], budget),
          figure("budget", budget),
          word("paused", second.name),
        ],
        solution: async (tools) => {
          let had = 0;
          let paused = "";
          const named = async (name: string): Promise<Row | undefined> =>
            (await list(tools, { market, entity: "sp_campaigns", name }))[0];
          const give = (row: Row | undefined, amount: number) =>
            update(market, "sp_campaigns", [{
              campaignId: row?.["campaignId"],
              budget: { budget: amount, budgetType: "DAILY" },
            }])(tools);
          for (let day = 1; day <= LIMITS.days; day++) {
            const text = await wait(tools);
            const [, name, amount] = /lower the daily budget of "(.+?)" to (\d+)/.exec(text) ?? [];
            if (name !== undefined) {
              const row = await named(name);
              had = row?.["budget"].budget;
              await give(row, Number(amount));
            }
            const [, again, off] = /Forget what I wrote about "(.+?)".*pause "(.+?)"/.exec(text) ?? [];
            if (again === undefined || off === undefined) continue;
            await give(await named(again), had);
            await update(market, "sp_campaigns", [{
              campaignId: (await named(off))?.["campaignId"],
              state: "PAUSED",
            }])(tools);
            paused = off;
          }
          return linesOf({ budget: had, paused });
        },
        wrong: {
          idle,
          "reads only the first message": (tools) =>
            daily(tools, async (day) => {
              if (day === order) await set(tools, lower);
            }),
          "does everything at the end": async (tools) => {
            await wait(tools, 7);
            await set(tools, lower);
            await set(tools, budget);
            await pause(tools);
            return linesOf({ budget, paused: second.name });
          },
          "pauses and forgets the budget": (tools) =>
            daily(tools, async (day) => {
              if (day === order) await set(tools, lower);
              if (day === back) await pause(tools);
            }),
        },
      };
    },
  },
  {
    id: "week/quiet",
    group: "week",
    title: "See a quiet week through, change nothing, and report it",
    draw(draw) {
      const profile = drawnProfile(draw);
      const market = profile.country;
      const groups = [1, 2, 3].map(() => profile.ordinary(draw.line()));
      const [start, end] = [profile.day(0), profile.day(6)];
      const report = async (tools: Tools, days: { start: string; end: string }): Promise<readonly Row[]> => {
        const args = { market, report: "sp_campaigns", time_unit: "SUMMARY", ...days };
        return (await tools.call("run_report", args)).data.rows ?? [];
      };
      const total = (rows: readonly Row[], column: string): number =>
        cents(rows.reduce((sum, row) => sum + Number(row[column]), 0));
      return {
        profiles: [profile],
        limits: LIMITS,
        instruction:
          `Let seven days pass. Then report what the account spent from ${start} to ${end}, and with how many clicks. Only ` +
          "if a campaign has no clicks at all in these days, pause it; otherwise change nothing.",
        answer: { spend: "amount", clicks: "number", paused: "number of campaigns that you paused" },
        facts: [
          wholeWeek,
          figure("spend", (truth) => truth.sum("cost", { preset: "sp_campaigns", start, end }), {
            off: 0.02,
          }),
          figure("clicks", (truth) => truth.sum("clicks", { preset: "sp_campaigns", start, end }), {
            off: 0,
          }),
          figure("paused", 0, { off: 0 }),
          readReports(start, end),
        ],
        solution: async (tools) => {
          await wait(tools, 7);
          const rows = await report(tools, { start, end });
          return linesOf({ spend: total(rows, "cost"), clicks: total(rows, "clicks"), paused: 0 });
        },
        wrong: {
          idle,
          "reports the week before": async (tools) => {
            await wait(tools, 7);
            const rows = await report(tools, { start: profile.day(-7), end: profile.day(-1) });
            return linesOf({ spend: total(rows, "cost"), clicks: total(rows, "clicks"), paused: 0 });
          },
          "does not wait": async (tools) => {
            const rows = await report(tools, { start: profile.day(-7), end: profile.day(-1) });
            return linesOf({ spend: total(rows, "cost"), clicks: total(rows, "clicks"), paused: 0 });
          },
          "cannot sit still": async (tools) => {
            await wait(tools, 7);
            const rows = await report(tools, { start, end });
            await update(market, "sp_keywords", [{ keywordId: groups[0]!.keywords[0], bid: 0.5 }])(tools);
            return linesOf({ spend: total(rows, "cost"), clicks: total(rows, "clicks"), paused: 0 });
          },
          "makes the report up": claim({ spend: 200, clicks: 300, paused: 0 }),
        },
      };
    },
  },
];
