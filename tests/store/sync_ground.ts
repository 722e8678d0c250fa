import { test } from "node:test";
import type { ReportRow } from "../../src/reports/report_row.ts";
import { SqliteDriver } from "../../src/store/sqlite/sqlite_driver.ts";
import { Warehouse } from "../../src/store/warehouse.ts";
import { type HostedReport, ReportHost } from "../support/report_host.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

/** What one test of sync is given. */
export interface Ground {
  readonly host: ReportHost;
  readonly store: Warehouse;
  readonly reopen: () => Promise<Warehouse>;
}

/** A test of sync on a new store, against a stand-in for the report service. */
export function syncTest(what: string, run: (ground: Ground) => Promise<void>): void {
  test(`sync() ${what}`, async () => {
    const folder = await temporaryFolder();
    const host = new ReportHost();
    host.rows = dailyRows;
    const open: Warehouse[] = [];
    const reopen = async (): Promise<Warehouse> => {
      const driver = await SqliteDriver.open(folder.file("ads.sqlite"));
      open.push(new Warehouse(driver, { now: () => host.now }));
      return open.at(-1)!;
    };
    try {
      await run({ host, store: await reopen(), reopen });
    } finally {
      for (const store of open) await store.close();
      await folder.remove();
    }
  });
}

/** A row a day; its cost tells when it was reported, so that a restatement shows. */
function dailyRows({ startDate, endDate, createdAt, profileId }: Omit<HostedReport, "file">): ReportRow[] {
  const rows: ReportRow[] = [];
  for (let time = Date.parse(startDate); time <= Date.parse(endDate); time += 86_400_000) {
    const date = new Date(time).toISOString().slice(0, 10);
    rows.push({
      date,
      campaignId: profileId,
      adGroupId: "1",
      keywordId: "1",
      searchTerm: "x",
      cost: Math.floor(createdAt / 86_400_000),
    });
  }
  return rows;
}

/** One report is enough for most tests. */
export const ONE = { reports: ["sp_placement"] };

/** Days of the reports that were asked for. */
export function ranges(host: ReportHost): string[] {
  return host.reports.map(({ startDate, endDate }) => `${startDate}..${endDate}`);
}
