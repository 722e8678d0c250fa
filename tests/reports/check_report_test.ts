import assert from "node:assert/strict";
import { test } from "node:test";
import { checkReport } from "../../src/client/reports/requests/check_report.ts";
import { columnType } from "../../src/client/reports/file/report_row.ts";
import { REPORT_PRESETS } from "../../src/client/reports/requests/presets.ts";
import type { ReportConfiguration } from "../../src/client/reports/requests/report_configuration.ts";
import { columnsOf, reportTypes } from "../../src/client/reports/requests/report_types.ts";
import { ReportHost } from "../support/report_host.ts";

const DAYS = { start: "2026-09-01", today: "2026-09-30" };
const DISPLAY: ReportConfiguration = {
  adProduct: "SPONSORED_DISPLAY",
  reportTypeId: "sdCampaigns",
  groupBy: ["campaign"],
  columns: ["date", "campaignId", "impressions", "clicks", "cost"],
};

test("34 types of reports are known, and what nearly all of their columns hold", async () => {
  const types = await reportTypes();
  assert.equal(types.size, 34);
  for (const type of types.values()) {
    assert(type.groups.size > 0 || type.reportTypeId === "dspReachFrequency", type.reportTypeId);
    const untyped = columnsOf(type).filter((column) => columnType(column) === undefined);
    assert(columnsOf(type).length > 5 && untyped.length < 6, `${type.reportTypeId}: ${untyped}`);
  }
});

test("every report by name fits what is published about its type", async () => {
  for (const preset of Object.values(REPORT_PRESETS)) await checkReport(preset, DAYS);
});

const wrong: [what: string, change: Partial<ReportConfiguration>, message: RegExp][] = [
  [
    "a misspelt column",
    { columns: ["date", "impresions"] },
    /no column "impresions", did you mean "impressions"\?/,
  ],
  [
    "an unknown grouping",
    { groupBy: ["order"] },
    /no grouping "order", expected one of campaign, matchedTarget/,
  ],
  [
    "another ad product",
    { adProduct: "SPONSORED_BRANDS" },
    /ad product is SPONSORED_DISPLAY, not SPONSORED_BRANDS/,
  ],
  [
    "a column of another grouping",
    { columns: ["date", "matchedTargetAsin"] },
    /takes the grouping matchedTarget/,
  ],
  [
    "a filter on a column that is none",
    { filters: [{ field: "clicks", values: ["1"] }] },
    /cannot be filtered by "clicks"/,
  ],
  [
    "the range of days by day",
    { columns: ["startDate", "clicks"] },
    /"startDate" takes the time unit SUMMARY/,
  ],
  [
    "groupings that do not go together",
    {
      adProduct: "SPONSORED_PRODUCTS",
      reportTypeId: "spCampaigns",
      groupBy: ["adGroup", "campaignPlacement"],
      columns: ["clicks"],
    },
    /groupings adGroup and campaignPlacement cannot be combined/,
  ],
  [
    "two groupings of Display",
    { groupBy: ["campaign", "matchedTarget"], columns: ["clicks"] },
    /groupings campaign and matchedTarget cannot be combined\. Group by campaign, or by matchedTarget/,
  ],
  [
    "reach by supply source alone",
    {
      adProduct: "DEMAND_SIDE_PLATFORM",
      reportTypeId: "dspReachFrequency",
      groupBy: ["supplySource"],
      columns: ["reach"],
    },
    /cannot be grouped by supplySource alone\. Group by advertiser, or by advertiser and supplySource/,
  ],
  [
    "a filter of one of two groupings",
    {
      adProduct: "SPONSORED_PRODUCTS",
      reportTypeId: "spCampaigns",
      groupBy: ["campaign", "adGroup"],
      columns: ["clicks"],
      filters: [{ field: "campaignStatus", values: ["ENABLED"] }],
    },
    /filter "campaignStatus" cannot be combined with the groupings campaign and adGroup/,
  ],
  [
    "a value that a filter does not have",
    {
      adProduct: "SPONSORED_PRODUCTS",
      reportTypeId: "spTargeting",
      groupBy: ["targeting"],
      columns: ["clicks"],
      filters: [{ field: "keywordType", values: ["BROAD", "broad"] }],
    },
    /filter "keywordType" has no value "broad", expected one of BROAD, PHRASE, EXACT/,
  ],
  [
    "an unknown filter",
    { filters: [{ field: "nonsense", values: ["x"] }] },
    /cannot be filtered by "nonsense"/,
  ],
];
for (const [what, change, message] of wrong) {
  test(`a report with ${what} is refused before anything is sent`, async () => {
    const host = new ReportHost();
    const configuration = { ...DISPLAY, ...change };
    await assert.rejects(host.client().reports.run(configuration, "2026-09-01", "2026-09-02"), message);
    assert.deepEqual(host.seen, []);
    await host.client().reports.run(configuration, "2026-09-01", "2026-09-02", { check: false });
    assert.equal(host.reports.length, 1);
  });
}

test("everything that is wrong with a report is said at once, by all its parts", async () => {
  const configuration = {
    ...DISPLAY,
    adProduct: "SPONSORED_BRANDS",
    format: "CSV",
    groupBy: ["campaign", "matchedTarget"],
    columns: ["startDate", "clickz", "keyword", "clicks"],
    filters: [{ field: "clicks", values: ["1"] }, { field: "cost", values: ["2"] }],
  };
  const error = await checkReport(configuration, { ...DAYS, start: "2026-07-01" }).then(
    () => assert.fail("was taken"),
    (reason: Error) => reason,
  );
  const lines = error.message.split("\n");
  assert.equal(lines[0], "Cannot request a report of type sdCampaigns:");
  for (
    const part of [
      "ad product is SPONSORED_DISPLAY",
      "format is GZIP_JSON",
      "cannot be combined",
      '"startDate" takes the time unit SUMMARY',
      'no column "clickz"',
      'no column "keyword"',
      'filtered by "clicks"',
      'filtered by "cost"',
      "2026-07-01 is too early",
    ]
  ) {
    assert.equal(lines.filter((line) => line.startsWith("- ") && line.includes(part)).length, 1, part);
  }
  assert.equal(lines.length, 10, error.message);
});

test("days long past the retention are refused, days just past it are sent", async () => {
  await assert.rejects(
    checkReport(DISPLAY, { ...DAYS, start: "2026-07-01" }),
    /keeps it for 65 days\. Begin on 2026-07-27/,
  );
  await checkReport(DISPLAY, { ...DAYS, start: "2026-07-22" });
});

test("a type that is not published is sent as it is", async () => {
  await checkReport({ ...DISPLAY, reportTypeId: "sdTomorrow", columns: ["x"] }, {
    ...DAYS,
    start: "2020-01-01",
  });
});
