import { deepEqual, equal, ok } from "../../support/assert.ts";
import { Warehouse } from "../../../src/store/mod.ts";
import { checkWholeness, REPORTS } from "../../reliability/support/sync_process.ts";
import { clientIn, runProgram, type Scenario } from "../scenario.ts";
import { Disk } from "../world/disk.ts";
import { CALM } from "../world/world.ts";

const DAYS = { start: "2026-09-20", end: "2026-09-28" };
const HOUR = 3_600_000;
/** A sync goes on with reports asked for in the last 12 hours, by clocks that may be two hours ahead. */
const NO_LONGER_FRESH = 15 * HOUR;

export const SYNC: Scenario = {
  name: "sync",
  seeds: 1,
  about:
    "Programs with clocks hours off sync reports into one store; killed in transactions, with late and lost reports",
  // A download that is slow finds its address expired.
  emulator: { quirks: { reportSeconds: 300, reportUrlSeconds: 20 } },
  async run(world) {
    const { chance, emulator } = world;
    const disk = new Disk();
    const folder = await Deno.makeTempDir({ prefix: "simulated-" });
    const profiles = emulator.state.profiles().slice(0, 2);
    const syncInto = (path: string) => async (): Promise<void> => {
      const ads = clientIn(world);
      const store = await Warehouse.open(path);
      const result = await store.sync(
        profiles.map(({ id, record }) => ads.profileFrom(id, String(record.countryCode))),
        { reports: REPORTS, ...DAYS, concurrency: 2 },
      );
      await store.close();
      result.raiseForErrors();
    };
    try {
      const shared = `${folder}/shared.sqlite`;
      world.drawFaults(["kill", "loseRequest", "loseResponse", "cutBody", "slow"]);
      for (let round = 1, rounds = chance.integer("rounds", 1, 3); round <= rounds; round++) {
        const programs = [...Array(chance.integer("programs", 1, 2)).keys()].map((index) =>
          world.spawn(`sync ${round}.${index}`, {
            disk,
            main: syncInto(shared),
            // One machine, but its clock may have been set since.
            skew: chance.integer("skew", -2, 2) * HOUR,
          })
        );
        await world.run(Promise.all(programs.map(({ ended }) => ended)));
        if (await Deno.stat(shared).then(() => true, () => false)) checkWholeness(shared);
        // Sales arrive late: what a report of a day says changes for two weeks.
        if (round < rounds) await world.run(world.pass(chance.integer("until the next sync", 1, 30) * HOUR));
      }
      world.faults = CALM;
      const soon = chance.integer("minutes until the last sync", 1, 90) * HOUR / 60;
      await world.run(world.pass(await hasOpenReports(shared) ? NO_LONGER_FRESH : soon));
      // What a report says may change between two syncs: right is what one right before says, or one right after.
      await runProgram(world, { name: "sync before", disk, main: syncInto(`${folder}/before.sqlite`) });
      await runProgram(world, { name: "last sync", disk, main: syncInto(shared) });
      await runProgram(world, { name: "sync after", disk, main: syncInto(`${folder}/after.sqlite`) });
      checkWholeness(shared);
      const [before, after] = [
        await rowsOf(`${folder}/before.sqlite`),
        await rowsOf(`${folder}/after.sqlite`),
      ];
      const right = new Set([...before, ...after]);
      const rows = await rowsOf(shared);
      equal(rows.length, before.length);
      deepEqual(rows.filter((row) => !right.has(row)).slice(0, 1), [], "the store has the newest figures");
      ok(await isCovered(shared), "every day is covered");
    } finally {
      for (const process of world.processes) if (process.name !== "judge") world.kill(process);
      await Deno.remove(folder, { recursive: true });
    }
  },
};

/** All rows of a store, in an order of their own. */
async function rowsOf(path: string): Promise<readonly string[]> {
  const store = await Warehouse.open(path);
  const rows: string[] = [];
  for (const report of REPORTS) {
    for await (const row of store.rows(report)) rows.push(`${report} ${JSON.stringify(row)}`);
  }
  await store.close();
  return rows.sort();
}

/** True where a sync left reports that the next one goes on with. */
async function hasOpenReports(path: string): Promise<boolean> {
  if (!await Deno.stat(path).then(() => true, () => false)) return false;
  const store = await Warehouse.open(path);
  const requests = await store.requests();
  await store.close();
  return requests.some(({ state }) => state === "asking" || state === "building");
}

async function isCovered(path: string): Promise<boolean> {
  const store = await Warehouse.open(path);
  const coverage = await store.coverage();
  await store.close();
  return coverage.length > 0 && coverage.every(({ gaps }) => gaps.length === 0);
}
