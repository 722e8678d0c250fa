import assert from "node:assert/strict";
import { test } from "node:test";
import { reportFields } from "../../mod.ts";
import { addedText } from "../../src/client/reports/check_fields.ts";
import type { ReportFieldCheck } from "../../src/client/reports/mod.ts";

const TODAY = "2026-09-30";

async function messages(fields: readonly string[], options = {}): Promise<string[]> {
  return (await reportFields.check(fields, { today: TODAY, ...options })).findings.map(({ message }) =>
    message
  );
}

test("817 fields are known, and their companions and converted twins are fields too", async () => {
  const all = await reportFields.search("");
  assert.equal(all.length, 817);
  const names = new Set(all.map(({ field }) => field));
  const prefixes = new Set(all.map(({ field }) => field.split(".")[0]));
  for (const { field, requires, converted, excludes } of all) {
    for (const other of [...requires, ...converted === undefined ? [] : [converted]]) {
      assert(names.has(other), `${field} names ${other}`);
    }
    for (const prefix of excludes) assert(prefixes.has(prefix), `${field} excludes ${prefix}`);
  }
  const share = all.find(({ field }) => field === "metric.impressionShare")!;
  assert.deepEqual(share.requires, ["adProduct.value", "advertiserAccount.id", "searchTerm.value"]);
  assert(
    share.excludes.includes("hour") && share.excludes.includes("campaign") &&
      !share.excludes.includes("searchTerm"),
  );
});

test("words find fields by their own names and by those of version 3, the closest first", async () => {
  const first = async (words: string): Promise<string | undefined> =>
    (await reportFields.search(words))[0]?.field;
  assert.equal(await first("clicks"), "metric.clicks");
  assert.equal(await first("cost per click"), "metric.cpc");
  assert.equal(await first("costPerClick"), "metric.cpc");
  assert.equal(await first("campaign name"), "campaign.name");
  assert.equal(await first("CAMPAIGN.ID"), "campaign.id");
  const sales = await reportFields.search("new brand sales");
  assert(sales.length > 1 && sales.every(({ field }) => /newToBrand.*sales|sales.*newToBrand/i.test(field)));
  assert.deepEqual(await reportFields.search("nothing of the kind"), []);
});

test("companions are added and named with what requires them, in turn", async () => {
  const { fields, added, findings } = await reportFields.check(["convertedProduct.name", "metric.sales"], {
    today: TODAY,
  });
  assert.deepEqual(added, [
    { field: "convertedProduct.id", requiredBy: ["convertedProduct.name"] },
    { field: "budgetCurrency.value", requiredBy: ["metric.sales"] },
    { field: "convertedProductMarketplace.value", requiredBy: ["convertedProduct.id"] },
  ]);
  assert.deepEqual(fields, ["convertedProduct.name", "metric.sales", ...added.map(({ field }) => field)]);
  assert.deepEqual(findings, []);
  const given = await reportFields.check(["campaign.id", "campaign.name"], { today: TODAY });
  assert.deepEqual([given.fields, given.added], [["campaign.id", "campaign.name"], []]);
});

test("columns of version 3 are translated, and what cannot be is said", async () => {
  const check = async (fields: readonly string[]): Promise<ReportFieldCheck> =>
    await reportFields.check(fields, { today: TODAY });
  const { fields, translated } = await check(["date", "campaignId", "costPerClick", "spend", "sales14d"]);
  assert.deepEqual(fields.slice(0, 5), [
    "date.value",
    "campaign.id",
    "metric.cpc",
    "metric.totalCost",
    "metric.sales",
  ]);
  assert.deepEqual(translated.map(({ message }) => message), [
    "date is date.value here",
    "campaignId is campaign.id here",
    "costPerClick is metric.cpc here",
    "spend is metric.totalCost here",
    "sales14d is metric.sales here, which counts 7 days for sellers and 14 days for vendors",
  ]);
  assert.equal(
    (await check(["qualifiedBorrowsFromClicks"])).fields[0],
    "metric.kindleUnlimitedQualifiedBorrowsFromClicks",
  );
  assert.equal((await check(["eCPC"])).fields[0], "metric.cpc", "a name of DSP");
  assert.deepEqual(await messages(["marketplace"]), [
    '"marketplace" is advertisedProduct.marketplace or convertedProductMarketplace.value here. Name one of them',
  ]);
  assert.match(
    (await messages(["topOfSearchImpressionShare"])).join(),
    /is a column of old reports without a field/,
  );
});

test("a field that does not exist names the nearest, whatever it is called", async () => {
  assert.deepEqual(await messages(["metric.clikcs"]), [
    'There is no field "metric.clikcs", did you mean metric.clicks?',
  ]);
  assert.deepEqual(await messages(["campain.id"]), [
    'There is no field "campain.id", did you mean campaign.id?',
  ]);
  for (const name of ["constructor", "__proto__", "toString", "", "🦆🦆🦆🦆🦆🦆🦆🦆"]) {
    assert.match((await messages([name])).join(), /^There is no field/, name);
  }
  assert.deepEqual(await messages([]), ["Name at least one field: reportFields() lists them"]);
});

test("fields that do not go together are named with what keeps them apart", async () => {
  assert.deepEqual(await messages(["metric.impressionShare", "campaign.id", "hour.value"]), [
    "metric.impressionShare does not go with campaign.id, hour.value: the platform does not divide it by campaign, hour. " +
    "Leave out one or the other, or ask for two reports",
  ]);
  const found = await messages(["metric.impressionShare", "adGroup.name"]);
  assert.match(found.join(), /does not go with adGroup.name, adGroup.id \(required by adGroup.name\)/);
  assert.deepEqual(await messages(["metric.impressionShare", "searchTerm.value"]), []);
});

