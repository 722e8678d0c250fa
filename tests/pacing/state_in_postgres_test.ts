import { deepEqual, equal } from "../support/assert.ts";
import { parsePacing, planPacing, readPacing, runPacing } from "../../src/automation/pacing/mod.ts";
import { startSchedules, tickSchedules } from "../../src/automation/schedules/mod.ts";
import { Warehouse } from "../../src/store/mod.ts";
import { emulated } from "../support/emulated.ts";
import { hasPostgres, makeStore, testServer } from "../support/postgres.ts";

if (hasPostgres) {
  Deno.test("pacing and schedules that are given a store in PostgreSQL alone keep their state in it", async () => {
    await using world = await emulated();
    const { us } = world;
    const server = await testServer();
    const store = await Warehouse.open(await makeStore(server));
    try {
      const file = parsePacing("version: 1\nbudgets: { all: { amount: 3000 } }\n", "pacing.yaml");
      await runPacing(us, { file, store, write: () => {} });
      deepEqual((await planPacing(us, { file, store })).statuses, await readPacing(us, { file, store }));
      await startSchedules(us, { state: store, names: ["nights"] });
      equal((await tickSchedules(us, { schedules: [], state: store })).result, undefined);
    } finally {
      await store.close();
      await server.stop();
    }
  });
}
