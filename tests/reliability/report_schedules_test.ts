import { deepEqual, equal, ok } from "../support/assert.ts";
import fc from "fast-check";
import { PlatformAdsError, type ProfileClient, type ReportRow } from "../../mod.ts";
import type { FaultEffects, FaultRule } from "../../src/emulator/mod.ts";
import { Warehouse } from "../../src/store/mod.ts";
import { makeEmptySqlite } from "../support/empty_sqlite.ts";
import { amount, SEED, WHOLE_SUITE } from "./support/size.ts";
import { World } from "./support/world.ts";
import { longFile } from "../support/long.ts";

longFile();

const REPORT = "sp_placement";
const [START, END] = ["2026-09-01", "2026-09-12"];
const NOW = "2026-09-30T06:00:00Z";
const MARKET = "CA";

const CREATE = { operation: "createAsyncReport" };
const STATUS = { operation: "getAsyncReport" };
const FILE = { path: "/files/*" };

/** What goes wrong on the way of a report: asking for it, waiting for it, fetching its file. */
const trouble: fc.Arbitrary<FaultRule> = fc.record({
  skip: fc.integer({ min: 0, max: 2 }),
  times: fc.integer({ min: 1, max: 3 }),
  fault: fc.oneof(
    fc.record({
      match: fc.constant(CREATE),
      effects: fc.constantFrom<FaultEffects>(
        { acceptedBut429: true },
        { response: { status: 429, retryAfter: 30 } },
        { response: { status: 429 } },
        { reportOutcome: "FAILED" },
        { reportOutcome: "FAILURE" },
        { reportSeconds: 400 },
      ),
    }),
    fc.record({
      match: fc.constantFrom(STATUS, {}),
      effects: fc.constantFrom<FaultEffects>(
        { response: { status: 503 } },
        { response: { status: 200, body: "<html></html>" } },
        { drop: "before" },
        { drop: "after" },
        { truncate: 30 },
        { expireToken: true },
      ),
    }),
    fc.record({
      match: fc.constant(FILE),
      effects: fc.constantFrom<FaultEffects>(
        { corruptGzip: true },
        { truncate: 300 },
        { response: { status: 503 } },
        { response: { status: 200, body: "<html>Welcome to the internet</html>" } },
        { drop: "before" },
        // Longer than the address of a file is good for.
        { delay: 4000 },
      ),
    }),
  ),
}).map(({ fault, ...rule }) => ({ ...rule, ...fault }));

const schedule = fc.array(trouble, { minLength: 1, maxLength: 4 });

interface Run {
  readonly world: World;
  readonly profile: ProfileClient;
  readonly truth: readonly string[];
}

/** Starts every schedule at the same moment, with the same account, and a client of its own. */
async function forAll(runs: number, work: (run: Run) => Promise<void>): Promise<void> {
  await using world = await World.start({ listen: !WHOLE_SUITE });
  const client = async (): Promise<ProfileClient> => {
    const { ads } = world.client({ retry: { maxAttempts: 4 } });
    await ads.transport.token();
    return ads.profileFrom(profileId, MARKET);
  };
  const { profileId } = await world.client().ads.profile(MARKET);
  const truth = comparable(await (await client()).reports.run(REPORT, START, END));
  ok(truth.length > 100, `${truth.length} rows are enough to miss some`);
  await fc.assert(
    fc.asyncProperty(schedule, async (rules) => {
      world.emulator.reset();
      world.emulator.clock.set(NOW);
      const profile = await client();
      world.emulator.setFaults(rules);
      await work({ world, profile, truth });
    }),
    { numRuns: runs, seed: SEED },
  );
}

/** Rows in an order of their own, without what a store adds to them. */
function comparable(rows: readonly ReportRow[]): string[] {
  return rows.map(({ country_code: _, profile_id: __, ...row }) =>
    JSON.stringify(Object.entries(row).filter(([, value]) => value !== null).sort())
  ).sort();
}

Deno.test("under any faults a report is whole, or an error", () =>
  forAll(amount(8, 1000), async ({ profile, truth }) => {
    try {
      deepEqual(comparable(await profile.reports.run(REPORT, START, END)), truth);
    } catch (error) {
      ok(error instanceof PlatformAdsError, String(error));
    }
  }));

Deno.test("under any faults a store holds whole days only, and the next ones complete it", async () => {
  const folder = await Deno.makeTempDir();
  try {
    let number = 0;
    await forAll(amount(12, 1000), async ({ world, profile, truth }) => {
      const path = `${folder}/${number++}.sqlite`;
      await makeEmptySqlite(path);
      const store = await Warehouse.open(path, { now: world.time.now });
      try {
        const range = { reports: [REPORT], start: START, end: END };
        const first = await store.sync(profile, range);
        const [covered] = await store.coverage();
        const stored = comparable(await Array.fromAsync(store.rows(REPORT)));
        equal(covered !== undefined, first.ok, first.summary());
        deepEqual(stored, first.ok ? truth : []);

        world.emulator.setFaults([]);
        // What the platform failed to build is told by one sync and asked for again by the next.
        const second = await store.sync(profile, range);
        const last = second.ok ? second : await store.sync(profile, range);
        equal(last.ok, true, last.summary());
        deepEqual(comparable(await Array.fromAsync(store.rows(REPORT))), truth);
        deepEqual((await store.coverage()).map(({ days, gaps }) => [days, gaps.length]), [[12, 0]]);
      } finally {
        await store.close();
        for (const suffix of ["", "-wal", "-shm"]) await Deno.remove(path + suffix).catch(() => {});
      }
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