test("days are kept, split or refused as their time field wants it", async () => {
  const periods = async (fields: string[], start: string, end = "2026-09-29"): Promise<unknown> => {
    const { periods, findings } = await reportFields.check(fields, { start, end, today: TODAY });
    return findings.length > 0 ? findings[0]!.message : periods.map(({ start, end }) => `${start}..${end}`);
  };
  assert.deepEqual(await periods(["date.value", "metric.clicks"], "2026-06-02"), ["2026-06-02..2026-09-29"]);
  assert.deepEqual(await periods(["date.value"], "2026-06-01"), [
    "2026-06-01..2026-09-28",
    "2026-09-29..2026-09-29",
  ]);
  assert.equal(
    await periods(["date.value"], "2025-06-29"),
    "2025-06-29 is before what the platform keeps by date.value: 15 months. Begin on 2025-06-30 or later, " +
      "or take month.value, which goes back 72 months",
  );
  assert.deepEqual(await periods(["hour.value", "date.value"], "2026-09-16"), ["2026-09-16..2026-09-29"]);
  assert.match(
    String(await periods(["date.value", "hour.value"], "2026-09-15")),
    /14 days. Begin on 2026-09-16 or later, or take date.value/,
  );
  assert.deepEqual(
    await periods(["week.value"], "2025-06-30"),
    ["2025-06-30..2026-09-29"],
    "one total, one report",
  );
  assert.deepEqual(
    await periods(["month.value"], "2024-09-15"),
    ["2024-09-15..2026-09-29"],
    "just below 25 months",
  );
  assert.deepEqual(await periods(["month.value"], "2022-01-15"), [
    "2022-01-15..2024-01-31",
    "2024-02-01..2026-02-28",
    "2026-03-01..2026-09-29",
  ]);
  assert.deepEqual(await periods(["metric.clicks"], "2021-01-01"), ["2021-01-01..2026-09-29"]);
  assert.match(
    String(await periods(["metric.clicks"], "2020-01-01")),
    /dateRange.value: 72 months. Begin on 2020-09-30 or later$/,
  );
  assert.match(
    String(await periods(["date.value"], "2026-09-29", "2026-09-28")),
    /after the last, 2026-09-28. Exchange them/,
  );
  assert.match(
    String(await periods(["date.value"], "2026-09-29", "2026-10-01")),
    /2026-10-01 is in the future/,
  );
  await assert.rejects(
    reportFields.check(["date.value"], { start: "2026-02-30", end: "2026-03-01" }),
    /not a day of the calendar/,
  );
  const { time } = await reportFields.check(["date.value"], { today: "2026-05-31" });
  assert.deepEqual(time, {
    field: "date.value",
    history: "15 months",
    longest: "120 days",
    firstDay: "2025-02-28",
  });
});

test("amounts are converted when a currency is named, and only then", async () => {
  const { fields, findings } = await reportFields.check(["metric.sales"], { today: TODAY, currency: "USD" });
  assert.deepEqual(findings, []);
  assert.deepEqual(fields, [
    "metric.sales",
    "budgetCurrency.value",
    "metric.salesConverted",
    "convertedCurrency.value",
  ]);
  assert.match(
    (await messages(["metric.salesConverted"])).join(),
    /converted to no currency. Name one, for example USD/,
  );
  assert.match((await messages(["metric.sales"], { currency: "usd" })).join(), /"usd" is not a currency/);
});

test("months of more than a year get their year, so that no month of two years is one sum", async () => {
  const added = async (fields: readonly string[], start: string): Promise<string[]> => {
    const check = await reportFields.check(fields, { today: TODAY, start, end: "2026-09-29" });
    return check.added.filter(({ field }) => field === "year.value").map(addedText);
  };
  const wanted = ["month.value", "metric.clicks"];
  assert.deepEqual(await added(wanted, "2025-09-30"), ["year.value was added: month.value requires it"]);
  assert.deepEqual(await added(wanted, "2025-10-01"), []);
  assert.deepEqual(await added([...wanted, "year.value"], "2024-10-01"), []);
  assert.deepEqual(await added(["metric.clicks"], "2024-10-01"), []);
});

test("days and weeks that repeat get their month or year", async () => {
  const added = async (fields: readonly string[], start: string, end: string): Promise<string[]> => {
    const check = await reportFields.check([...fields, "metric.clicks"], { today: TODAY, start, end });
    return check.added.filter(({ field }) => /month|year/.test(field)).map(addedText);
  };
  const month = "month.value was added: day.value requires it";
  const year = "year.value was added: day.value requires it";
  assert.deepEqual(await added(["day.value"], "2026-01-31", "2026-02-28"), []);
  assert.deepEqual(await added(["day.value"], "2026-02-01", "2026-03-01"), [month]);
  assert.deepEqual(await added(["day.value"], "2025-08-01", "2026-08-01"), [month, year]);
  assert.deepEqual(await added(["day.value", "month.value"], "2025-08-01", "2026-08-01"), [
    year,
  ]);
  assert.deepEqual(await added(["day.value", "date.value"], "2026-06-01", "2026-08-01"), []);
  assert.deepEqual(await added(["week.value"], "2025-09-01", "2026-08-23"), []);
  assert.deepEqual(await added(["week.value"], "2025-09-01", "2026-09-01"), [
    "year.value was added: week.value requires it",
  ]);
});
