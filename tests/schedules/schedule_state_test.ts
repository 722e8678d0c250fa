import { deepEqual, equal, ok } from "../support/assert.ts";
import { hasPostgres, makeDatabase, type TestServer, testServer } from "../support/postgres.ts";
import { type KeptBase, ScheduleState } from "../../src/automation/schedules/mod.ts";

const BASE: KeptBase = {
  kind: "sp.keywords",
  id: "9223406226462071360",
  move: "bid",
  schedule: "nights",
  label: '"knife" (EXACT)',
  base: 1.2,
  factor: 0.5,
  wrote: 0.6,
  intends: null,
  kept: null,
};

/** What a state promises, on any database. */
function contract(name: string, place: () => Promise<string>): void {
  Deno.test(`${name}: bases are kept by profile with their history, and forgotten without it`, async () => {
    const at = await place();
    await using state = await ScheduleState.open(at);
    await state.keep("1", [{ ...BASE, why: "first" }], 1000);
    await state.keep("1", [{ ...BASE, intends: 0.3, why: "about to write" }], 2000);
    await state.keep("1", [{ ...BASE, wrote: 0.3, kept: "somebody", why: "left alone" }], 3000);
    await state.keep("2", [{ ...BASE, why: "another profile" }], 3000);
    await using other = await ScheduleState.open(at);
    deepEqual(await other.bases("1"), [{ ...BASE, wrote: 0.3, kept: "somebody" }]);
    deepEqual((await other.history("1")).map(({ why, wrote }) => [why, wrote]), [["left alone", 0.3], [
      "first",
      0.6,
    ]]);
    await other.forget("1", [BASE]);
    deepEqual(await state.bases("1"), []);
    equal((await state.history("1", { id: BASE.id })).length, 2);
    equal((await state.history("1", { id: "8" })).length, 0);
    equal((await state.bases("2")).length, 1);
    await state.keep("1", [{ ...BASE, id: "9", schedule: "days", why: "newest" }], 4000);
    const whys = async (schedules: string[]) =>
      (await state.history("1", { schedules, limit: 1 })).map(({ why }) => why);
    deepEqual(await whys(["nights"]), ["left alone"], "the limit counts those of the schedules alone");
    deepEqual([await whys(["nights", "days"]), await whys([])], [["newest"], []]);
  });

  Deno.test(`${name}: schedules are stopped and started by profile`, async () => {
    await using state = await ScheduleState.open(await place());
    await state.mark("1", ["nights", "days"], { state: "stopped", at: 0 });
    await state.mark("1", ["days"], { state: "running", at: 1000, note: "nothing to do" });
    deepEqual([...await state.stopped("1")], [["nights", "1970-01-01T00:00:00.000Z"]]);
    deepEqual([...await state.stopped("2")], []);
    equal((await state.runs("1")).get("days")?.note, "nothing to do");
  });

  Deno.test(`${name}: of many that begin at once, made in the same moment, one works at a time`, async () => {
    const at = await place();
    let working = 0;
    const open = Promise.withResolvers<void>();
    const results = await Promise.all(
      Array.from({ length: 4 }, async () => {
        await using state = await ScheduleState.open(at);
        const done = await state.alone("1", async () => {
          working += 1;
          equal(working, 1);
          await open.promise;
          working -= 1;
          return true;
        }).finally(() => open.resolve());
        return done?.result;
      }).concat(new Promise((resolve) => setTimeout(resolve, 300)).then(() => (open.resolve(), undefined))),
    );
    ok(results.filter((one) => one === true).length >= 1);
    await using state = await ScheduleState.open(at);
    equal((await state.alone("1", () => Promise.resolve(7)))?.result, 7, "it is free again");
  });
}

contract("SQLite", async () => `${await Deno.makeTempDir({ prefix: "schedule-state-" })}/ads.sqlite`);

if (hasPostgres) {
  let server: TestServer;
  Deno.test.beforeAll(async () => {
    server = await testServer();
  });
  Deno.test.afterAll(() => server.stop());
  contract("PostgreSQL", () => makeDatabase(server));
}
