import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfigurationError } from "../../../src/errors.ts";
import type { LedgerEntry } from "../../../src/store/model/ledger_entry.ts";
import type { CoveredRange } from "../../../src/store/model/store_driver.ts";
import { type PlannedPull, planSync } from "../../../src/store/sync/plan_sync.ts";
import type { SyncOptions } from "../../../src/store/sync/sync_options.ts";
import type { SyncProfile } from "../../../src/store/sync/sync_profile.ts";
import { ReportHost } from "../../support/report_host.ts";
import { entry } from "../contract/ground.ts";
import { MemoryDriver } from "./memory_driver.ts";

const HOUR = 3600_000;
/** Noon of 30 September in UTC; the platform keeps placements for 95 days, and one day more than sync counts on. */
const NOW = Date.parse("2026-09-30T12:00:00Z");
const FIRST_KEPT = "2026-06-28";

class World {
  readonly host = new ReportHost();
  readonly memory = new MemoryDriver();
  readonly warnings: string[] = [];

  plan(
    options: SyncOptions = {},
    profiles: readonly SyncProfile[] = [this.host.client()],
  ): Promise<PlannedPull[]> {
    return planSync(this.memory.driver, profiles, {
      reports: ["sp_placement"],
      onWarning: (warning) => this.warnings.push(warning),
      ...options,
    });
  }

  async ranges(options: SyncOptions = {}): Promise<string[]> {
    return (await this.plan(options)).map(({ entry: { start, end } }) => `${start}..${end}`);
  }

  /** An entry of the ledger that asks for what sync would ask for today. */
  async asked(fields: Partial<LedgerEntry>): Promise<LedgerEntry> {
    const { start = "2026-09-01", end = "2026-09-10" } = fields;
    const other = new World();
    const [pull] = await other.plan({ start, end });
    const asked = { ...pull!.entry, id: "x", ...fields };
    this.memory.entries.push(asked);
    return asked;
  }

  cover(start: string, end: string): void {
    this.memory.covered = [range(start, end)];
  }
}

function range(start: string, end: string): CoveredRange {
  const lastPull = "2026-09-29T00:00:00.000Z";
  return { profileId: "1001", countryCode: "US", report: "sp_placement", start, end, rows: 1, lastPull };
}

function ago(hours: number): string {
  return new Date(NOW - hours * HOUR).toISOString();
}

test("planSync() writes an entry for each report before anything is asked for", async () => {
  const world = new World();
  const [pull, ...others] = await world.plan({ start: "2026-09-01", end: "2026-09-10" });
  assert.deepEqual(others, []);
  const { id, configuration, fingerprint, ...fields } = pull!.entry;
  assert.deepEqual(fields, {
    profileId: "1001",
    countryCode: "US",
    report: "sp_placement",
    start: "2026-09-01",
    end: "2026-09-10",
    state: "asking",
    reportId: null,
    askedAt: "2026-09-30T12:00:00.000Z",
    changedAt: "2026-09-30T12:00:00.000Z",
    rows: null,
    problem: null,
  });
  assert.match(id, /^[\da-f-]{36}$/);
  assert.equal(configuration.reportTypeId, "spCampaigns");
  assert.equal(pull!.resumed, false);
  assert.deepEqual(world.memory.entries, [pull!.entry]);
  assert.deepEqual(world.host.seen, []);
  const [same] = await world.plan({ start: "2026-09-01", end: "2026-09-10" });
  assert.deepEqual([same!.entry.id, same!.resumed], [id, true], "the same question is open already");
  assert.equal(fingerprint, same!.entry.fingerprint);
});

test("planSync() begins the day after the first that is kept, and ends yesterday", async () => {
  const found = await new World().ranges();
  assert.deepEqual([found[0]?.slice(0, 10), found.at(-1)?.slice(-10)], [FIRST_KEPT, "2026-09-29"]);
  assert.deepEqual(await new World().ranges({ end: FIRST_KEPT }), [`${FIRST_KEPT}..${FIRST_KEPT}`]);
  assert.deepEqual(await new World().ranges({ end: "2026-06-20" }), [], "nothing of it is kept");
});

