import { deepEqual, equal, ok } from "../support/assert.ts";
import { PlatformAds } from "../../src/client/platform_ads.ts";
import type { ProfileClient } from "../../src/client/profile_client.ts";
import { consumeStream, openQueue, planSubscriptions, Warehouse } from "../../src/store/mod.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { Emulator } from "../../src/emulator/mod.ts";
import { long } from "../support/long.ts";

const CLOCK = { now: "2026-11-02T20:00:00Z", frozen: true };
const API = "sponsored-products";
const TYPE = "application/vnd.spoptimizationrules.v2+json";
const DAY = 86_400;

interface World extends AsyncDisposable {
  readonly emulator: Emulator;
  readonly us: ProfileClient;
  /** The enabled campaign that costs most, with a budget that lasts. */
  readonly campaignId: string;
}

async function world(budget = 5000): Promise<World> {
  const emulator = await Emulator.start({ clock: CLOCK });
  const ads = new PlatformAds(emulator.credentials, {
    platform: emulator.platform,
    now: () => emulator.clock.now(),
    sleep: (seconds) => Promise.resolve(void emulator.advance(seconds)),
    onWarning: () => {},
  });
  const us = await ads.profile("US");
  const rows = await us.reports.run("sp_campaigns", "2026-10-20", "2026-10-31");
  const costs = Map.groupBy(
    rows.filter(({ campaignStatus }) => campaignStatus === "ENABLED"),
    ({ campaignId }) => String(campaignId),
  );
  const [first] = [...costs].map(([id, own]) => ({
    id,
    cost: own.reduce((sum, row) => sum + Number(row.cost), 0),
  }))
    .sort((a, b) => b.cost - a.cost);
  await us.sp.campaigns.update([{
    campaignId: first!.id,
    budget: { budget, budgetType: "DAILY" },
  }]);
  return { emulator, us, campaignId: first!.id, [Symbol.asyncDispose]: () => emulator.stop() };
}

/** Makes a rule that raises bids, and ties it to the campaign. */
async function raise(
  { us, campaignId }: World,
  { percent, hours, days }: {
    readonly percent: number;
    readonly hours?: readonly [string, string];
    readonly days?: readonly string[];
  },
): Promise<string> {
  const made = await us.call(`${API}:CreateOptimizationRules`, {
    optimizationRules: [{
      ruleName: `Raise by ${percent}`,
      ruleCategory: "BID",
      ruleSubCategory: "SCHEDULE",
      status: "ENABLED",
      action: {
        actionType: "ADOPT",
        actionDetails: { actionOperator: "INCREMENT", actionUnit: "PERCENT", value: percent },
      },
      recurrence: {
        type: days === undefined ? "DAILY" : "WEEKLY",
        duration: { startTime: "2026-11-01T00:00:00Z" },
        ...(days === undefined ? {} : { daysOfWeek: days }),
        ...(hours === undefined ? {} : { timesOfDay: [{ startTime: hours[0], endTime: hours[1] }] }),
      },
    }],
  }, { contentType: TYPE, accept: TYPE }) as {
    readonly responses: readonly { readonly optimizationRule: { readonly optimizationRuleId: string } }[];
  };
  const id = made.responses[0]!.optimizationRule.optimizationRuleId;
  await us.call(`${API}:AssociateOptimizationRulesToCampaign`, { optimizationRuleIds: [id] }, {
    pathParams: { campaignId },
  });
  return id;
}

interface Hour {
  readonly clicks: number;
  readonly cost: number;
}

/** Clicks and cost of each campaign by day and hour. */
async function hoursOf({ us }: World, [start, end]: readonly [string, string]): Promise<Map<string, Hour>> {
  const rows = await us.reports.run({
    fields: ["date.value", "hour.value", "campaign.id", "metric.clicks", "metric.totalCost"],
    filter: { "adProduct.value": ["SPONSORED_PRODUCTS"] },
    start,
    end,
  } as never) as unknown as Record<string, string | number>[];
  return new Map(rows.map((row) => [
    `${row["campaign.id"]} ${row["date.value"]} ${row["hour.value"]}`,
    { clicks: Number(row["metric.clicks"]), cost: Number(row["metric.totalCost"]) },
  ]));
}

long();
Deno.test("rules raise clicks and their price in their hours alone, from a day after they were made on", async () => {
  await using plain = await world();
  await using raised = await world();
  equal(plain.campaignId, raised.campaignId);
  await raise(raised, { percent: 60, hours: ["18:00", "22:00"] });
  await raise(raised, { percent: 40, hours: ["20:00", "22:00"], days: ["FRIDAY"] });
  for (const { emulator } of [plain, raised]) emulator.advance(8 * DAY);
  const range = ["2026-11-01", "2026-11-08"] as const;
  const [without, with_] = [await hoursOf(plain, range), await hoursOf(raised, range)];
  equal(without.size, with_.size);
  const sums = { raised: { clicks: 0, cost: 0 }, usual: { clicks: 0, cost: 0 } };
  for (const [key, usual] of without) {
    const now = with_.get(key)!;
    const [campaignId, day, hour] = key.split(" ") as [string, string, string];
    const isFelt = campaignId === plain.campaignId && day >= "2026-11-03" && +hour >= 18 && +hour < 22;
    // The rules may be felt from the first evening on.
    if (!isFelt) deepEqual(now, usual, key);
    else if (day > "2026-11-03") {
      for (const [name, one] of [["raised", now], ["usual", usual]] as const) {
        sums[name].clicks += one.clicks;
        sums[name].cost += one.cost;
      }
    }
  }
  const { raised: high, usual } = sums;
  ok(high.clicks > 1.1 * usual.clicks, JSON.stringify(sums));
  const price = (high.cost / high.clicks) / (usual.cost / usual.clicks);
  // 60 % on six days; on one of them two hours of 100 %.
  ok(price > 1.5 && price < 1.8, `${price}`);
});

