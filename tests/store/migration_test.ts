import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { Warehouse } from "../../src/store/warehouse/warehouse.ts";
import { hasPostgres, makeDatabase, testServer, withSql } from "../support/postgres.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { days, T0, US } from "./contract/ground.ts";
import { makeOlderDatabase, makeOlderFile, OLDER_VERSION } from "./older_store.ts";
import { long } from "../support/long.ts";

const ROWS = 20_000;

async function filled(place: string): Promise<void> {
  const store = await Warehouse.open(place, { now: () => T0 });
  const rows = Array.from({ length: ROWS }, (_, at) => ({
    date: "2026-09-01",
    campaignId: String(at),
    placementClassification: "x",
    cost: at,
  }));
  await store.replace({ ...US, report: "sp_placement", ...days("2026-09-01") }, rows);
  await store.close();
}

async function costOf(place: string, notices: string[] = []): Promise<number> {
  const store = await Warehouse.open(place, { onNotice: (text) => void notices.push(text) });
  const { rows: [row] } = await store.query("SELECT sum(cost) AS cost FROM sp_placement");
  await store.close();
  return Number(row?.["cost"]);
}

const COST = ROWS * (ROWS - 1) / 2;

/** Opens a store in a process of its own, and kills that some milliseconds after it began. */
async function killedWhileOpening(place: string, milliseconds: number): Promise<void> {
  const program = `
    import { Warehouse } from "${new URL("../../src/store/warehouse/warehouse.ts", import.meta.url).href}";
    await import("${new URL("../../src/store/sqlite/sqlite_driver.ts", import.meta.url).href}");
    console.log("begins");
    await (await Warehouse.open(Deno.args[0])).close();`;
  const child = new Deno.Command("deno", {
    args: ["run", "-A", "-q", "--ext=ts", "-", place],
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(program));
  await writer.close();
  await child.stdout.getReader().read();
  await new Promise((resume) => setTimeout(resume, milliseconds));
  try {
    child.kill("SIGKILL");
  } catch {
    // It has ended.
  }
  await child.status;
}

test("SQLite: a store of an older release is copied whole before it is changed, and says so once", async () => {
  await using folder = await temporaryFolder();
  const path = folder.file("ads.sqlite");
  await filled(path);
  const fresh: string[] = [];
  await costOf(path, fresh);
  assert.deepEqual(fresh, [], "one of this release is left alone");
  makeOlderFile(path).close();
  const notices: string[] = [];
  assert.equal(await costOf(path, notices), COST);
  const copy = `${path}.v${OLDER_VERSION}.backup`;
  assert.equal(notices.length, 1);
  assert.match(notices[0]!, /older release.*ads\.sqlite\.v6\.backup/);
  assert.equal(Deno.statSync(copy).mode! & 0o777, 0o600);
  const old = new DatabaseSync(copy, { readOnly: true });
  assert.equal(old.prepare("PRAGMA user_version").get()!["user_version"], OLDER_VERSION);
  assert.equal(old.prepare("SELECT sum(cost) AS cost FROM report_sp_placement").get()!["cost"], COST);
  old.close();
  await costOf(path, notices);
  assert.equal(notices.length, 1);
});

test("SQLite: where no copy can be kept, nothing is changed", async () => {
  await using folder = await temporaryFolder();
  const path = folder.file("ads.sqlite");
  await filled(path);
  makeOlderFile(path).close();
  await Deno.mkdir(`${path}.v${OLDER_VERSION}.backup`);
  await assert.rejects(costOf(path));
  const old = new DatabaseSync(path, { readOnly: true });
  assert.equal(old.prepare("PRAGMA user_version").get()!["user_version"], OLDER_VERSION);
  old.close();
  assert.deepEqual([...Deno.readDirSync(folder.path)].filter(({ name }) => name.endsWith(".part")), []);
});

long();
test("SQLite: killed while it copies or changes a store, a process loses nothing", async () => {
  await using folder = await temporaryFolder();
  const path = folder.file("ads.sqlite");
  await filled(path);
  for (const milliseconds of [0, 8, 20, 45, 90]) {
    makeOlderFile(path).close();
    await killedWhileOpening(path, milliseconds);
    assert.equal(await costOf(path), COST, `killed after ${milliseconds} ms`);
    const copy = new DatabaseSync(`${path}.v${OLDER_VERSION}.backup`, { readOnly: true });
    assert.equal(copy.prepare("SELECT sum(cost) AS cost FROM report_sp_placement").get()!["cost"], COST);
    copy.close();
  }
});

if (hasPostgres) {
  long();
  test("PostgreSQL: killed while it changes a store of an older release, a process loses nothing", async () => {
    const server = await testServer();
    try {
      const address = await makeDatabase(server);
      await filled(address);
      for (const milliseconds of [0, 60, 140, 260]) {
        await withSql(address, makeOlderDatabase);
        await killedWhileOpening(address, milliseconds);
        const notices: string[] = [];
        assert.equal(await costOf(address, notices), COST, `killed after ${milliseconds} ms`);
        for (const text of notices) assert.match(text, /pg_dump/);
      }
      await withSql(address, makeOlderDatabase);
      const notices: string[] = [];
      await costOf(address, notices);
      assert.equal(notices.length, 1);
    } finally {
      await server.stop();
    }
  });
}
