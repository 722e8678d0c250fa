import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { PlatformAds } from "../../src/client/platform_ads.ts";
import type { ProfileClient } from "../../src/client/profile_client.ts";
import { Emulator } from "../../src/emulator/mod.ts";
import { consumeStream, openQueue, planSubscriptions, Warehouse } from "../../src/store/mod.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { long } from "../support/long.ts";

const API = "sponsored-products";
const HOUR = 3600;

interface World extends AsyncDisposable {
  readonly emulator: Emulator;
  readonly us: ProfileClient;
  /** An enabled campaign of the market that spends much. */
  readonly campaignId: string;
}

/** Starts at midnight of a Monday in Los Angeles. */
async function world(budget: number, market = "US"): Promise<World> {
  const emulator = await Emulator.start({ clock: { now: "2026-11-02T08:00:00Z", frozen: true } });
  const us = await new PlatformAds(emulator.credentials, {
    platform: emulator.platform,
    now: () => emulator.clock.now(),
    sleep: (seconds) => Promise.resolve(void emulator.advance(seconds)),
    onWarning: () => {},
  }).profile(market);
  const rows = await us.reports.run("sp_campaigns", "2026-10-30", "2026-10-31");
  const [busiest] = rows.filter(({ campaignStatus }) => campaignStatus === "ENABLED")
    .sort((a, b) => Number(b.cost) - Number(a.cost));
  const campaignId = String(busiest!.campaignId);
  await us.sp.campaigns.update([{ campaignId, budget: { budget, budgetType: "DAILY" } }]);
  // All others are off: their traffic takes time to draw.
  const others = (await us.sp.campaigns.list({ states: ["ENABLED"] })).filter((one) =>
    one.campaignId !== campaignId
  );
  await us.sp.campaigns.update(
    others.map((one) => ({ campaignId: one.campaignId, state: "PAUSED" as const })),
  );
  return { emulator, us, campaignId, [Symbol.asyncDispose]: () => emulator.stop() };
}

interface BudgetRule {
  readonly percent: number;
  readonly hours?: readonly [string, string];
  readonly days?: readonly string[];
  readonly condition?: {
    readonly metricName: string;
    readonly comparisonOperator: string;
    threshold: number;
  };
}

async function addRule({ us, campaignId }: World, rule: BudgetRule): Promise<string> {
  const { percent, hours, days, condition } = rule;
  const { responses } = await us.call(`${API}:CreateBudgetRulesForSPCampaigns`, {
    budgetRulesDetails: [{
      name: `Raise by ${percent}`,
      ruleType: condition === undefined ? "SCHEDULE" : "PERFORMANCE",
      budgetIncreaseBy: { type: "PERCENT", value: percent },
      duration: { dateRangeTypeRuleDuration: { startDate: "20261101" } },
      recurrence: {
        type: "DAILY",
        ...(days === undefined ? {} : { daysOfWeek: days }),
        ...(hours === undefined ? {} : { intraDaySchedule: [{ startTime: hours[0], endTime: hours[1] }] }),
      },
      ...(condition === undefined ? {} : { performanceMeasureCondition: condition }),
    }],
  } as never) as { responses: { ruleId: string; details: string }[] };
  const { ruleId, details } = responses[0]!;
  equal(details, "");
  await us.call(
    `${API}:CreateAssociatedBudgetRulesForSPCampaigns`,
    { budgetRuleIds: [ruleId] } as never,
    { pathParams: { campaignId } } as never,
  );
  return ruleId;
}

/** The budget and its use, which are known to the quarter of an hour. */
async function budgetOf(
  { us, campaignId, emulator }: World,
): Promise<{ budget: number; percent: number }> {
  emulator.advance(HOUR / 4);
  const [usage] = (await us.sp.campaigns.budgetUsage([campaignId])).successes;
  return { budget: usage!.entity!.budget!, percent: usage!.entity!.budgetUsagePercent! };
}

/** Clicks and cost of a campaign by hour of a day. */
async function hoursOf({ us, campaignId }: World, day: string): Promise<{ clicks: number; cost: number }[]> {
  const hours = Array.from({ length: 24 }, () => ({ clicks: 0, cost: 0 }));
  const rows = await us.reports.run({
    fields: ["hour.value", "campaign.id", "metric.clicks", "metric.totalCost"],
    filter: { "adProduct.value": ["SPONSORED_PRODUCTS"], "campaign.id": [campaignId] },
    start: day,
    end: day,
  } as never) as unknown as Record<string, string | number>[];
  for (const row of rows) {
    hours[Number(row["hour.value"])] = {
      clicks: Number(row["metric.clicks"]),
      cost: Number(row["metric.totalCost"]),
    };
  }
  return hours;
}

