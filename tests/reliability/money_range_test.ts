import { ok } from "node:assert/strict";
import { PlatformAds, type ProfileClient } from "../../mod.ts";
import type { Campaign, Keyword } from "../../src/client/entities/sp.ts";
import { Emulator } from "../../src/emulator/mod.ts";
import { addDays } from "../../src/base/time/calendar.ts";
import type { EntityFigures } from "../../src/plans/review/estimate_money.ts";
import type { FiguresSource } from "../../src/plans/review/figures_source.ts";
import { SeededRandom } from "../support/seeded_random.ts";
import { amount, SEED } from "./support/size.ts";
import { longFile } from "../support/long.ts";

longFile();

const TODAY = "2026-09-30";
const DAYS = 7;

/** Cost by entity over days, from the platform's own report. */
async function costs(
  us: ProfileClient,
  { start, end, report }: { start: string; end: string; report: "sp_campaigns" | "sp_targeting" },
): Promise<Map<string, number>> {
  const sums = new Map<string, number>();
  for (const { cost, campaignId, keywordId } of await us.reports.run(report, start, end)) {
    const id = String(report === "sp_campaigns" ? campaignId : keywordId);
    sums.set(id, (sums.get(id) ?? 0) + Number(cost ?? 0));
  }
  return sums;
}

interface Account {
  readonly us: ProfileClient;
  readonly campaigns: readonly Campaign[];
  readonly keywords: readonly Keyword[];
}

/** A plan of a random sort over random entities. */
async function randomPlan({ us, campaigns, keywords }: Account, random: SeededRandom) {
  const some = <Item>(
    items: readonly Item[],
    most: number,
  ): Item[] => [...new Set(Array.from({ length: random.integer(1, most) }, () => random.pick(items)))];
  const factor = (): number => [0.5, 0.7, 0.8, 0.9, 1.1, 1.2, 1.3, 1.5, 2][random.integer(0, 8)] ?? 1;
  const cents = (value: number): number => Math.max(0.02, Math.round(value * 100) / 100);
  const draft = us.plan();
  const sort = random.pick(["bids", "bids", "budgets", "pauses", "mixed"]);
  if (sort === "bids" || sort === "mixed") {
    for (const { keywordId, bid } of some(keywords, 25)) {
      draft.update("sp.keywords", { keywordId, bid: cents((bid ?? 0.5) * factor()) });
    }
  }
  if (sort === "budgets" || sort === "mixed") {
    for (const { campaignId, budget } of some(campaigns, 4)) {
      draft.update("sp.campaigns", {
        campaignId,
        budget: { budget: Math.max(1, cents(budget.budget * factor())), budgetType: "DAILY" },
      });
    }
  }
  if (sort === "pauses") {
    for (const { campaignId } of some(campaigns, 3)) {
      draft.update("sp.campaigns", { campaignId, state: "PAUSED" });
    }
  }
  return { sort, plan: await draft.build() };
}

Deno.test("the change in spend of the week after a random plan lies in the estimated range at least 80 % of the time", async () => {
  const tries = amount(12, 200);
  const random = new SeededRandom(SEED);
  const stored = new Map<string, EntityFigures>();
  const figures: FiguresSource = ({ entities }) =>
    Promise.resolve(new Map(entities.map(({ id }) => [id, stored.get(id) ?? { cost30d: 0, clicks30d: 0 }])));
  const emulator = await Emulator.start({
    clock: { now: `${TODAY}T19:00:00Z`, frozen: true },
    quirks: { reportSeconds: 0 },
  });
  try {
    const { credentials, platform } = emulator;
    const now = (): number => emulator.clock.now();
    const us = await new PlatformAds(credentials, { platform, figures, now }).profile("US");
    const month = { start: addDays(TODAY, -30), end: addDays(TODAY, -1) };
    for (const report of ["sp_campaigns", "sp_targeting"] as const) {
      for (const [id, cost30d] of await costs(us, { ...month, report })) stored.set(id, { cost30d });
    }
    const account: Account = {
      us,
      campaigns: await us.sp.campaigns.list({ states: ["ENABLED"] }),
      keywords: (await us.sp.keywords.list({ states: ["ENABLED"] })).filter(({ bid }) => bid !== undefined),
    };
    const week = { start: addDays(TODAY, 1), end: addDays(TODAY, DAYS), report: "sp_campaigns" } as const;
    /** Spend a day of the following week, as the account is now; the clock is put back. */
    const spendAfter = async (): Promise<number> => {
      emulator.clock.advance((DAYS + 2) * 86_400);
      const sums = await costs(us, week);
      emulator.clock.advance(-(DAYS + 2) * 86_400);
      return [...sums.values()].reduce((sum, cost) => sum + cost, 0) / DAYS;
    };
    const without = await spendAfter();
    let within = 0;
    let compared = 0;
    const misses: string[] = [];
    for (let at = 0; at < tries; at++) {
      const { sort, plan } = await randomPlan(account, random);
      if (plan.money === null || plan.changes.length === 0 || plan.money.unknown > 0) continue;
      const { low, high } = plan.money.perDay;
      await plan.apply(us);
      const actual = await spendAfter() - without;
      emulator.reset();
      compared++;
      if (actual >= low - 0.01 && actual <= high + 0.01) within++;
      else misses.push(`${sort}: ${low.toFixed(2)} to ${high.toFixed(2)}, was ${actual.toFixed(2)}`);
    }
    const share = within / compared;
    console.log(
      `${within} of ${compared} plans within the estimated range (${
        (100 * share).toFixed(1)
      } %); seed ${SEED}` +
        misses.slice(0, 10).map((miss) => `\n  ${miss}`).join(""),
    );
    ok(compared >= tries / 2, `${compared} of ${tries} plans could be compared`);
    ok(share >= 0.8, misses.join("\n"));
  } finally {
    await emulator.stop();
  }
});