test("planSync() asks for no day before the first that is kept, and warns once of days before", async () => {
  const world = new World();
  assert.deepEqual(await world.ranges({ start: "2026-06-27", end: FIRST_KEPT }), [
    `2026-06-27..${FIRST_KEPT}`,
  ]);
  assert.deepEqual(world.warnings, []);
  const profiles = ["1", "2", "3"].map((profileId) => world.host.client({ profileId }));
  const [pull] = await world.plan({ start: "2026-06-26", end: FIRST_KEPT }, profiles);
  assert.equal(pull!.entry.start, "2026-06-27");
  assert.equal(world.warnings.length, 1);
  assert.match(
    world.warnings[0]!,
    /^The platform keeps "sp_placement" for 95 days: days before 2026-06-27 are not requested, and stored ones are kept/,
  );
  await new World().plan({ start: "2026-06-26", end: FIRST_KEPT, onWarning: undefined });
});

test("planSync() takes the default reports and 42 days before the newest stored one, when nothing is said", async () => {
  const world = new World();
  world.cover("2026-06-01", "2026-09-29");
  const plans = await world.plan({ reports: undefined });
  assert.deepEqual(plans.map(({ entry: { report, start, end } }) => `${report} ${start}..${end}`), [
    ...["sp_placement", "sp_targeting", "sp_search_terms"].flatMap((report) => [
      `${report} 2026-08-18..2026-09-17`,
      `${report} 2026-09-18..2026-09-29`,
    ]),
  ]);
});

test("planSync() adds the table of each report before its entries are written", async () => {
  const world = new World();
  let written = 0;
  const { openLedger } = world.memory;
  Object.assign(world.memory, {
    openLedger: (entry: LedgerEntry) => {
      written++;
      assert.deepEqual(world.memory.added, ["sp_placement", "sd_campaigns_by_matched_target"]);
      return openLedger(entry);
    },
  });
  await world.plan({
    reports: ["sp_placement", "sdCampaigns:matchedTarget"],
    start: "2026-09-01",
    end: "2026-09-01",
  });
  assert.equal(written, 2);
});

test("planSync() plans a profile or a report that is named twice once", async () => {
  const world = new World();
  const plans = await world.plan(
    { reports: ["sp_placement", "sp-placement"], start: "2026-09-01", end: "2026-09-01" },
    [world.host.client(), world.host.client(), world.host.client({ profileId: "2" })],
  );
  assert.deepEqual(plans.map(({ profile }) => profile.profileId), ["1001", "2"]);
});

test("planSync() refuses reports without days, and windows that are no whole number", async () => {
  const world = new World();
  await assert.rejects(
    world.plan({ reports: ["conversionPath:brandConversionPath"] }),
    ConfigurationError,
  );
  await assert.rejects(world.plan({ restateDays: -1 }), /^RangeError: Cannot restate -1 days/);
  await assert.rejects(world.plan({ restateDays: 0.5 }), RangeError);
  await assert.rejects(world.plan({ end: "2026-9-1" }), /"2026-9-1" as the last day/);
  world.cover("2026-06-01", "2026-09-29");
  assert.deepEqual(await world.ranges({ restateDays: 0 }), ["2026-09-29..2026-09-29"]);
});

test("planSync() resumes a report that is being built, and does not ask for its days beside it", async () => {
  const world = new World();
  world.cover("2026-06-01", "2026-09-29");
  await world.asked({
    state: "building",
    reportId: "r-1",
    askedAt: ago(1),
    start: "2026-09-29",
    end: "2026-09-29",
  });
  const [pull, ...others] = await world.plan({ restateDays: 0 });
  assert.deepEqual([pull?.entry.reportId, pull?.resumed, others], ["r-1", true, []]);
});

test("planSync() gives up a report that is not delivered any more, and asks for its days anew", async () => {
  const world = new World();
  world.cover("2026-06-01", "2026-09-29");
  await world.asked({ state: "building", reportId: "r-1", askedAt: ago(15 * 24) });
  assert.deepEqual(await world.ranges({ restateDays: 0 }), [
    "2026-09-01..2026-09-10",
    "2026-09-29..2026-09-29",
  ]);
  const dropped = world.memory.entries.find(({ id }) => id === "x");
  assert.deepEqual([dropped?.state, dropped?.problem, dropped?.changedAt], [
    "dropped",
    "A newer report is asked for instead",
    "2026-09-30T12:00:00.000Z",
  ]);
});

