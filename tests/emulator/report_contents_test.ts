import assert from "node:assert/strict";
import { REPORT_PRESET_NAMES } from "../../src/client/reports/requests/presets.ts";
import { Caller } from "./caller.ts";
import { type Row, rowsOf, sum } from "./report_caller.ts";
import { long } from "../support/long.ts";

const AUGUST = { start: "2026-08-01", end: "2026-08-04" };
const KEYWORD_TYPE = "application/vnd.spKeyword.v3+json";
const CAMPAIGN_TYPE = "application/vnd.spCampaign.v3+json";

function addPortfolio(caller: Caller, name: string): void {
  caller.emulator.state.profile(caller.profile("US"))!.collection("portfolios").insert({
    portfolioId: "7",
    name,
  });
}

function byCampaign(rows: readonly Row[], column: string): Map<string, number> {
  const sums = new Map<string, number>();
  for (const row of rows) {
    const key = `${row.date} ${row.campaignId}`;
    sums.set(key, Math.round(100 * ((sums.get(key) ?? 0) + Number(row[column]))) / 100);
  }
  return sums;
}

Deno.test("every split of Sponsored Products has the campaign's sums, campaign by campaign and day by day", async () => {
  await using caller = await Caller.start();
  const campaigns = await rowsOf(caller, "sp_campaigns", AUGUST);
  const splits = ["sp_placement", "sp_targeting", "sp_advertised_products"] as const;
  for (const preset of splits) {
    const rows = await rowsOf(caller, preset, AUGUST);
    for (const column of ["impressions", "clicks", "cost", "purchases7d", "sales14d"]) {
      assert.deepEqual(byCampaign(rows, column), byCampaign(campaigns, column), `${preset} ${column}`);
    }
  }
  const adGroups = await rowsOf(caller, "sp_ad_groups", AUGUST);
  for (const column of ["impressions", "clicks", "cost", "sales1d"]) {
    assert.equal(sum(adGroups, column), sum(campaigns, column), column);
  }
  const bought = await rowsOf(caller, "sp_purchased_products", AUGUST);
  assert.equal(sum(bought, "purchases14d"), sum(campaigns, "purchases14d"));
  assert.equal(sum(bought, "sales14d"), sum(campaigns, "sales14d"));
  assert.equal(sum(bought, "sales14d") > sum(bought, "salesOtherSku14d"), true);
});

Deno.test("the splits of Sponsored Brands have the same sums", async () => {
  await using caller = await Caller.start();
  const campaigns = await rowsOf(caller, "sb_campaigns", AUGUST);
  const targeting = await rowsOf(caller, "sb_targeting", AUGUST);
  for (const column of ["impressions", "clicks", "cost", "purchases", "sales", "detailPageViews"]) {
    assert.equal(sum(targeting, column), sum(campaigns, column), column);
  }
  const terms = await rowsOf(caller, "sb_search_terms", AUGUST);
  assert.deepEqual([sum(terms, "clicks"), sum(terms, "cost")], [
    sum(campaigns, "clicks"),
    sum(campaigns, "cost"),
  ]);
  const bought = await rowsOf(caller, "sb_purchased_products", AUGUST);
  assert.equal(sum(bought, "sales14d"), sum(campaigns, "sales"));
  assert.deepEqual(
    new Set(bought.map(({ attributionType }) => attributionType)),
    new Set(["Promoted", "Brand Halo"]),
  );
});

Deno.test("search terms are the clicked ones only, and cost what their keyword costs", async () => {
  await using caller = await Caller.start();
  const terms = await rowsOf(caller, "sp_search_terms", AUGUST);
  assert.equal(terms.every(({ clicks }) => Number(clicks) > 0), true);
  const targeting = await rowsOf(caller, "sp_targeting", AUGUST);
  assert.equal(sum(terms, "cost"), sum(targeting, "cost"));
  assert.equal(sum(terms, "impressions") < sum(targeting, "impressions"), true);
});

Deno.test("numbers are plausible: a click needs a showing, costs about the bid, and is bought after now and then", async () => {
  await using caller = await Caller.start();
  const rows = await rowsOf(caller, "sp_targeting", AUGUST);
  for (const row of rows) {
    assert.equal(Number(row.clicks) <= Number(row.impressions), true);
    assert.equal(Number(row.purchases1d) <= Number(row.purchases7d), true);
    assert.equal(Number(row.purchases7d) <= Number(row.purchases14d), true);
    assert.equal(Number(row.cost) <= 2 * Number(row.keywordBid) * Number(row.clicks) + 0.001, true);
  }
  const rate = sum(rows, "clicks") / sum(rows, "impressions");
  assert.equal(rate > 0.002 && rate < 0.02, true, `click rate ${rate}`);
  const spentOfSales = sum(rows, "cost") / sum(rows, "sales14d");
  assert.equal(spentOfSales > 0.1 && spentOfSales < 0.8, true, `cost of sales ${spentOfSales}`);
});

