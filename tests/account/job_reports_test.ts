import { JOB_REPORTS, jobReport, jobReportsNamed } from "../../src/account/runs/job_reports.ts";
import { type JobReportRow, jobReportRow, runJobReport } from "../../src/account/runs/run_job_report.ts";
import { deepEqual, equal, match, ok, rejects, throws } from "../support/assert.ts";
import { type Emulated, emulated } from "../support/emulated.ts";

const at: Emulated = await emulated({
  client: {
    sleep: (seconds) => {
      at.time.advance(seconds);
      at.emulator.advance(seconds);
      return Promise.resolve();
    },
  },
});
Deno.test.afterAll(async () => await at[Symbol.asyncDispose]());

const [WEEK_START, WEEK_END] = ["2026-09-14", "2026-09-20"];

function run(word: string, options: { start?: string; end?: string; advertiser?: string } = {}) {
  return Array.fromAsync(
    runJobReport(at.us, jobReport(word)!, { start: WEEK_START, end: WEEK_END, ...options }),
  );
}

Deno.test("every report by name has rows with its columns, of their types", async () => {
  for (const report of JOB_REPORTS) {
    const rows = await run(report.name, report.byAdvertiser ? { advertiser: "590001" } : {});
    ok(rows.length > 0, report.name);
    for (const row of rows) {
      for (const [name, type] of Object.entries(report.columns)) {
        const value = row[name];
        const isTyped = type === "number"
          ? typeof value === "number"
          : typeof value === "string" && (type === "text" || /^2026-09-\d\d$/.test(value));
        ok(isTyped, `${report.name}.${name} is ${JSON.stringify(value)}`);
      }
    }
  }
});

Deno.test("an attribution report is grouped as its name says, and takes one request for a page of 5,000 rows", async () => {
  const days = { start: "2026-08-01", end: WEEK_END };
  const [campaigns, creatives, products] = [
    await run("attribution-campaigns", days),
    await run("attribution_creatives", days),
    await run("Attribution Products", days),
  ];
  deepEqual([campaigns.length, creatives.length, products.length], [102, 204, 204]);
  deepEqual([campaigns[0]?.["creativeId"], typeof creatives[0]?.["creativeId"]], [undefined, "string"]);
  equal(products[0]?.["productAsin"], "B0ATTRIB01");
  at.asked();
  await run("attribution_campaigns");
  deepEqual(at.asked(), ["POST /attribution/report"]);
});

Deno.test("a range that one request cannot have is split, without days that are missing or double", async () => {
  const rows = await run("dsp_campaigns", { start: "2026-07-10", advertiser: "ENTITY1AB" });
  const days = Map.groupBy(rows, (row) => row["intervalStart"]);
  equal(days.size, 73);
  for (const [day, own] of days) equal(own.length, 6, String(day));
});

Deno.test("version 2 of a DSP report names its advertiser and its days in the body, and takes no entity", async () => {
  const asked = at.emulator.requests().length;
  const rows = await run("dsp-campaigns-v2", { advertiser: "590001" });
  equal(rows.length, 7 * 2 * 3);
  const [request] = at.emulator.requests().slice(asked).filter(({ method }) => method === "POST");
  deepEqual([request?.path, request?.operation], ["/na/dsp/reports", "dsp-reports-v2:createReportV2"]);
  deepEqual(JSON.parse(String(request?.body)), {
    ...{ type: "CAMPAIGN", dimensions: ["ORDER", "LINE_ITEM"], timeUnit: "DAILY" },
    ...{ startDate: "20260914", endDate: "20260920", advertiserIds: ["590001"] },
  });
  await rejects(
    run("dsp-campaigns-v2", { advertiser: "ENTITY1AB" }),
    /version 2 only takes ids of advertisers, which are digits, not "ENTITY1AB"/,
  );
});

Deno.test("figures that the platform does not give are empty, and not zero", () => {
  const [brands, dsp] = [jobReport("brand_metrics")!, jobReport("dsp_campaigns")!];
  const shown = (row: JobReportRow): unknown => Object.values(row);
  const row = { metricsComputationDate: "9/5/2026", brandName: "7", awarenessIndex: "N/A", rate: "0.5" };
  deepEqual(shown(jobReportRow(brands, row)), ["2026-09-05", "7", null, 0.5]);
  deepEqual(
    shown(jobReportRow(dsp, {
      intervalStart: Date.parse("2026-09-05"),
      orderId: "123456789012345678901",
      advertiserId: "0042",
      viewabilityRate: "12.5000%",
      totalCost: "",
    })),
    ["2026-09-05", "123456789012345678901", "0042", 0.125, null],
  );
});

Deno.test("all problems of a request are named before anything is sent", async () => {
  at.asked();
  await rejects(
    run("dsp_campaigns", { start: "2026-05-01", end: "2026-09-30" }),
    /2026-09-30 is not over in UTC; end on 2026-09-29 .*keeps 90 days; start on 2026-07-02 .*advertiser is missing/,
  );
  await rejects(
    run("brand_metrics", { start: "1", advertiser: "1" }),
    /start "1" is not a day.*not about an adv/,
  );
  await rejects(
    run("attribution_products", { start: "2026-09-21" }),
    /the end 2026-09-20 is before the start/,
  );
  deepEqual(at.asked(), []);
});

Deno.test("reports are chosen by name or by group, and unknown names are named with the nearest", () => {
  const names = (...words: string[]): string[] => jobReportsNamed(words).map(({ name }) => name);
  deepEqual(names("attribution", "attribution-products").length, 3);
  deepEqual(names("brand_metrics", "DSP"), ["brand_metrics", "dsp_campaigns"]);
  throws(() => names("attribution", "brand-metric", "dps"), (error: unknown) => {
    match(
      (error as Error).message,
      /"brand-metric", did you mean "brand-metrics"\?; .*"dps", did you mean "dsp"\?/,
    );
    return true;
  });
});
