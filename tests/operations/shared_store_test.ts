import { copyFileSync, existsSync, renameSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { namedReport } from "../../src/client/reports/requests/named_report.ts";
import { sync } from "../../src/operations/reads/sync.ts";
import { layoutOf } from "../../src/store/model/report_layout.ts";
import { SqliteDriver } from "../../src/store/sqlite/sqlite_driver.ts";
import { Warehouse } from "../../src/store/warehouse/warehouse.ts";
import { equal, ok } from "../support/assert.ts";
import { interfaces } from "./support/interfaces.ts";

type Interfaces = Awaited<ReturnType<typeof interfaces>>;

/** A program that runs for long, and works on a store that others write to. */
interface User {
  /** Runs a query of one value, as of now where it says so. */
  readonly read: (at: Interfaces, sql: string, asOf?: string) => Promise<unknown>;
  /** Stores a report. */
  readonly write: (at: Interfaces) => Promise<boolean>;
  readonly stop: (at: Interfaces) => Promise<void>;
}

const REPORT = { reports: ["placement"], start: "-2", entities: false };

const USERS: Readonly<Record<string, User>> = {
  "the console": {
    read: async ({ page }, sql, asOf) => {
      const { status, data } = await page.ask("/api/store/query", { sql, as_of: asOf });
      equal(status, 200, JSON.stringify(data));
      return data.rows[0][0];
    },
    write: async ({ routeOfSync }) => (await routeOfSync(REPORT))["state"] === "done",
    stop: ({ stopConsole }) => stopConsole(),
  },
  "the tool server": {
    read: async ({ agent }, sql, asOf) => {
      const { data, text, isError } = await agent.call("query_reports", { sql, as_of: asOf });
      ok(!isError, text);
      return Object.values(data.rows[0])[0];
    },
    write: async ({ tool }) => !(await tool(sync, REPORT)).isError,
    stop: ({ context }) => context.stop(),
  },
};

for (const [name, { read, write, stop }] of Object.entries(USERS)) {
  Deno.test(`${name} reads what another process has just written, and no longer once it has stopped`, async () => {
    await using at = await interfaces();
    const place = `${at.world.folder}/ads.sqlite`;
    const other = await Warehouse.open(place);
    await other.close();
    copyFileSync(place, `${place}.copy`);
    const clicks = (): Promise<unknown> => read(at, "SELECT coalesce(sum(clicks), 0) FROM sp_placement");
    equal(await clicks(), 0);
    const writer = await SqliteDriver.open(place);
    const day = { report: "sp_placement", start: "2026-11-01", end: "2026-11-01" } as const;
    await new Warehouse(writer).replace({ profileId: "1", countryCode: "US", ...day }, [
      { date: day.start, campaignId: "9", placementClassification: "Other", clicks: 3 },
    ]);
    equal(await clicks(), 3);
    const layout = layoutOf(await namedReport("sdCampaigns:matchedTarget"));
    await writer.addReport(layout);
    await writer.close();
    const now = new Date(at.world.emulator.clock.now()).toISOString();
    equal(await read(at, `SELECT count(*) FROM ${layout.view}`, now), 0);
    renameSync(`${place}.copy`, place);
    equal(await clicks(), 0, "the file that took its place");
    ok(existsSync(`${place}-wal`), "it is open");
    await stop(at);
    ok(!existsSync(`${place}-wal`), "it is closed");
  });

  Deno.test(`${name} reads on while a sync waits for a store that another process writes to`, async () => {
    await using at = await interfaces();
    const place = `${at.world.folder}/ads.sqlite`;
    await (await Warehouse.open(place)).close();
    const other = new DatabaseSync(place);
    other.exec("PRAGMA busy_timeout = 60000; BEGIN IMMEDIATE");
    let isLocked = true;
    const unlock = (): void => {
      if (isLocked) other.exec("COMMIT");
      isLocked = false;
    };
    // Only ends a hang.
    const limit = setTimeout(unlock, 60_000);
    let isOver = false;
    const writing = write(at).finally(() => isOver = true);
    try {
      for (let looks = 0; looks < 30; looks += at.world.emulator.requests().length > 0 ? 1 : 0) {
        equal(await read(at, "SELECT count(*) FROM sp_placement"), 0);
        ok(isLocked && !isOver, "it waited for the writer");
        await new Promise((done) => setTimeout(done));
      }
    } finally {
      clearTimeout(limit);
      unlock();
      other.close();
    }
    ok(await writing);
    ok(Number(await read(at, "SELECT count(*) FROM sp_placement")) > 0);
  });
}