const cents = (amount: number): number => Math.round(100 * amount) / 100;

long();
Deno.test("a campaign that is out of budget comes back in the hours in which a rule raises the budget, and reports, stream and usage agree", async () => {
  await using here = await world(12);
  const { emulator, us, campaignId } = here;
  await addRule(here, { percent: 100, hours: ["15:00", "24:00"] });
  await using folder = await temporaryFolder();
  await using store = await Warehouse.open(folder.file("ads.sqlite"));
  const { arn: queueArn, url, ...credentials } = emulator.queue();
  const { source } = await openQueue(url, { credentials });
  const consume = () => consumeStream(store, source, { once: true, now: () => emulator.clock.now() });
  await (await planSubscriptions(us, { datasets: ["sp-traffic"], queueArn })).plan!.apply(us);
  await consume();
  await (await fetch((await store.stream.confirmations())[0]!.url)).body?.cancel();

  emulator.advance(14.6 * HOUR);
  const noon = await budgetOf(here);
  equal(noon.budget, 12);
  ok(noon.percent > 85, `${noon.percent}`);
  emulator.advance(8.8 * HOUR);
  const evening = await budgetOf(here);
  equal(evening.budget, 24, "the budget of a usage is that with rules");
  const hours = await hoursOf(here, "2026-11-02");
  const [morning, afternoon] = [hours.slice(0, 15), hours.slice(15)].map((part) =>
    part.reduce((sum, { cost }) => sum + cost, 0)
  ) as [number, number];
  ok(morning <= 12 && morning > 10, `${morning}`);
  ok(afternoon > 2 && morning + afternoon <= 24, `${afternoon}`);
  ok(hours[14]!.clicks === 0 && hours[13]!.clicks === 0, "out of budget before the rule holds");
  const day = "2026-11-02";
  const daily = (await us.reports.run("sp_campaigns", day, day)).filter((row) =>
    String(row.campaignId) === campaignId
  )
    .reduce((sum, row) => sum + Number(row.cost), 0);
  equal(cents(daily), cents(morning + afternoon));
  equal(evening.percent, Number((100 * daily / 24).toFixed(2)));
  // Invalid clicks are withdrawn from the stream within days.
  emulator.advance(48 * HOUR);
  await consume();
  const { rows } = await store.query(
    "SELECT round(sum(cost), 2) AS cost FROM stream_sp_traffic WHERE campaign_id = ? AND starts_at < ?",
    [campaignId, Date.parse("2026-11-03T08:00:00Z")],
  );
  equal(Number(rows[0]!["cost"]), cents(daily), "the stream");
});

Deno.test("budget rules add up while they hold: by weekday, by their state, and until they are untied", async () => {
  await using here = await world(100);
  const { emulator, us, campaignId } = here;
  await addRule(here, { percent: 25, days: ["SATURDAY", "SUNDAY"] });
  const always = await addRule(here, { percent: 20 });
  equal((await budgetOf(here)).budget, 120, "at once, on a Monday");
  emulator.advance(5 * 24 * HOUR);
  equal((await budgetOf(here)).budget, 145, "on a Saturday both add up");
  await us.call(
    `${API}:UpdateBudgetRulesForSPCampaigns`,
    { budgetRulesDetails: [{ ruleId: always, ruleState: "PAUSED" }] } as never,
  );
  equal((await budgetOf(here)).budget, 125);
  await us.call(
    `${API}:UpdateBudgetRulesForSPCampaigns`,
    { budgetRulesDetails: [{ ruleId: always, ruleState: "ACTIVE" }] } as never,
  );
  emulator.advance(HOUR);
  await us.call(
    `${API}:DisassociateAssociatedBudgetRuleForSPCampaigns`,
    undefined as never,
    { pathParams: { campaignId, budgetRuleId: always } } as never,
  );
  emulator.advance(HOUR);
  equal((await budgetOf(here)).budget, 125);
});

