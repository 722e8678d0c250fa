import assert from "node:assert/strict";
import { test } from "node:test";
import { addDays } from "../../src/base/time/calendar.ts";
import { BadRequestError, ConfigurationError } from "../../src/errors.ts";
import type { ReportProgress } from "../../src/client/reports/requests/run_options.ts";
import { ReportHost } from "../support/report_host.ts";

const DAYS = ["2026-09-01", "2026-09-10"] as const;

test("run() asks, waits from 5 s up, and returns the rows with their ids as text", async () => {
  const host = new ReportHost();
  host.states = ["PENDING", "PENDING", "PROCESSING", "COMPLETED"];
  host.rows = () => [{ date: "2026-09-01", campaignId: 12, cost: 1.5 }];
  const rows = await host.client().reports.run("sp_placement", ...DAYS);

  assert.deepEqual(rows, [{ date: "2026-09-01", campaignId: "12", cost: 1.5 }]);
  assert.deepEqual(host.waits, [5, 7.5, 11.25]);
  const [create] = host.asked("POST");
  assert.equal(create!.headers.get("content-type"), "application/vnd.createasyncreportrequest.v3+json");
  assert.equal(create!.headers.get("accept"), "application/vnd.createasyncreportresponse.v3+json");
  assert.equal(create!.headers.get("platform-advertising-api-scope"), "1001");
  const { configuration, ...rest } = create!.body as Record<string, Record<string, unknown>>;
  assert.deepEqual(rest, {
    name: "sp_placement 2026-09-01..2026-09-10",
    startDate: "2026-09-01",
    endDate: "2026-09-10",
  });
  const { columns, ...others } = configuration!;
  assert.deepEqual(others, {
    adProduct: "SPONSORED_PRODUCTS",
    reportTypeId: "spCampaigns",
    groupBy: ["campaign", "campaignPlacement"],
    timeUnit: "DAILY",
    format: "GZIP_JSON",
  });
  assert.deepEqual((columns as string[]).slice(0, 3), ["date", "campaignId", "campaignName"]);
});

test("run() sends the file host no header of the platform", async () => {
  const host = new ReportHost();
  await host.client().reports.run("sp_placement", ...DAYS);
  const files = host.seen.filter(({ url }) => url.hostname === "files.test");
  assert.equal(files.length, 1);
  assert.deepEqual([...files[0]!.headers.keys()], []);
});

test("run() splits long ranges and asks for every part before it waits for any", async () => {
  const host = new ReportHost();
  const rows = await host.client().reports.run("sp_placement", "2026-07-01", "2026-09-25");
  assert.deepEqual(rows.map(({ date }) => date), ["2026-07-01", "2026-08-01", "2026-09-01"]);
  const methods = host.seen.filter(({ url }) => url.pathname.startsWith("/reporting")).map(({ method }) =>
    method
  );
  assert.deepEqual(methods.slice(0, 4), ["POST", "POST", "POST", "GET"]);
});

test("run() with SUMMARY takes the first and last day in place of the date", async () => {
  const host = new ReportHost();
  await host.client().reports.run("sp_targeting", ...DAYS, { timeUnit: "SUMMARY" });
  const { columns, timeUnit } = host.reports[0]!.configuration;
  assert.equal(timeUnit, "SUMMARY");
  assert.deepEqual(columns.slice(0, 2), ["startDate", "endDate"]);
  assert(!columns.includes("date"));
});