Deno.test("a rule that is paused is felt for a day at most, and what was reported stays as it was", async () => {
  await using here = await world();
  const { emulator, us } = here;
  const id = await raise(here, { percent: 100 });
  emulator.advance(4 * DAY);
  const before = await hoursOf(here, ["2026-11-03", "2026-11-06"]);
  await us.call(`${API}:UpdateOptimizationRules`, {
    optimizationRules: [{
      optimizationRuleId: id,
      ruleName: "Raise by 100",
      ruleCategory: "BID",
      ruleSubCategory: "SCHEDULE",
      status: "PAUSED",
    }],
  }, { contentType: TYPE, accept: TYPE });
  emulator.advance(4 * DAY);
  const after = await hoursOf(here, ["2026-11-03", "2026-11-10"]);
  for (const [key, then] of before) {
    if (key.includes(" 2026-11-06 ")) continue;
    deepEqual(after.get(key), then, key);
  }
  await using plain = await world();
  plain.emulator.advance(8 * DAY);
  const usual = await hoursOf(plain, ["2026-11-03", "2026-11-10"]);
  const costOf = (hours: ReadonlyMap<string, Hour>): number =>
    [...hours].reduce(
      (sum, [key, { cost }]) => key.startsWith(`${here.campaignId} 2026-11-05`) ? sum + cost : sum,
      0,
    );
  ok(costOf(after) > 1.5 * costOf(usual), `${costOf(after)} ${costOf(usual)}`);
  for (const [key, one] of usual) if (/ 2026-11-(08|09|10) /.test(key)) deepEqual(after.get(key), one, key);
});

long();
Deno.test("reports of a day, of placements and of hours, the stream and the use of a budget tell the same of raised bids, and a budget that is out stays out", async () => {
  await using here = await world(60);
  const { emulator, us, campaignId } = here;
  await us.sp.campaigns.update([{
    campaignId,
    dynamicBidding: {
      strategy: "MANUAL",
      placementBidding: [
        { placement: "PLACEMENT_TOP", percentage: 100 },
        { placement: "PLACEMENT_PRODUCT_PAGE", percentage: 200 },
        { placement: "PLACEMENT_REST_OF_SEARCH", percentage: 50 },
      ],
    },
  }]);
  await raise(here, { percent: 300 });
  // Of hundreds of campaigns, the stream has this one alone.
  const others = (await us.sp.campaigns.list({ states: ["ENABLED"] })).filter((one) =>
    one.campaignId !== campaignId
  );
  await us.sp.campaigns.update(
    others.map((one) => ({ campaignId: one.campaignId, state: "PAUSED" as const })),
  );
  // The evening before the day that is looked at.
  emulator.advance(4.4 * DAY);
  await using folder = await temporaryFolder();
  await using store = await Warehouse.open(folder.file("ads.sqlite"));
  const { arn: queueArn, url, ...credentials } = emulator.queue();
  const { source } = await openQueue(url, { credentials });
  const consume = () => consumeStream(store, source, { once: true, now: () => emulator.clock.now() });
  const { plan } = await planSubscriptions(us, { datasets: ["sp-traffic"], queueArn });
  await plan!.apply(us);
  await consume();
  const [confirmation] = await store.stream.confirmations();
  await (await fetch(confirmation!.url)).body?.cancel();
  // Late in the evening of 7 November in the market.
  emulator.advance(1.08 * DAY);
  const [usage] = (await us.sp.campaigns.budgetUsage([campaignId])).successes;
  const day = "2026-11-07";
  const cost = (rows: readonly Record<string, unknown>[], field: string): number =>
    Math.round(
      100 * rows.filter((row) => String(row[field === "cost" ? "campaignId" : "campaign.id"]) === campaignId)
        .reduce((sum, row) => sum + Number(row[field]), 0),
    ) / 100;
  const daily = cost(await us.reports.run("sp_campaigns", day, day), "cost");
  equal(cost(await us.reports.run("sp_placement", day, day), "cost"), daily);
  const hours = [...await hoursOf(here, [day, day])].filter(([key]) => key.startsWith(campaignId));
  equal(Math.round(100 * hours.reduce((sum, [, { cost }]) => sum + cost, 0)) / 100, daily);
  equal(usage?.entity?.budgetUsagePercent, Number((100 * daily / 60).toFixed(2)));
  ok(daily > 50 && daily <= 60, `${daily}`);
  const last = hours.filter(([, { clicks }]) => clicks > 0).map(([key]) => Number(key.split(" ")[2])).sort((
    a,
    b,
  ) => b - a)[0]!;
  ok(last < 20, `the budget is out at ${last}`);
  // Clicks that are found to be invalid are in the stream first, and withdrawn from it within days.
  emulator.advance(3 * DAY);
  await consume();
  const { rows: [streamed] } = await store.query(
    "SELECT round(sum(cost), 2) AS cost FROM stream_sp_traffic WHERE campaign_id = ? AND starts_at >= ? AND starts_at < ?",
    [campaignId, Date.parse("2026-11-07T08:00:00Z"), Date.parse("2026-11-08T08:00:00Z")],
  );
  equal(Number(streamed!["cost"]), daily, "the stream");
});
