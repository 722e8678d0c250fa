import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import { BrokenReportFile, readRows } from "../../src/client/reports/file/read_rows.ts";
import { namedReport } from "../../src/client/reports/requests/named_report.ts";
import { reportTypes } from "../../src/client/reports/requests/report_types.ts";
import type { ReportRow } from "../../src/client/reports/file/report_row.ts";
import { emulated } from "../support/emulated.ts";
import { long } from "../support/long.ts";

const DAYS = ["2026-09-20", "2026-09-21"] as const;

long();
test("a report has the same rows as JSON, as CSV and as a workbook, for every type that offers them", async () => {
  await using world = await emulated({
    emulator: { clock: { now: "2026-09-30T12:00:00Z", frozen: true }, quirks: { reportSeconds: 0 } },
  });
  let compared = 0;
  for (const { reportTypeId, formats } of (await reportTypes()).values()) {
    const report = await namedReport(reportTypeId);
    const rows = await world.us.reports.run(report, ...DAYS);
    for (const format of formats.filter((each) => each !== "GZIP_JSON")) {
      assert.deepEqual(
        await world.us.reports.run(report, ...DAYS, { format }),
        rows,
        `${reportTypeId} ${format}`,
      );
      compared++;
    }
  }
  assert.equal(compared, 17);
});

test("a format that a type does not offer is refused before anything is sent", async () => {
  await using world = await emulated();
  await assert.rejects(
    async () => await world.us.reports.run("sp_campaigns", ...DAYS, { format: "CSV" }),
    /Cannot request a report of type spCampaigns: its format is GZIP_JSON, not CSV/,
  );
});

async function csv(...pieces: (string | Uint8Array)[]): Promise<ReportRow[]> {
  const rows: ReportRow[] = [];
  const source = pieces.map((piece) => typeof piece === "string" ? Buffer.from(piece) : piece);
  for await (const batch of readRows(source, { format: "CSV" })) rows.push(...batch);
  return rows;
}

test("cells of CSV are texts, numbers or nothing by the type of their column", async () => {
  assert.deepEqual(
    await csv(
      '\ufeffdate,campaignId,campaignName,clicks,cost,strange\r\n2026-09-01,17000000000000000001,"a, ""b""\nc",7,1.50,x\r\n,,,,,y',
    ),
    [
      {
        date: "2026-09-01",
        campaignId: "17000000000000000001",
        campaignName: 'a, "b"\nc',
        clicks: 7,
        cost: 1.5,
        strange: "x",
      },
      { date: null, campaignId: null, campaignName: null, clicks: null, cost: null, strange: "y" },
    ],
  );
});

test("a CSV file that is cut short, or whose lines do not fit, is broken", async () => {
  for (
    const [text, why] of [
      ["", /it is empty/],
      ["date,clicks\n2026-09-01,1\n2026-09-02", /line 3 has 1 cells for 2 columns/],
      ['date,campaignName\n2026-09-01,"cut', /it ends within a text in quotes/],
      ['date,campaignName\n2026-09-01,"a"b\n', /a text in quotes is followed by "b"/],
      [new Uint8Array([0x64, 0x0a, 0xff, 0x0a]), /it is not UTF-8 text/],
    ] as const
  ) await assert.rejects(csv(text), (error) => error instanceof BrokenReportFile && why.test(error.message));
});

test("a workbook that is cut short is broken", async () => {
  const bytes = Buffer.from("PK\x03\x04 and nothing more");
  await assert.rejects(async () => {
    for await (const _ of readRows([bytes], { format: "XLSX" }));
  }, /its archive is cut short/);
});