Deno.test("no campaign spends more than its budget in a day", async () => {
  await using caller = await Caller.start();
  const rows = await rowsOf(caller, "sp_campaigns", { start: "2026-09-01", end: "2026-09-28" });
  for (const row of rows) assert.equal(Number(row.cost) <= Number(row.campaignBudgetAmount), true);
  assert.equal(rows.some((row) => Number(row.cost) > 0.9 * Number(row.campaignBudgetAmount)), true);
});

Deno.test("equal seeds give equal reports, another seed gives others", async () => {
  const read = async (seed: string, portfolio?: string) => {
    await using caller = await Caller.start({ seed });
    // A changed account shares no files with others, so that its report is drawn anew.
    if (portfolio !== undefined) addPortfolio(caller, portfolio);
    return await rowsOf(caller, "sp_campaigns", AUGUST);
  };
  const first = await read("one");
  assert.deepEqual(await read("one", "New"), first);
  assert.notDeepEqual(sum(await read("two"), "cost"), sum(first, "cost"));
});

Deno.test("a report is made once for emulators with the same account, and anew once one of them has changed", async () => {
  const made = { start: "2026-08-05", end: "2026-08-05" };
  const drawn: number[] = [];
  const read = async (caller: Caller): Promise<Row[]> => {
    const profile = caller.emulator.state.profile(caller.profile("US"))!;
    const campaigns = profile.collection("sp.campaigns");
    const { all } = campaigns;
    let times = 0;
    campaigns.all = () => {
      times++;
      return all.call(campaigns);
    };
    const rows = await rowsOf(caller, "sp_campaigns", made);
    drawn.push(times);
    return rows;
  };
  await using first = await Caller.start();
  await using second = await Caller.start();
  const rows = await read(first);
  assert.deepEqual(await read(second), rows);
  assert.equal(drawn[0]! > 0 && drawn[1] === 0, true, drawn.join());
  await using third = await Caller.start();
  const campaignId = String(rows.find(({ cost }) => Number(cost) > 0)!.campaignId);
  const campaigns = third.emulator.state.profile(third.profile("US"))!.collection("sp.campaigns");
  campaigns.replace({ ...campaigns.get(campaignId)!, name: "Renamed" });
  const renamed = (await read(third)).filter((row) => String(row.campaignId) === campaignId);
  assert.deepEqual(renamed.map(({ campaignName }) => campaignName), ["Renamed"]);
});

Deno.test("sales of a day grow for weeks, its cost does not; after 42 days nothing changes", async () => {
  await using caller = await Caller.start({ clock: { now: "2026-09-02T12:00:00Z", frozen: true } });
  const day = { start: "2026-09-01", end: "2026-09-01" };
  const seen: { sales: number; cost: number }[] = [];
  for (const days of [0, 7, 14, 14, 8, 30]) {
    caller.emulator.advance(days * 86_400);
    await caller.logIn();
    const rows = await rowsOf(caller, "sp_campaigns", day);
    seen.push({ sales: sum(rows, "sales14d"), cost: sum(rows, "cost") });
  }
  const [first, week, fortnight, month, settled, later] = seen.map(({ sales }) => sales);
  assert.equal(first! < week! && week! < fortnight! && fortnight! < month!, true, JSON.stringify(seen));
  assert.equal(month! <= settled!, true);
  assert.equal(settled, later);
  assert.equal(new Set(seen.map(({ cost }) => cost)).size, 1);
});

Deno.test("today grows by the hour", async () => {
  await using caller = await Caller.start({ clock: { now: "2026-09-30T15:00:00Z", frozen: true } });
  const today = { start: "2026-09-30", end: "2026-09-30" };
  const morning = await rowsOf(caller, "sp_campaigns", today);
  caller.emulator.advance(8 * 3600);
  await caller.logIn();
  const evening = await rowsOf(caller, "sp_campaigns", today);
  assert.equal(sum(morning, "clicks") < sum(evening, "clicks"), true);
  assert.equal(sum(morning, "impressions") < sum(evening, "impressions"), true);
});

Deno.test("a summary has one row for the range, with the sums of its days", async () => {
  await using caller = await Caller.start();
  const daily = await rowsOf(caller, "sp_campaigns", AUGUST);
  const columns = ["startDate", "endDate", "campaignId", "clicks", "cost", "sales14d"];
  const changes = { timeUnit: "SUMMARY", columns };
  const summary = await rowsOf(caller, "sp_campaigns", { ...AUGUST, changes });
  assert.equal(new Set(summary.map(({ campaignId }) => campaignId)).size, summary.length);
  assert.deepEqual(Object.keys(summary[0]!), columns);
  assert.deepEqual([summary[0]!.startDate, summary[0]!.endDate], [AUGUST.start, AUGUST.end]);
  for (const column of ["clicks", "cost", "sales14d"]) assert.equal(sum(summary, column), sum(daily, column));
});

