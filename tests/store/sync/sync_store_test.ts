import assert from "node:assert/strict";
import { test } from "node:test";
import { ShrinkError, StoreError } from "../../../src/store/model/store_error.ts";
import { OtherAccountError } from "../../../src/store/sync/check_accounts.ts";
import type { SyncOptions, SyncProgress } from "../../../src/store/sync/sync_options.ts";
import type { SyncResult } from "../../../src/store/sync/sync_result.ts";
import { syncStore } from "../../../src/store/sync/sync_store.ts";
import { ReportHost } from "../../support/report_host.ts";
import { MemoryDriver } from "./memory_driver.ts";

const DAYS = { start: "2026-08-01", end: "2026-09-29" };

class World {
  readonly host = new ReportHost();
  readonly memory = new MemoryDriver();
  readonly told: SyncProgress[] = [];
  readonly warnings: string[] = [];

  sync(options: SyncOptions = {}, profileIds = ["1"]): Promise<SyncResult> {
    const profiles = profileIds.map((profileId) => this.host.client({ profileId }));
    return syncStore({ driver: this.memory.driver, now: () => this.host.now, profiles }, {
      reports: ["sp_placement"],
      ...DAYS,
      onProgress: (progress) => this.told.push(progress),
      onWarning: (warning) => this.warnings.push(warning),
      ...options,
    });
  }
}

test("sync() tells every report that it plans before anything is sent", async () => {
  const world = new World();
  let sent = 0;
  const result = await world.sync({
    onProgress: (progress) => {
      if (progress.kind === "planned") sent += world.host.seen.length;
      world.told.push(progress);
    },
  });
  assert.equal(sent, 0);
  assert(result.ok && !result.stopped);
  assert.deepEqual(
    world.told.slice(0, 3).map((
      { kind, report, start, end, status, reportId, seconds, rows },
    ) => [kind, report, start, end, status, reportId, seconds, rows]).slice(0, 2),
    [
      ["planned", "sp_placement", "2026-08-01", "2026-08-31", "asking", null, 0, 0],
      ["planned", "sp_placement", "2026-09-01", "2026-09-29", "asking", null, 0, 0],
    ],
  );
  assert.notEqual(world.told[2]?.kind, "planned");
  await world.sync({ onProgress: undefined });
});

test("sync() reports what was stored also where the maturity of figures cannot be judged", async () => {
  const world = new World();
  const result = await world.sync();
  assert(result.ok);
  assert.equal(world.warnings.length, 1);
  assert.match(
    world.warnings[0]!,
    /^Cannot judge how much of recent figures is still to come: Not expected: /,
  );
  assert((await world.sync({ onWarning: undefined })).ok);
  const one = new World();
  assert.equal((await one.sync({ start: "2026-09-29" })).outcomes.length, 1);
  assert.equal(one.warnings.length, 1);
  const other = new World();
  await other.sync({}, []);
  assert.deepEqual(other.warnings, [], "nothing was pulled");
});

test("sync() sends nothing for profiles of another account than that of the store", async () => {
  const world = new World();
  world.memory.held = [{ profileId: "7", countryCode: "US" }];
  await assert.rejects(world.sync(), OtherAccountError);
  assert.deepEqual([world.host.asked("POST"), world.memory.entries], [[], []]);
});

test("sync() takes up no further report when the store fails, for no other would fare better", async () => {
  const world = new World();
  let tries = 0;
  Object.assign(world.memory, {
    replace: () => (tries++, Promise.reject(new StoreError("Cannot use store: the disk is full"))),
  });
  const result = await world.sync({ concurrency: 1 }, ["1", "2", "3"]);
  assert.equal(result.stopped, false, "the caller did not stop it");
  assert.equal(result.outcomes.length, 6);
  assert(
    result.outcomes.every(({ state, error }) => state === "left" && /disk is full/.test(error!.message)),
  );
  assert(tries <= 2, `${tries} reports came as far as the store`);
});

test("sync() goes on with the others when days of one report are held back, or one report fails", async () => {
  for (const error of [new ShrinkError("Held back", []), new RangeError("of other days")]) {
    const world = new World();
    const { replace } = world.memory;
    let tries = 0;
    Object.assign(world.memory, {
      replace: (...args: Parameters<typeof replace>) =>
        tries++ === 0 ? Promise.reject(error) : replace(...args),
    });
    const result = await world.sync({ concurrency: 1 });
    assert.equal(tries, 2, error.name);
    assert.deepEqual(result.outcomes.map(({ state }) => state).sort()[1], "stored");
  }
});

test("sync() that the caller stopped says so, and judges nothing", async () => {
  const world = new World();
  const stop = new AbortController();
  world.host.onWait = () => stop.abort(new Error("Ctrl-C"));
  const result = await world.sync({ signal: stop.signal });
  assert(result.stopped);
  assert(result.outcomes.every(({ state, error }) => state === "left" && error?.message === "Ctrl-C"));
  assert.deepEqual(world.warnings, []);
  assert.equal((await world.sync({ signal: new AbortController().signal })).stopped, false);
});

test("sync() sends so many requests at a time, at least one", async () => {
  for (const concurrency of [0, -1, 1.5, NaN]) {
    await assert.rejects(new World().sync({ concurrency }), /^RangeError: Cannot send .* requests at a time/);
  }
  for (const [concurrency, limit] of [[1, 1], [3, 3], [undefined, 8]] as const) {
    const world = new World();
    let [busy, most] = [0, 0];
    const answer = world.host.fetch.bind(world.host);
    world.host.fetch = async (input, init) => {
      if (!input.includes("api.test")) return await answer(input, init);
      most = Math.max(most, ++busy);
      await new Promise((done) => setTimeout(done));
      busy--;
      return await answer(input, init);
    };
    await world.sync({ concurrency }, ["1", "2", "3", "4", "5", "6"]);
    assert.equal(most, limit);
  }
});