Deno.test("a rule with a condition holds by the seven days before, and not where the condition does not", async () => {
  await using here = await world(500);
  const { us, campaignId, emulator } = here;
  emulator.advance(30 * 60);
  const rows = (await us.reports.run("sp_campaigns", "2026-10-26", "2026-11-01")).filter((row) =>
    String(row.campaignId) === campaignId
  );
  const sum = (field: "cost" | "clicks" | "impressions") =>
    rows.reduce((total, row) => total + Number(row[field]), 0);
  const rate = 100 * sum("clicks") / sum("impressions");
  const condition = (threshold: number) => ({
    metricName: "CTR",
    comparisonOperator: "GREATER_THAN_OR_EQUAL_TO",
    threshold,
  });
  await addRule(here, { percent: 10, condition: condition(rate * 0.97) });
  await addRule(here, { percent: 50, condition: condition(rate * 1.03) });
  equal((await budgetOf(here)).budget, 550);

  const made = await us.call(`${API}:CreateOptimizationRules`, {
    optimizationRules: [[0.99, 200], [1.01, 900]].map(([share, value]) => ({
      ruleName: `Raise by ${value}`,
      ruleCategory: "BID",
      ruleSubCategory: "SCHEDULE",
      status: "ENABLED",
      action: {
        actionType: "ADOPT",
        actionDetails: { actionOperator: "INCREMENT", actionUnit: "PERCENT", value },
      },
      conditions: [{
        attributeName: "SPEND",
        criteria: { comparisonOperator: "GREATER_THAN", value: cents(sum("cost") * share!) },
      }],
      // Only on the first day, so that what the rules cost does not count for them.
      recurrence: {
        type: "DAILY",
        duration: { startTime: "2026-11-01T00:00:00Z", endTime: "2026-11-03T08:00:00Z" },
      },
    })),
  } as never) as { responses: { optimizationRule: { optimizationRuleId: string } }[] };
  const ids = made.responses.map(({ optimizationRule }) => optimizationRule.optimizationRuleId);
  const priceOf = async (tied: readonly string[]): Promise<number> => {
    await using place = await world(500);
    place.emulator.advance(30 * 60);
    const rules = place.emulator.state.profile(place.us.profileId)!.collection("sp.optimization_rules");
    for (const rule of emulator.state.profile(us.profileId)!.collection("sp.optimization_rules").all()) {
      if (!tied.includes(String(rule.ruleId))) continue;
      // Felt from the evening before on: the day is under the rule from its beginning.
      const versions = (rule.versions as { at: number }[]).map((version) => ({
        ...version,
        at: Date.parse("2026-11-01T00:00:00Z"),
      }));
      rules.insert({
        ...rule,
        versions,
        campaignIds: [campaignId],
        spans: [{ campaignId, from: Date.parse("2026-11-01T00:00:00Z"), until: null }],
      });
    }
    place.emulator.advance(23 * HOUR);
    const hours = (await hoursOf(place, "2026-11-02")).slice(12);
    const total = (field: "cost" | "clicks") => hours.reduce((all, one) => all + one[field], 0);
    return total("cost") / total("clicks");
  };
  const [plain, holding, not] = [await priceOf([]), await priceOf([ids[0]!]), await priceOf([ids[1]!])];
  ok(holding / plain > 2.5 && holding / plain < 3.5, `${holding / plain}`);
  equal(not, plain);
});