test("planSync() asks again for days that failed, but for those that were stored or given up since", async () => {
  const world = new World();
  world.cover("2026-06-01", "2026-09-29");
  const failed = await world.asked({ state: "failed", problem: "refused", askedAt: ago(48) });
  const since: string[] = [];
  world.memory.coveredSince = (time) => {
    since.push(time);
    return [range("2026-09-04", "2026-09-10")];
  };
  assert.deepEqual(await world.ranges({ restateDays: 0 }), [
    "2026-09-01..2026-09-03",
    "2026-09-29..2026-09-29",
  ]);
  assert.deepEqual(since, [failed.askedAt]);
  assert.deepEqual(world.memory.entries.find(({ id }) => id === "x"), failed, "a failed one stays as it is");
});

test("planSync() leaves out failed days that are not kept any more, to the day", async () => {
  const world = new World();
  world.cover("2026-06-01", "2026-09-29");
  let looks = 0;
  world.memory.coveredSince = () => (looks++, []);
  await world.asked({ state: "failed", start: "2026-06-01", end: "2026-06-27", askedAt: ago(48) });
  assert.deepEqual(await world.ranges({ restateDays: 0 }), ["2026-09-29..2026-09-29"]);
  assert.equal(looks, 0, "nothing of it is wanted");
  world.memory.entries = [];
  await world.asked({ id: "y", state: "failed", start: "2026-06-01", end: FIRST_KEPT, askedAt: ago(48) });
  assert.deepEqual(await world.ranges({ restateDays: 0 }), [
    `${FIRST_KEPT}..${FIRST_KEPT}`,
    "2026-09-29..2026-09-29",
  ]);
});

test("planSync() does not pull again what was stored since the first of the fresh reports was asked for", async () => {
  const world = new World();
  world.cover("2026-06-01", "2026-09-29");
  const since: string[] = [];
  world.memory.coveredSince = (time) => {
    since.push(time);
    return [range("2026-09-20", "2026-09-27")];
  };
  await world.asked({ state: "building", askedAt: ago(2), start: "2026-08-01", end: "2026-08-01" });
  await world.asked({ id: "y", state: "building", askedAt: ago(3), start: "2026-08-02", end: "2026-08-02" });
  await world.asked({ id: "z", state: "building", askedAt: ago(20), start: "2026-08-03", end: "2026-08-03" });
  const plans = await world.plan({ restateDays: 10, freshSince: ago(1) });
  assert.deepEqual(
    since,
    [ago(3)],
    "the oldest of them and of what the caller says; one of last night is not fresh",
  );
  assert.deepEqual(plans.filter(({ resumed }) => !resumed).map(({ entry: { start, end } }) => [start, end]), [
    ["2026-09-19", "2026-09-19"],
    ["2026-09-28", "2026-09-29"],
  ]);
  since.length = 0;
  world.memory.entries = [];
  await world.plan({ restateDays: 10, freshSince: ago(5) });
  assert.deepEqual(since, [ago(5)]);
  since.length = 0;
  world.memory.entries = [];
  await world.plan({ restateDays: 10 });
  assert.deepEqual(since, [], "nothing tells of an earlier sync");
});

test("planSync() does not plan a report twice that is resumed and asked for beside", async () => {
  const world = new World();
  // Of last night: it is resumed, and its days are asked for anew, over which the ledger gives the open entry.
  await world.asked({ state: "building", reportId: "r-1", askedAt: ago(20) });
  const plans = await world.plan({ start: "2026-09-01", end: "2026-09-10" });
  assert.deepEqual(plans.map(({ entry: { id }, resumed }) => [id, resumed]), [["x", true]]);
});

test("planSync() asks for nothing of a report that it does not know how to name", async () => {
  const world = new World();
  world.memory.entries = [entry({ state: "building", fingerprint: "of other columns", askedAt: ago(1) })];
  world.cover("2026-06-01", "2026-09-29");
  const plans = await world.plan({ restateDays: 0 });
  assert(plans.every(({ resumed }) => !resumed));
  assert.equal(world.memory.entries.find(({ id }) => id === "x")?.state, "dropped");
});
