import assert from "node:assert/strict";
import { REPORT_PRESET_NAMES, REPORT_PRESETS } from "../../src/client/reports/requests/presets.ts";
import { Caller } from "./caller.ts";
import { configurationOf, createReport } from "./report_caller.ts";

const WEEK = { startDate: "2026-09-01", endDate: "2026-09-07" };

Deno.test("every report of the published presets is taken, daily and as a summary", async () => {
  await using caller = await Caller.start();
  for (const preset of REPORT_PRESET_NAMES) {
    const daily = await createReport(caller, {
      name: preset,
      ...WEEK,
      configuration: configurationOf(preset),
    });
    assert.equal(daily.status, 200, `${preset}: ${daily.text}`);
    const columns = ["startDate", "endDate", ...REPORT_PRESETS[preset].columns];
    const configuration = configurationOf(preset, { timeUnit: "SUMMARY", columns });
    const summary = await createReport(caller, { name: preset, ...WEEK, configuration });
    assert.equal(summary.status, 200, `${preset}: ${summary.text}`);
  }
});

Deno.test("a new report is answered whole, and PENDING", async () => {
  await using caller = await Caller.start();
  const configuration = configurationOf("sp_campaigns");
  const { json, headers } = await createReport(caller, { name: "mine", ...WEEK, configuration });
  assert.equal(headers.get("content-type"), "application/vnd.createasyncreportresponse.v3+json");
  assert.match(json.reportId, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.deepEqual({ ...json, reportId: "", configuration: "" }, {
    reportId: "",
    name: "mine",
    ...WEEK,
    status: "PENDING",
    configuration: "",
    createdAt: "2026-09-30T12:00:00.000Z",
    updatedAt: "2026-09-30T12:00:00.000Z",
    generatedAt: null,
    fileSize: null,
    url: null,
    urlExpiresAt: null,
    failureReason: null,
  });
  assert.deepEqual(json.configuration, { ...configuration as object, filters: null });
});

const CONFIGURATIONS: readonly [what: string, changes: Record<string, unknown>, detail: RegExp][] = [
  ["no ad product", { adProduct: undefined }, /adProduct includes invalid values: \(\)/],
  [
    "an unknown report type",
    { reportTypeId: "spEverything" },
    /reportTypeId includes .*Allowed values: \(spCampaigns/,
  ],
  [
    "another product's type",
    { adProduct: "SPONSORED_BRANDS" },
    /spCampaigns is not supported for adProduct SPONSORED_BRANDS/,
  ],
  ["an unknown group", { groupBy: ["planet"] }, /groupBy includes invalid values: \(planet\)/],
  ["groups that do not combine", { groupBy: ["adGroup", "campaignPlacement"] }, /cannot be combined/],
  ["no columns", { columns: [] }, /columns must be a list of at least one name/],
  ["a column twice", { columns: ["date", "cost", "cost"] }, /columns includes duplicate values: \(cost\)/],
  [
    "unknown columns",
    { columns: ["date", "clicks", "luck", "karma"] },
    /^configuration columns includes invalid values: \(luck, karma\)\. Allowed values: \(date, impressions, .*\)$/,
  ],
  ["a daily report without its day", { columns: ["clicks"] }, /must include date/],
  [
    "a summary with a day",
    { timeUnit: "SUMMARY" },
    /columns includes invalid values: \(date\)\. Allowed values: \(startDate, endDate/,
  ],
  ["a daily report with the range", { columns: ["date", "startDate"] }, /invalid values: \(startDate\)/],
  ["an unknown time unit", { timeUnit: "HOURLY" }, /timeUnit includes invalid values: \(HOURLY\)/],
  ["an unknown format", { format: "CSV" }, /format includes invalid values: \(CSV\)/],
  [
    "a filter on another field",
    { filters: [{ field: "clicks", values: ["1"] }] },
    /filters includes invalid values: \(clicks\)/,
  ],
  [
    "a filter without values",
    { filters: [{ field: "campaignStatus" }] },
    /must have a field and a list of values/,
  ],
  [
    "campaign columns in a report by ad group",
    { groupBy: ["adGroup"], columns: ["date", "campaignId"] },
    /invalid values: \(campaignId\)/,
  ],
];

for (const [what, changes, detail] of CONFIGURATIONS) {
  Deno.test(`a report with ${what} is refused in the platform's words`, async () => {
    await using caller = await Caller.start();
    const { status, json } = await createReport(caller, {
      ...WEEK,
      configuration: configurationOf("sp_campaigns", changes),
    });
    assert.equal(status, 400);
    assert.equal(json.code, "400");
    assert.match(json.detail, detail);
  });
}

const COLUMNS_APART: readonly [preset: "sb_targeting" | "sb_search_terms", column: string][] = [
  ["sb_targeting", "kindleEditionNormalizedPagesRead14d"],
  ["sb_search_terms", "kindleEditionNormalizedPagesRead14d"],
  ["sb_search_terms", "detailPageViews"],
  ["sb_targeting", "sales14d"],
];

for (const [preset, column] of COLUMNS_APART) {
  Deno.test(`${preset} does not take the column ${column}`, async () => {
    await using caller = await Caller.start();
    const configuration = configurationOf(preset, { columns: ["date", column] });
    const { status, json } = await createReport(caller, { ...WEEK, configuration });
    assert.equal(status, 400);
    assert.match(json.detail, new RegExp(`invalid values: \\(${column}\\)`));
  });
}

const DAYS: readonly [what: string, start: unknown, end: unknown, detail: string][] = [
  [
    "32 days",
    "2026-08-01",
    "2026-09-01",
    "startDate to endDate range (32 days) must not exceed maximum range (31 days)",
  ],
  [
    "days past the retention",
    "2026-06-26",
    "2026-06-30",
    "startDate (2026-06-26) must be equal to or after report type data retention start date (2026-06-27)",
  ],
  [
    "reversed days",
    "2026-09-07",
    "2026-09-01",
    "startDate (2026-09-07) must be equal to or before endDate (2026-09-01)",
  ],
  [
    "tomorrow",
    "2026-09-30",
    "2026-10-01",
    "endDate (2026-10-01) must be equal to or before current date (2026-09-30)",
  ],
  [
    "a day that does not exist",
    "2026-02-30",
    "2026-09-01",
    "startDate (2026-02-30) must be a date of the form yyyy-MM-dd",
  ],
  ["no day", undefined, "2026-09-01", "startDate is required"],
  ["a number", 20260901, "2026-09-01", "startDate (20260901) must be a date of the form yyyy-MM-dd"],
];

for (const [what, startDate, endDate, detail] of DAYS) {
  Deno.test(`a report over ${what} is refused in the platform's words`, async () => {
    await using caller = await Caller.start();
    const configuration = configurationOf("sp_campaigns");
    const { status, json } = await createReport(caller, { startDate, endDate, configuration });
    assert.deepEqual([status, json], [400, { code: "400", detail }]);
  });
}

Deno.test("each kind of report is kept for its own number of days", async () => {
  await using caller = await Caller.start();
  const first = {
    sp_targeting: "2026-06-27",
    sp_search_terms: "2026-07-27",
    sb_search_terms: "2026-08-01",
  } as const;
  for (const [preset, day] of Object.entries(first)) {
    const configuration = configurationOf(preset as keyof typeof first);
    const taken = await createReport(caller, { startDate: day, endDate: day, configuration });
    assert.equal(taken.status, 200, taken.text);
    const before = new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
    const refused = await createReport(caller, { startDate: before, endDate: before, configuration });
    assert.match(refused.json.detail, new RegExp(`retention start date \\(${day}\\)$`));
  }
});

Deno.test("today is a day of the profile's time zone", async () => {
  await using caller = await Caller.start({ clock: { now: "2026-09-30T20:00:00Z", frozen: true } });
  const asked = {
    startDate: "2026-10-01",
    endDate: "2026-10-01",
    configuration: configurationOf("sp_campaigns"),
  };
  const tokyo = await createReport(caller, asked, { profile: caller.profile("JP") });
  const losAngeles = await createReport(caller, asked, { profile: caller.profile("US") });
  assert.deepEqual([tokyo.status, losAngeles.status], [200, 400]);
});
