import { test } from "node:test";
import type { ProfileClient } from "../../src/client/profile_client.ts";
import type { ReportRow } from "../../src/client/reports/file/report_row.ts";
import { SqliteDriver } from "../../src/store/sqlite/sqlite_driver.ts";
import type { StoreDriver } from "../../src/store/model/store_driver.ts";
import type { SyncProfile } from "../../src/store/sync/sync_profile.ts";
import { Warehouse } from "../../src/store/warehouse/warehouse.ts";
import { makeEmptySqlite } from "../support/empty_sqlite.ts";
import { after, before } from "../support/hooks.ts";
import { long } from "../support/long.ts";
import type { TestServer } from "../support/postgres.ts";
import { type HostedReport, ReportHost } from "../support/report_host.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

/** On Node, from a checkout, the packages of PostgreSQL are not there: the suites run on SQLite alone. */
const postgres = "Deno" in globalThis
  ? { ...await import("../support/postgres.ts"), ...await import("../support/store_databases.ts") }
  : undefined;

/** What one test of sync is given. */
export interface Ground {
  readonly host: ReportHost;
  readonly store: Warehouse;
  readonly reopen: () => Promise<Warehouse>;
}

/** A test of sync on a new SQLite store, against a stand-in for the report service. */
export function syncTest(what: string, run: (ground: Ground) => Promise<void>): void {
  test(`sync() ${what}`, async () => {
    const folder = await temporaryFolder();
    try {
      const path = folder.file("ads.sqlite");
      await makeEmptySqlite(path);
      await onGround(() => SqliteDriver.open(path), run);
    } finally {
      await folder.remove();
    }
  });
}

/**
 * Adds tests that each run on a new SQLite store, and on a new PostgreSQL store where there is a server. The second is
 * long: the contract of the drivers holds every day what they rely on.
 */
export function storeTests(): (what: string, run: (ground: Ground) => Promise<void>) => void {
  let server: TestServer | undefined;
  const databases = postgres && new postgres.StoreDatabases(() => server!);
  if (postgres?.hasPostgres) {
    before(async () => void (server = await postgres.testServer()));
    after(() => server?.stop());
  }
  return (what, run) => {
    syncTest(what, run);
    if (!postgres?.hasPostgres) return;
    long();
    test(`sync() ${what}, on PostgreSQL`, async () => {
      const { address, giveBack } = await databases!.take();
      await onGround(() => openPostgres(address), run);
      await giveBack();
    });
  };
}

async function onGround(
  connect: () => Promise<StoreDriver>,
  run: (ground: Ground) => Promise<void>,
): Promise<void> {
  const host = new ReportHost();
  host.rows = dailyRows;
  const open: Warehouse[] = [];
  const reopen = async (): Promise<Warehouse> => {
    open.push(new Warehouse(await connect(), { now: () => host.now }));
    return open.at(-1)!;
  };
  try {
    await run({ host, store: await reopen(), reopen });
  } finally {
    for (const store of open) await store.close();
  }
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

/** Days of the reports that were asked for, earliest first: requests are sent side by side. */
export function ranges(host: ReportHost): string[] {
  return host.reports.map(({ startDate, endDate }) => `${startDate}..${endDate}`).sort();
}

/** A profile with some of its fields replaced. */
export function profileWith(client: ProfileClient, fields: Partial<SyncProfile>): SyncProfile {
  const { profileId, countryCode, transport, profile, loginProfiles } = client;
  return {
    profileId,
    countryCode,
    transport,
    profile,
    loginProfiles,
    request: (method, path, options) => client.request(method, path, options),
    ...fields,
  };
}

/** Its packages are not there when the suite runs on Node from a checkout. */
async function openPostgres(address: string): Promise<StoreDriver> {
  const { PostgresDriver } = await import("../../src/store/postgres/postgres_driver.ts");
  return await PostgresDriver.open(address);
}