test("run() takes columns, filters, a name and a whole configuration", async () => {
  const host = new ReportHost();
  const { reports } = host.client();
  await reports.run("sp-targeting", ...DAYS, {
    columns: ["keywordId", "clicks", "clicks"],
    filters: { keywordType: ["BROAD", "EXACT"], adKeywordStatus: "ENABLED" },
    name: "mine",
  });
  await reports.run(
    {
      adProduct: "DEMAND_SIDE_PLATFORM",
      reportTypeId: "dspCampaign",
      groupBy: ["order"],
      columns: ["date", "x"],
    },
    ...DAYS,
    { check: false },
  );
  const [first, second] = host.reports;
  assert.equal(first!.name, "mine");
  assert.deepEqual(first!.configuration.columns, ["date", "keywordId", "clicks"]);
  assert.deepEqual(first!.configuration.filters, [
    { field: "keywordType", values: ["BROAD", "EXACT"] },
    { field: "adKeywordStatus", values: ["ENABLED"] },
  ]);
  assert.deepEqual(second!.configuration, {
    adProduct: "DEMAND_SIDE_PLATFORM",
    reportTypeId: "dspCampaign",
    groupBy: ["order"],
    columns: ["date", "x"],
    timeUnit: "DAILY",
    format: "GZIP_JSON",
  });
});

test("run() warns of days past the retention, and of no others", async () => {
  const host = new ReportHost();
  const warnings: string[] = [];
  const onWarning = (message: string): void => void warnings.push(message);
  const { reports } = host.client();
  await reports.run("sb_campaigns", "2026-08-01", "2026-08-05", { onWarning });
  assert.deepEqual(warnings, []);
  await reports.run("sb_campaigns", "2026-07-31", "2026-08-05", { onWarning });
  assert.deepEqual(warnings, [
    'The platform keeps "sb_campaigns" for 60 days: days before 2026-08-01 may come back empty or be refused',
  ]);
  assert.deepEqual(
    reports.requests("sb_campaigns", { start: "2026-07-31", end: "2026-08-05" }).warnings,
    warnings,
  );
});

for (
  const [preset, first] of [
    ["sp_placement", "2026-06-27"],
    ["sp_targeting", "2026-06-27"],
    ["sp_search_terms", "2026-07-27"],
    ["sb_search_terms", "2026-08-01"],
    ["sb_purchased_products", "2026-08-01"],
  ] as const
) {
  test(`${preset} is kept from ${first} on at the end of September 2026`, () => {
    const { reports } = new ReportHost().client();
    const warningsFrom = (start: string): readonly string[] =>
      reports.requests(preset, { start, end: "2026-09-01" }).warnings;
    assert.deepEqual(warningsFrom(first), []);
    assert.match(warningsFrom(addDays(first, -1)).join(), new RegExp(`days before ${first} `));
  });
}

test("run() takes a completed report without an address for no rows", async () => {
  const host = new ReportHost();
  const client = host.client();
  const running = client.reports.run("sp_placement", ...DAYS);
  host.onWait = () => void (host.reports[0]!.file = undefined);
  assert.deepEqual(await running, []);
});

test("run() tells what happens to each report", async () => {
  const host = new ReportHost();
  const told: ReportProgress[] = [];
  await host.client().reports.run("sp_placement", ...DAYS, { onProgress: (progress) => told.push(progress) });
  assert.deepEqual(told.map(({ kind, status, seconds, rows }) => [kind, status, seconds, rows]), [
    ["requested", "PENDING", 0, 0],
    ["waiting", "PENDING", 0, 0],
    ["waiting", "PROCESSING", 5, 0],
    ["waiting", "COMPLETED", 12.5, 0],
    ["reading", "COMPLETED", 12.5, 1],
    ["done", "COMPLETED", 12.5, 1],
  ]);
  assert(told.every(({ reportId }) => reportId === host.reports[0]!.reportId));
});