Deno.test("filters choose rows", async () => {
  await using caller = await Caller.start();
  const filters = [{ field: "keywordType", values: ["BROAD", "PHRASE"] }];
  const rows = await rowsOf(caller, "sp_targeting", { ...AUGUST, changes: { filters } });
  assert.deepEqual(new Set(rows.map(({ keywordType }) => keywordType)), new Set(["BROAD", "PHRASE"]));
});

Deno.test("ids are bare numbers in the file, exact past 2^53, and those of the entities", async () => {
  await using caller = await Caller.start();
  const { state } = caller.emulator;
  const profile = state.profile(caller.profile("US"))!;
  const rows = await rowsOf(caller, "sp_targeting", { start: "2026-08-01", end: "2026-08-01" });
  assert.equal(rows.some(({ keywordId }) => typeof keywordId === "bigint"), true);
  for (const { keywordId, adGroupId, campaignId, targeting } of rows) {
    const keyword = profile.collection("sp.keywords").get(String(keywordId));
    const clause = keyword ?? profile.collection("sp.targets").get(String(keywordId));
    assert.deepEqual([clause?.adGroupId, clause?.campaignId], [String(adGroupId), String(campaignId)]);
    if (keyword !== undefined) assert.equal(targeting, keyword.keywordText);
  }
  assert.equal(rows.some(({ targeting }) => targeting === "close-match"), true);
  assert.equal(rows.some(({ targeting }) => /^asin="B0\w+"$/.test(String(targeting))), true);
});

Deno.test("every preset has rows wherever its kind of campaign runs, and every column a value in some row", async () => {
  await using caller = await Caller.start();
  for (const preset of REPORT_PRESET_NAMES) {
    const rows = await rowsOf(caller, preset, AUGUST);
    assert.equal(rows.length > 0, true, preset);
    for (const column of Object.keys(rows[0]!)) {
      assert.equal(rows.some((row) => row[column] !== null), true, `${preset} ${column}`);
    }
  }
});

Deno.test("pages of books are counted for the author alone", async () => {
  await using caller = await Caller.start();
  const author = await rowsOf(caller, "sp_campaigns", {
    ...AUGUST,
    options: { profile: caller.profile("UK") },
  });
  const seller = await rowsOf(caller, "sp_campaigns", AUGUST);
  const column = "kindleEditionNormalizedPagesRead14d";
  assert.equal(sum(author, column) > 0, true);
  assert.equal(sum(seller, column), 0);
});

Deno.test("amounts in yen have no decimals", async () => {
  await using caller = await Caller.start();
  const rows = await rowsOf(caller, "sp_campaigns", {
    ...AUGUST,
    options: { profile: caller.profile("JP") },
  });
  assert.equal(
    rows.every(({ cost, sales14d }) => Number.isInteger(cost) && Number.isInteger(sales14d)),
    true,
  );
});

Deno.test("a campaign that is paused stops, keeps its past, and shows its new status there too", async () => {
  await using caller = await Caller.start();
  const before = await rowsOf(caller, "sp_campaigns", { start: "2026-09-28", end: "2026-09-28" });
  const campaignId = String(before.toSorted((a, b) => Number(b.cost) - Number(a.cost))[0]!.campaignId);
  await caller.call("PUT", "/sp/campaigns", { campaigns: [{ campaignId, state: "PAUSED" }] }, {
    type: CAMPAIGN_TYPE,
  });
  caller.emulator.advance(3 * 86_400);
  await caller.logIn();
  const rows = (await rowsOf(caller, "sp_campaigns", { start: "2026-09-28", end: "2026-10-03" }))
    .filter((row) => String(row.campaignId) === campaignId);
  assert.deepEqual(rows.map(({ date }) => date), ["2026-09-28", "2026-09-29", "2026-09-30"]);
  assert.deepEqual(new Set(rows.map(({ campaignStatus }) => campaignStatus)), new Set(["PAUSED"]));
  assert.equal(rows[0]!.cost, before.find((row) => String(row.campaignId) === campaignId)!.cost);
});

