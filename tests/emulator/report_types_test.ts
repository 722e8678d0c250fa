import assert from "node:assert/strict";
import { COLUMNS } from "../../src/emulator/families/reports/columns.ts";
import { REPORT_TYPES, type ReportType } from "../../src/emulator/families/reports/report_types.ts";
import { Caller } from "./caller.ts";
import { createReport, lookAt, readFile, type Row, sum } from "./report_caller.ts";

const DAYS = { startDate: "2026-09-01", endDate: "2026-09-03" };

async function rowsOf(caller: Caller, type: ReportType): Promise<Row[]> {
  const { adProduct, reportTypeId, groupBy, columns } = type;
  const configuration = {
    adProduct,
    reportTypeId,
    groupBy,
    columns: ["date", ...columns],
    timeUnit: "DAILY",
    format: "GZIP_JSON",
  };
  const created = await createReport(caller, { ...DAYS, configuration });
  assert.equal(created.status, 200, created.text);
  caller.emulator.advance(10);
  return await readFile((await lookAt(caller, created.json.reportId)).json.url);
}

function typeOf(reportTypeId: string, group?: string): ReportType {
  return REPORT_TYPES.find((type) =>
    type.reportTypeId === reportTypeId && (group === undefined || type.groupBy.join() === group)
  )!;
}

Deno.test("every column of every report type is known", () => {
  for (const { reportTypeId, columns } of REPORT_TYPES) {
    assert.deepEqual(columns.filter((column) => !Object.hasOwn(COLUMNS, column)), [], reportTypeId);
  }
  assert.equal(new Set(REPORT_TYPES.map(({ reportTypeId }) => reportTypeId)).size, 22);
});

Deno.test("every report type of all three products gives rows with all of its columns", async () => {
  await using caller = await Caller.start();
  for (const type of REPORT_TYPES) {
    const rows = await rowsOf(caller, type);
    const what = `${type.reportTypeId} by ${type.groupBy}`;
    assert.ok(rows.length > 0, what);
    assert.deepEqual(Object.keys(rows[0]!), ["date", ...type.columns], what);
  }
});

/** Reports whose sums must be those of the report by campaign, and the columns that they share. */
const SPLITS: readonly (readonly [campaigns: string, split: string, group: string | undefined])[] = [
  ["sbCampaigns", "sbAds", undefined],
  ["sbCampaigns", "sbAdGroup", undefined],
  ["sbCampaigns", "sbCampaignPlacement", "campaign"],
  ["sdCampaigns", "sdAdGroup", "adGroup"],
  ["sdCampaigns", "sdTargeting", "targeting"],
  ["sdCampaigns", "sdAdvertisedProduct", undefined],
  ["spCampaigns", "spAudiences", undefined],
];
Deno.test("reports of the same days agree with each other", async () => {
  await using caller = await Caller.start();
  for (const [campaigns, split, group] of SPLITS) {
    const whole = typeOf(campaigns, "campaign");
    const part = typeOf(split, group);
    const [wholeRows, partRows] = [await rowsOf(caller, whole), await rowsOf(caller, part)];
    const columns = [
      "impressions",
      "clicks",
      "cost",
      "purchases",
      "sales",
      "unitsSold",
      "addToCart",
      "purchases14d",
    ]
      .filter((column) => whole.columns.includes(column) && part.columns.includes(column));
    assert.ok(columns.length >= 3, split);
    for (const column of columns) {
      assert.equal(sum(partRows, column), sum(wholeRows, column), `${split} ${column}`);
    }
  }
});

Deno.test("gross figures are what counts and what was left out as invalid", async () => {
  await using caller = await Caller.start();
  for (const row of await rowsOf(caller, typeOf("spGrossAndInvalids"))) {
    assert.equal(Number(row.grossImpressions), Number(row.impressions) + Number(row.invalidImpressions));
    assert.equal(Number(row.grossClickThroughs), Number(row.clicks) + Number(row.invalidClickThroughs));
  }
});

Deno.test("a report of gross figures may cover a year, others a month", async () => {
  await using caller = await Caller.start();
  const ask = ({ adProduct, reportTypeId, groupBy }: ReportType) =>
    createReport(caller, {
      startDate: "2026-07-01",
      endDate: "2026-09-10",
      configuration: {
        adProduct,
        reportTypeId,
        groupBy,
        columns: ["date", "impressions"],
        timeUnit: "DAILY",
        format: "GZIP_JSON",
      },
    });
  assert.equal((await ask(typeOf("sdGrossAndInvalids"))).status, 200);
  assert.match((await ask(typeOf("spCampaigns", "campaign"))).text, /maximum range \(31 days\)/);
});