const refused: [
  what: string,
  run: (reports: ReturnType<ReportHost["client"]>["reports"]) => unknown,
  error: RegExp,
][] = [
  [
    "an unknown preset",
    // @ts-expect-error The compiler finds it too.
    (r) => r.run("sp_plcement", ...DAYS),
    /Cannot find a report "sp_plcement". Did you mean "placement"\?/,
  ],
  [
    "reversed days",
    (r) => r.run("sp_placement", "2026-09-10", "2026-09-01"),
    /the first day is after the last/,
  ],
  [
    "a day that is not one",
    (r) => r.run("sp_placement", "2026-02-30", "2026-03-01"),
    /"2026-02-30" as the first day/,
  ],
  ["a day in words", (r) => r.run("sp_placement", "2026-09-01", "yesterday"), /"yesterday" as the last day/],
  ["the year 0", (r) => r.run("sp_placement", "0000-01-01", "2026-09-01"), /"0000-01-01" as the first day/],
  ["tomorrow", (r) => r.run("sp_placement", "2026-09-01", "2026-10-01"), /"2026-10-01" is in the future/],
  ["a start long ago", (r) => r.run("sp_placement", "1999-01-01", "2026-09-01"), /more than 5 years ago/],
  ["no columns", (r) => r.run("sp_placement", ...DAYS, { columns: [] }), /"columns" is not a list of names/],
  [
    "odd columns",
    (r) => r.run("sp_placement", ...DAYS, { columns: ["a b"] }),
    /"columns" is not a list of names/,
  ],
  ["half a configuration", (r) => r.run({ adProduct: "X" } as never, ...DAYS), /no "reportTypeId"/],
  [
    "a filter of nothing",
    (r) => r.run("sp_placement", ...DAYS, { filters: { a: [] } }),
    /filter a report by "a"/,
  ],
  [
    "another time unit",
    (r) => r.run("sp_placement", ...DAYS, { timeUnit: "HOURLY" as never }),
    /DAILY or SUMMARY/,
  ],
  ["no patience", (r) => r.run("sp_placement", ...DAYS, { timeout: 0 }), /"timeout" 0: it is not above 0/],
  ["too many days in one", (r) => r.create("sp_placement", "2026-07-01", "2026-09-01"), /it takes 31 days/],
  ["an id of dots", (r) => r.status(".."), /"reportId" has nothing but dots/],
  ["an id with a slash", (r) => r.wait("a/b"), /"reportId" contains a slash/],
  ["an id with an escape", (r) => r.download("a%2Fb"), /"reportId" contains a percent escape/],
  ["an empty id", (r) => r.delete(""), /"reportId" is empty/],
];

for (const [what, run, error] of refused) {
  test(`Reports refuses ${what} before anything is sent`, async () => {
    const host = new ReportHost();
    await assert.rejects(async () => await run(host.client().reports), (thrown: Error) => {
      assert(
        thrown instanceof RangeError || thrown instanceof TypeError || thrown instanceof ConfigurationError,
      );
      assert.match(thrown.message, error);
      return true;
    });
    assert.deepEqual(host.seen, []);
  });
}

test("Reports counts days by the clock of the profile's market", () => {
  const host = new ReportHost();
  host.now = Date.parse("2026-09-30T15:30:00Z");
  assert.equal(host.client({ countryCode: "US" }).reports.today, "2026-09-30");
  assert.equal(host.client({ countryCode: "JP" }).reports.today, "2026-10-01");
  host.now = Date.parse("2026-09-30T06:30:00Z");
  assert.equal(host.client({ countryCode: "US" }).reports.today, "2026-09-29");
  assert.equal(host.client({ countryCode: "DE" }).reports.today, "2026-09-30");
});

test("run() passes on what the platform says against a column", async () => {
  const host = new ReportHost();
  const detail = "configuration columns includes invalid values: (x). Allowed values: (a, b)";
  host.intervene = ({ method, url }) =>
    method === "POST" && url.pathname === "/reporting/reports"
      ? Response.json({ code: "400", detail }, { status: 400 })
      : undefined;
  await assert.rejects(
    host.client().reports.run("sp_placement", ...DAYS, { columns: ["x"], check: false }),
    (error: Error) => {
      assert(error instanceof BadRequestError);
      assert(error.message.includes(detail));
      return true;
    },
  );
});