long();
Deno.test("a raised bid makes clicks dearer from then on, and is shown at days before it", async () => {
  await using caller = await Caller.start();
  const start = "2026-09-20";
  const before = await rowsOf(caller, "sp_targeting", { start, end: "2026-09-29" });
  const chosen = before.filter(({ matchType, clicks }) => matchType === "EXACT" && Number(clicks) > 0)
    .toSorted((a, b) => Number(b.clicks) - Number(a.clicks))[0]!;
  const keywordId = String(chosen.keywordId);
  const old = before.filter((row) => String(row.keywordId) === keywordId);
  const bid = Number((Number(chosen.keywordBid) * 3).toFixed(2));
  await caller.call("PUT", "/sp/keywords", { keywords: [{ keywordId, bid }] }, { type: KEYWORD_TYPE });
  caller.emulator.advance(10 * 86_400);
  await caller.logIn();
  const after = (await rowsOf(caller, "sp_targeting", { start, end: "2026-10-09" }))
    .filter((row) => String(row.keywordId) === keywordId);
  const past = after.filter(({ date }) => String(date) <= "2026-09-29");
  const future = after.filter(({ date }) => String(date) > "2026-09-30");
  assert.equal(sum(past, "cost"), sum(old, "cost"));
  assert.equal(past.every(({ keywordBid }) => keywordBid === bid), true);
  const price = (rows: readonly Row[]) => sum(rows, "cost") / sum(rows, "clicks");
  assert.equal(price(future) > 1.5 * price(past), true, `${price(past)} then ${price(future)}`);
});

Deno.test("a negative keyword keeps its search terms out from then on", async () => {
  await using caller = await Caller.start();
  const days = { start: "2026-09-01", end: "2026-09-28" };
  const rows = await rowsOf(caller, "sp_search_terms", days);
  const counts = new Map<string, number>();
  for (const { adGroupId, searchTerm } of rows) {
    const key = `${adGroupId} ${searchTerm}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const [busiest] = [...counts].toSorted((a, b) => b[1] - a[1])[0]!;
  const adGroupId = busiest.slice(0, busiest.indexOf(" "));
  const keywordText = busiest.slice(adGroupId.length + 1);
  const { campaignId } = rows.find((row) => String(row.adGroupId) === adGroupId)!;
  const negative = {
    campaignId: String(campaignId),
    adGroupId,
    keywordText,
    matchType: "NEGATIVE_EXACT",
    state: "ENABLED",
  };
  const type = "application/vnd.spNegativeKeyword.v3+json";
  const made = await caller.call("POST", "/sp/negativeKeywords", { negativeKeywords: [negative] }, { type });
  assert.equal(made.json.negativeKeywords.error.length, 0, made.text);
  caller.emulator.advance(29 * 86_400);
  await caller.logIn();
  const later = await rowsOf(caller, "sp_search_terms", { start: "2026-10-01", end: "2026-10-28" });
  const isKeptOut = (row: Row) => String(row.adGroupId) === adGroupId && row.searchTerm === keywordText;
  assert.equal(later.some(isKeptOut), false);
  const past = await rowsOf(caller, "sp_search_terms", days);
  assert.equal(past.filter(isKeptOut).length, counts.get(busiest));
});

Deno.test("a new keyword draws traffic once it exists, an archived one no more", async () => {
  await using caller = await Caller.start();
  const profile = caller.emulator.state.profile(caller.profile("US"))!;
  const [row] = await rowsOf(caller, "sp_targeting", { start: "2026-09-29", end: "2026-09-29" });
  const place = { campaignId: String(row!.campaignId), adGroupId: String(row!.adGroupId) };
  const keywords = Array.from({ length: 40 }, (_, index) => ({
    ...place,
    keywordText: `quiet lantern ${index}`,
    matchType: "BROAD",
    bid: 2,
    state: "ENABLED",
  }));
  await caller.call("POST", "/sp/keywords", { keywords }, { type: KEYWORD_TYPE });
  const ids = profile.collection("sp.keywords").all().filter(({ keywordText }) =>
    /^quiet/.test(String(keywordText))
  )
    .map(({ keywordId }) => String(keywordId));
  assert.equal(ids.length, 40);
  caller.emulator.advance(2 * 86_400);
  await caller.logIn();
  const rows = await rowsOf(caller, "sp_targeting", { start: "2026-09-28", end: "2026-10-01" });
  const fresh = rows.filter(({ keywordId }) => ids.includes(String(keywordId)));
  assert.equal(fresh.length > 40, true);
  assert.deepEqual(new Set(fresh.map(({ date }) => date)), new Set(["2026-09-30", "2026-10-01"]));
  await caller.call("POST", "/sp/keywords/delete", { keywordIdFilter: { include: ids } }, {
    type: KEYWORD_TYPE,
  });
  caller.emulator.advance(2 * 86_400);
  await caller.logIn();
  const later = await rowsOf(caller, "sp_targeting", { start: "2026-10-03", end: "2026-10-04" });
  assert.equal(later.length > 0, true);
  assert.equal(later.some(({ keywordId }) => ids.includes(String(keywordId))), false);
});