Deno.test("a bid is felt from the hour in which it is changed, and so is a placement adjustment", async () => {
  await using plain = await world(2000);
  await using changed = await world(2000);
  for (const { emulator } of [plain, changed]) emulator.advance(12 * HOUR);
  const { us, campaignId } = changed;
  const keywords = await us.sp.keywords.list({ campaignIds: [campaignId] });
  const targets = await us.sp.targets.list({ campaignIds: [campaignId] });
  const groups = await us.sp.adGroups.list({ campaignIds: [campaignId] });
  const times = async (factor: number): Promise<void> => {
    const bid = <T extends { bid?: number | undefined }>(one: T): number => cents(one.bid! * factor);
    const own = keywords.filter((one) => one.bid !== undefined);
    if (own.length > 0) {
      await us.sp.keywords.update(own.map((one) => ({ keywordId: one.keywordId, bid: bid(one) })));
    }
    const aimed = targets.filter((one) => one.bid !== undefined);
    if (aimed.length > 0) {
      await us.sp.targets.update(aimed.map((one) => ({ targetId: one.targetId, bid: bid(one) })));
    }
    await us.sp.adGroups.update(
      groups.map((one) => ({ adGroupId: one.adGroupId, defaultBid: cents(one.defaultBid! * factor) })),
    );
  };
  await times(4);
  for (const { emulator } of [plain, changed]) emulator.advance(6 * HOUR);
  await times(0.05);
  for (const { emulator } of [plain, changed]) emulator.advance(5.9 * HOUR);
  const [usual, moved] = [await hoursOf(plain, "2026-11-02"), await hoursOf(changed, "2026-11-02")];
  deepEqual(moved.slice(0, 12), usual.slice(0, 12), "the morning stays as it was");
  const clicks = (hours: { clicks: number }[], from: number, to: number): number =>
    hours.slice(from, to).reduce((sum, one) => sum + one.clicks, 0);
  const [raised, lowered] = [[12, 18], [18, 24]].map(([from, to]) =>
    clicks(moved, from!, to!) / clicks(usual, from!, to!)
  ) as [number, number];
  ok(raised > 1.3, `raised ${raised}`);
  ok(lowered < 0.5, `lowered ${lowered}`);

  // The next day, with the first bids again: twice the price at the top draws more clicks, at the top alone.
  await times(1);
  for (const { emulator } of [plain, changed]) emulator.advance(12.1 * HOUR);
  await us.sp.campaigns.update([{
    campaignId,
    dynamicBidding: {
      strategy: "MANUAL",
      placementBidding: [{ placement: "PLACEMENT_TOP", percentage: 900 }],
    },
  }]);
  for (const { emulator } of [plain, changed]) emulator.advance(11.9 * HOUR);
  const places = await Promise.all([plain, changed].map(async (one) => {
    const rows = await one.us.reports.run("sp_placement", "2026-11-03", "2026-11-03");
    const own = rows.filter((row) => String(row.campaignId) === campaignId);
    return new Map(own.map((row) => [String(row.placementClassification), Number(row.clicks)]));
  }));
  for (const [place, count] of places[0]!) {
    const now = places[1]!.get(place)!;
    if (/^Top/.test(place)) ok(now > 1.3 * count, `${place}: ${now}, usually ${count}`);
    else equal(now, count, place);
  }
});

Deno.test("hours of a budget rule exist in some markets, and for rules on a schedule", async () => {
  await using here = await world(100, "AU");
  const { us } = here;
  const rule = (more: Record<string, unknown>) => ({
    name: "Evenings",
    ruleType: "SCHEDULE",
    budgetIncreaseBy: { type: "PERCENT", value: 10 },
    duration: { dateRangeTypeRuleDuration: { startDate: "20261101" } },
    recurrence: { type: "DAILY", intraDaySchedule: [{ startTime: "18:00", endTime: "22:00" }] },
    ...more,
  });
  const { responses } = await us.call(`${API}:CreateBudgetRulesForSPCampaigns`, {
    budgetRulesDetails: [rule({}), rule({ recurrence: { type: "DAILY" } })],
  } as never) as { responses: { code: string; details: string }[] };
  match(responses[0]!.details, /not available in AU/);
  equal(responses[1]!.code, "SUCCESS");
});

Deno.test("on days on which the clock changes, hours are those on the wall: one is missing, or comes twice", async () => {
  const impressions = await Promise.all(
    (["2026-03-08", "2026-03-15", "2026-11-01"] as const).map(async (day) => {
      const emulator = await Emulator.start({
        clock: { now: new Date(Date.parse(day) + 40 * 3_600_000).toISOString(), frozen: true },
      });
      await using _ = { [Symbol.asyncDispose]: () => emulator.stop() };
      const us = await new PlatformAds(emulator.credentials, {
        platform: emulator.platform,
        now: () => emulator.clock.now(),
        sleep: (seconds) => Promise.resolve(void emulator.advance(seconds)),
        onWarning: () => {},
      }).profile("US");
      const ask = async (fields: readonly string[]): Promise<Map<number, number>> => {
        const rows = await us.reports.run({
          fields: [...fields, "metric.impressions"],
          filter: { "adProduct.value": ["SPONSORED_PRODUCTS"] },
          start: day,
          end: day,
        } as never) as unknown as Record<string, number>[];
        return new Map(
          rows.map((row) => [Number(row["hour.value"] ?? -1), Number(row["metric.impressions"])]),
        );
      };
      const hours = await ask(["hour.value"]);
      const whole = (await ask(["date.value"])).get(-1);
      equal([...hours.values()].reduce((sum, one) => sum + one, 0), whole, `${day} loses nothing`);
      return hours;
    }),
  );
  deepEqual(impressions.map((hours) => [hours.has(1), hours.has(2), hours.has(23)]), [
    [true, false, true],
    [true, true, true],
    [true, true, true],
  ]);
});
