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
    /no column "impresions", did you mean impressions\?/,
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
