import { deepEqual, equal, ok, rejects } from "../../support/assert.ts";
import type { ProfileClient } from "../../../src/client/profile_client.ts";
import { ConfigurationError } from "../../../src/errors.ts";
import type { LedgerEntry } from "../../../src/store/model/ledger_entry.ts";
import type { PostgresDriver } from "../../../src/store/postgres/postgres_driver.ts";
import { LeaseLostError } from "../../../src/store/queue/lease.ts";
import { type JobParts, JobRunner } from "../../../src/store/queue/run_job.ts";
import { fakeSql } from "./fake_sql.ts";

const SUBJECT = { profileId: "1", report: "sp_placement" };
const REPORTS = "/reporting/reports";

interface World {
  readonly runner: JobRunner;
  readonly calls: string[];
  /** Options of the last request of the client. */
  request: { beforeAttempt?: () => Promise<void> };
  isHeld: boolean;
  /** Called when a lease is given back. */
  onRelease: () => void;
  isTaken: boolean;
}

/** A runner whose store has these entries of the ledger, and whose client creates reports `r1`, `r2` ... */
function world(
  entries: readonly Partial<LedgerEntry>[],
  { unknownAtFirst = false, problem }: { unknownAtFirst?: boolean; problem?: Error } = {},
): World {
  const calls: string[] = [];
  const made: World = {
    runner: undefined as unknown as JobRunner,
    calls,
    request: {},
    isHeld: true,
    onRelease: () => {},
    isTaken: true,
  };
  const { sql } = fakeSql({
    "INSERT INTO sync_leases": () => made.isTaken ? [{}] : [],
    "SELECT 1 FROM workers": () => made.isHeld ? [{}] : [],
    "DELETE FROM sync_leases": () => {
      calls.push("released");
      made.onRelease();
      return [];
    },
  });
  const driver = {
    database: { sql },
    guarded: () => driver,
    ledger: (filter: object) => {
      calls.push(`ledger ${JSON.stringify(filter)}`);
      return Promise.resolve(entries.map((entry) => ({ ...ENTRY, ...entry })));
    },
    putLedger: ({ state, reportId, start, changedAt }: LedgerEntry) => {
      ok(Math.abs(Date.now() - Date.parse(changedAt)) < 60_000);
      calls.push(`put ${state} ${reportId} ${start}`);
      return Promise.resolve();
    },
  };
  let created = 0;
  const profile = {
    profileId: "1",
    countryCode: "US",
    transport: { now: Date.now },
    profile: {},
    request: (method: string, path: string, options: World["request"]) => {
      calls.push(`${method} ${path}`);
      made.request = options;
      return Promise.resolve({ reportId: `r${++created}`, status: "PENDING" });
    },
  } as unknown as ProfileClient;
  let isKnown = !unknownAtFirst;
  const ads = {
    profile: (id: string) => {
      calls.push(`profile ${id}`);
      if (problem !== undefined) return Promise.reject(problem);
      return isKnown ? Promise.resolve(profile) : Promise.reject(new ConfigurationError("no such profile"));
    },
    profiles: ({ refresh }: { refresh: boolean }) => {
      calls.push(`profiles ${refresh}`);
      isKnown = true;
      return Promise.resolve([]);
    },
  } as unknown as JobParts["ads"];
  const parts = { driver: driver as unknown as PostgresDriver, ads, workerId: () => "w" };
  return Object.assign(made, { runner: new JobRunner(parts) });
}

const ENTRY: Partial<LedgerEntry> = {
  ...SUBJECT,
  state: "asking",
  start: "2026-09-01",
  end: "2026-09-03",
  askedAt: new Date().toISOString(),
  configuration: {
    adProduct: "SPONSORED_PRODUCTS",
    reportTypeId: "spCampaigns",
    groupBy: ["campaign"],
    columns: ["date"],
  },
};
const settle = (at: World, report = SUBJECT.report): Promise<void> =>
  at.runner.settle({ ...SUBJECT, report }, { signal: new AbortController().signal });

Deno.test("what a dead worker was asking for is asked for again, and its id is written down", async () => {
  const at = world([{}, { start: "2026-09-02" }, { state: "building" }]);
  await settle(at);
  deepEqual(at.calls, [
    'ledger {"profileId":"1","report":"sp_placement","unfinished":true}',
    "profile 1",
    `POST ${REPORTS}`,
    "put building r1 2026-09-01",
    `POST ${REPORTS}`,
    "put building r2 2026-09-02",
    "released",
  ]);
});

Deno.test("what was asked for more than an hour ago is left to the next sync", async () => {
  const ago = (seconds: number): Partial<LedgerEntry> => ({
    askedAt: new Date(Date.now() - seconds * 1000).toISOString(),
  });
  const at = world([ago(3590), ago(3610)]);
  await settle(at);
  equal(at.calls.filter((call) => call.startsWith("POST")).length, 1);
  const { now } = Date;
  const began = Date.now();
  Date.now = () => began;
  try {
    const border = world([
      { askedAt: new Date(began - 3_600_000).toISOString() },
      { askedAt: new Date(began - 3_600_001).toISOString() },
    ]);
    await settle(border);
    equal(border.calls.filter((call) => call.startsWith("POST")).length, 1, "to the millisecond");
  } finally {
    Date.now = now;
  }
  const none = world([ago(3610)]);
  await settle(none);
  deepEqual(none.calls.slice(1), ["released"], "no profile is looked up in vain");
});

Deno.test("entities have no report to settle, and what another worker is at is left to it", async () => {
  const at = world([{}]);
  await settle(at, "entities");
  deepEqual(at.calls, []);
  at.isTaken = false;
  await settle(at);
  deepEqual(at.calls, []);
});

Deno.test("one job of a subject runs at a time, and the next can run after it", async () => {
  const at = world([]);
  await Promise.all([settle(at), settle(at)]);
  equal(at.calls.filter((call) => call.startsWith("ledger")).length, 1);
  await settle(at);
  equal(at.calls.filter((call) => call.startsWith("ledger")).length, 2);
});

Deno.test("reports are created by the holder of the lease alone: it is checked before each attempt", async () => {
  const at = world([{}]);
  await settle(at);
  await at.request.beforeAttempt?.();
  at.isHeld = false;
  await rejects(async () => await at.request.beforeAttempt?.(), LeaseLostError);
});

Deno.test("a profile that was made after the profiles were listed is found by listing them anew", async () => {
  const at = world([{}], { unknownAtFirst: true });
  await settle(at);
  deepEqual(at.calls.slice(1, 4), ["profile 1", "profiles true", "profile 1"]);
});

Deno.test("a profile that cannot be looked up for another reason is not looked for again, and the lease is given back", async () => {
  const at = world([{}], { problem: new Error("no response") });
  await rejects(settle(at), /no response/);
  deepEqual(at.calls.slice(1), ["profile 1", "released"]);
});

Deno.test("no job begins while another of the same subject gives its lease back, which it would lose", async () => {
  const at = world([]);
  let second: Promise<void> | undefined;
  at.onRelease = () => second ??= settle(at);
  await settle(at);
  await second;
  equal(at.calls.filter((call) => call.startsWith("ledger")).length, 1);
});
