import { copyFileSync, existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { SharedStore } from "../../src/store/warehouse/shared_store.ts";
import { Warehouse } from "../../src/store/warehouse/warehouse.ts";
import { deepEqual, equal, ok, rejects } from "../support/assert.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

const DAY = { report: "sp_placement", start: "2026-11-01", end: "2026-11-01" } as const;
const COST = "SELECT coalesce(sum(cost), 0) AS cost FROM sp_placement";

/** A shared store in a file of its own, and the stores that were opened for it. */
async function sharedStore(linger?: number) {
  const folder = await temporaryFolder();
  const path = folder.file("ads.sqlite");
  await (await Warehouse.open(path)).close();
  const opened: Warehouse[] = [];
  const shared = new SharedStore(async () => {
    const store = await Warehouse.open(path);
    opened.push(store);
    return store;
  }, linger);
  const write = async (cost: number): Promise<void> => {
    const other = await Warehouse.open(path);
    const row = { date: DAY.start, campaignId: "9", placementClassification: "Other", clicks: 3, cost };
    await other.replace({ profileId: "1", countryCode: "US", ...DAY }, [row]);
    await other.close();
  };
  const cost = (): Promise<unknown> =>
    shared.use(async (store) => (await store.query(COST)).rows[0]?.["cost"]);
  return {
    path,
    shared,
    opened,
    write,
    cost,
    async [Symbol.asyncDispose]() {
      await shared.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** True while a store can be read. */
const isOpen = (store: Warehouse | undefined): Promise<boolean> =>
  store!.query("SELECT 1 AS one").then(() => true, () => false);

test("requests share one store, which is closed with the console", async () => {
  await using world = await sharedStore();
  deepEqual(await Promise.all([world.cost(), world.cost(), world.cost()]), [0, 0, 0]);
  equal(await world.cost(), 0);
  equal(world.opened.length, 1);
  await world.shared.close();
  ok(!await isOpen(world.opened[0]));
});

test("what somebody else wrote is seen by the next request, while the one before goes on", async () => {
  await using world = await sharedStore();
  await world.shared.use(async (store) => {
    await world.write(2);
    equal(await world.cost(), 2);
    equal(world.opened.length, 2);
    ok(await isOpen(store));
  });
  ok(!await isOpen(world.opened[0]));
  equal(await world.cost(), 2);
  equal(world.opened.length, 2);
});

test("a file that takes the place of another is opened", async () => {
  await using world = await sharedStore();
  const copy = `${world.path}.copy`;
  copyFileSync(world.path, copy);
  await world.write(5);
  equal(await world.cost(), 5);
  await world.shared.close();
  equal(await world.cost(), 5);
  renameSync(copy, world.path);
  equal(await world.cost(), 0);
  ok(!await isOpen(world.opened[1]));
});

test("a file that is damaged in the middle of a request costs neither its answer nor later ones", async () => {
  await using world = await sharedStore();
  await world.write(5);
  const copy = `${world.path}.copy`;
  copyFileSync(world.path, copy);
  const answer = await world.shared.use(async (store) => {
    const { rows } = await store.query(COST);
    for (const ending of ["", "-wal", "-shm"]) {
      if (existsSync(world.path + ending)) writeFileSync(world.path + ending, "x".repeat(20_000));
    }
    return rows[0]?.["cost"];
  });
  equal(answer, 5);
  await rejects(world.cost);
  for (const ending of ["", "-wal", "-shm"]) rmSync(world.path + ending, { force: true });
  copyFileSync(copy, world.path);
  equal(await world.cost(), 5);
});

test("an unused store is closed after a while, and one that cannot be opened is tried again", async () => {
  await using world = await sharedStore(0);
  await world.cost();
  while (await isOpen(world.opened[0])) await new Promise((done) => setTimeout(done, 1));
  equal(await world.cost(), 0);
  equal(world.opened.length, 2);
  let tries = 0;
  const broken = new SharedStore(() => Promise.reject(new Error(`try ${++tries}`)));
  await rejects(() => broken.use(() => Promise.resolve()), /try 1/);
  await rejects(() => broken.use(() => Promise.resolve()), /try 2/);
  await broken.close();
});
