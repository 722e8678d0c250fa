import assert from "node:assert/strict";
import type { WorkflowResult, WorkflowRow } from "../../../src/store/model/workflow_tables.ts";
import type { StoreDriver } from "../../../src/store/model/store_driver.ts";
import { type AddTest, plain } from "./ground.ts";

const REACH = { instanceId: "amc1", workflowId: "reach" };
const [MONDAY, TUESDAY] = ["2026-09-21T08:00:00.000Z", "2026-09-22T08:00:00.000Z"] as const;

/** A result of the workflow `reach` over a week. */
function result(more: Partial<WorkflowResult> = {}): WorkflowResult {
  return {
    ...REACH,
    version: 1,
    zone: "UTC",
    parameters: "{}",
    start: "2026-09-07",
    end: "2026-09-13",
    executionId: "e1",
    storedAt: MONDAY,
    columns: {},
    withheld: () => undefined,
    ...more,
  };
}

/** Stores a result with these rows. */
export function put(
  driver: Pick<StoreDriver, "workflows">,
  more: Partial<WorkflowResult>,
  ...rows: WorkflowRow[]
): Promise<number> {
  return driver.workflows.store(result(more), async function* () {
    yield* rows;
  });
}

/** Results of clean-room queries, by version and window. */
export function workflows(it: AddTest): void {
  it("a version of a clean-room query has one number, and the one used last is shown", async ({ driver, store, reopen }) => {
    const use = (sql: string, usedAt: string): Promise<number> =>
      driver.workflows.useVersion({ ...REACH, sql, settings: "{}" }, usedAt);
    assert.deepEqual([await use("SELECT 1", MONDAY), await use("SELECT 1", MONDAY)], [1, 1]);
    await put(driver, {}, { campaign: "a", users: 3 });
    await put(driver, { start: "2026-09-14", end: "2026-09-20" }, { campaign: "a", users: 4 });
    assert.equal(await use("SELECT 2", TUESDAY), 2);
    await put(driver, { version: 2, executionId: "e2" }, { campaign: "b", users: 5.5, is_new: true });
    const shown = async (view: string): Promise<unknown> =>
      plain(
        (await store.query(`SELECT version, campaign, users FROM ${view} ORDER BY window_start, version`))
          .rows,
      );
    assert.deepEqual(await shown("clean_room_reach"), [
      { version: 2, campaign: "b", users: 5.5 },
      { version: 1, campaign: "a", users: 4 },
    ]);
    assert.deepEqual(await shown("clean_room_reach_history"), [
      { version: 1, campaign: "a", users: 3 },
      { version: 2, campaign: "b", users: 5.5 },
      { version: 1, campaign: "a", users: 4 },
    ]);
    assert.equal(await use("SELECT 1", "2026-09-23T08:00:00.000Z"), 1);
    assert.deepEqual(await shown("clean_room_reach"), [
      { version: 1, campaign: "a", users: 3 },
      { version: 1, campaign: "a", users: 4 },
    ]);
    const other = await driver.workflows.useVersion(
      { ...REACH, sql: "SELECT 1", settings: '{"privacy":"rows"}' },
      TUESDAY,
    );
    assert.equal(other, 3, "other settings are another version");
    const again = await reopen();
    assert.deepEqual(
      (await again.workflows.runs({ ...REACH, version: 1 })).map(({ start, end }) => [start, end]),
      [
        ["2026-09-07", "2026-09-13"],
        ["2026-09-14", "2026-09-20"],
      ],
    );
    assert.deepEqual(await again.workflows.runs({ ...REACH, instanceId: "amc2", version: 1 }), []);
  });

  it("of overlapping cuts of a clean-room query, the one that covers the most days is shown", async ({ driver, store }) => {
    const use = (sql: string, usedAt: string): Promise<number> =>
      driver.workflows.useVersion({ ...REACH, sql, settings: "{}" }, usedAt);
    const shown = async (): Promise<unknown> =>
      (await store.query("SELECT version, users FROM clean_room_reach ORDER BY window_start")).rows.map((
        row,
      ) => Object.values(row).map(Number));
    const hidden = (version: number) => driver.workflows.hidden({ ...REACH, version });
    await use("SELECT 1", MONDAY);
    await put(driver, { start: "2026-09-01", end: "2026-09-30" }, { users: 30 });
    await use("SELECT 2", TUESDAY);
    const weeks = ["08-31 09-06", "09-07 09-13", "09-14 09-20", "09-21 09-27", "09-28 10-04"];
    for (const [at, week] of weeks.entries()) {
      const [start, end] = [`2026-${week.slice(0, 5)}`, `2026-${week.slice(6)}`];
      await put(driver, { version: 2, start, end }, { users: at });
      const isWhole = at === weeks.length - 1;
      assert.deepEqual(await shown(), isWhole ? [0, 1, 2, 3, 4].map((users) => [2, users]) : [[1, 30]], week);
      assert.deepEqual([(await hidden(1)).length, (await hidden(2)).length], isWhole ? [1, 0] : [0, at + 1]);
    }
    await put(driver, { version: 2, instanceId: "amc2" }, { users: 9 });
    assert.deepEqual(await hidden(1), [{ start: "2026-09-01", end: "2026-09-30" }], "other rooms are apart");
  });

  it("columns of clean-room results have the types of all stored values", async ({ driver, store }) => {
    await driver.workflows.useVersion({ ...REACH, sql: "SELECT 1", settings: "{}" }, MONDAY);
    await put(driver, { columns: { users: "number", never: null } }, {
      users: null,
      code: 7,
      is_new: true,
      version: "x",
      "two words": 1,
    });
    const first = await store.query("SELECT users, code, is_new, version, version_2 FROM clean_room_reach");
    assert.deepEqual(plain(first.rows), [{
      users: null,
      code: 7,
      is_new: "true",
      version: 1,
      version_2: "x",
    }]);
    await put(driver, { start: "2026-09-14", end: "2026-09-20" }, { users: 2, code: "A7", never: 1.5 });
    const { rows } = await store.query(
      "SELECT users, CAST(code AS text) AS code, never, window_end FROM clean_room_reach ORDER BY window_start",
    );
    assert.deepEqual(plain(rows), [
      { users: null, code: "7", never: null, window_end: "2026-09-13" },
      { users: 2, code: "A7", never: 1.5, window_end: "2026-09-20" },
    ]);
    const [whole] =
      (await store.query("SELECT CAST(data AS text) AS data FROM clean_room_reach ORDER BY window_start"))
        .rows;
    assert.equal(JSON.parse(String(whole?.["data"]))["two words"], 1);
  });

  it("a stored run is replaced as a whole, with its withheld values, or not at all", async ({ driver, store }) => {
    await driver.workflows.useVersion({ ...REACH, sql: "SELECT 1", settings: "{}" }, MONDAY);
    await put(driver, {}, { users: 1 }, { users: 2 });
    const withheld = { rows: 1, columns: { users: 1 } };
    assert.equal(await put(driver, { executionId: "e2", withheld: () => withheld }, { users: null }), 1);
    const runs = (): Promise<unknown> =>
      store.query("SELECT execution_id, rows, withheld_rows, withheld FROM workflow_runs").then(({ rows }) =>
        plain(rows)
      );
    const stored = [{ execution_id: "e2", rows: 1, withheld_rows: 1, withheld: '{"users":1}' }];
    assert.deepEqual(await runs(), stored);
    const failing = driver.workflows.store(result({ executionId: "e3" }), async function* () {
      yield { users: 9 };
      throw new Error("cut off");
    });
    await assert.rejects(failing, /cut off/);
    assert.deepEqual(await runs(), stored);
    assert.deepEqual(plain((await store.query("SELECT users FROM clean_room_reach")).rows), [{
      users: null,
    }]);
  });

  it("workflows whose ids make one name have views of their own", async ({ driver, store }) => {
    for (const workflowId of ["a-b", "a_b", "A.B", "a_b_history"]) {
      await driver.workflows.useVersion(
        { instanceId: "amc1", workflowId, sql: "SELECT 1", settings: "{}" },
        MONDAY,
      );
      await put(driver, { workflowId }, { name: workflowId });
    }
    const { rows } = await store.query("SELECT name FROM workflow_views ORDER BY name");
    assert.equal(rows.length, 4);
    for (const { name } of rows) {
      const found = await store.query(
        `SELECT name FROM ${String(name)} UNION ALL SELECT name FROM ${String(name)}_history`,
      );
      assert.equal(new Set(found.rows.map((row) => row["name"])).size, 1);
    }
    assert.ok(rows.some(({ name }) => name === "clean_room_a_b"));
  });

  it("restatements of a report are versions, and its view has the last one under the report's name", async ({ driver, store }) => {
    const report = { instanceId: "101", workflowId: "report:brand_metrics" };
    const use = (after: number): Promise<number> =>
      driver.workflows.useVersion({ ...report, sql: "{}", settings: JSON.stringify({ after }) }, MONDAY);
    assert.deepEqual([await use(3), await use(17)], [1, 2]);
    await put(driver, { ...report, version: 1 }, {
      date: "2026-09-12",
      profile_id: "x",
      awareness_index: 0.5,
    });
    await put(driver, { ...report, version: 2, executionId: "e2" }, {
      date: "2026-09-12",
      awareness_index: 0.75,
    });
    const other = { ...report, instanceId: "102" };
    assert.equal(await driver.workflows.useVersion({ ...other, sql: "{}", settings: "{}" }, MONDAY), 1);
    await put(driver, other, { date: "2026-09-12", awareness_index: null });
    const shown = async (view: string): Promise<unknown> =>
      plain(
        (await store.query(
          `SELECT profile_id, version, date, awareness_index FROM ${view} ORDER BY profile_id, version`,
        )).rows,
      );
    const last = [
      { profile_id: "101", version: 2, date: "2026-09-12", awareness_index: 0.75 },
      { profile_id: "102", version: 1, date: "2026-09-12", awareness_index: null },
    ];
    assert.deepEqual(await shown("brand_metrics"), last);
    assert.deepEqual(await shown("brand_metrics_history"), [
      { profile_id: "101", version: 1, date: "2026-09-12", awareness_index: 0.5 },
      ...last,
    ]);
    const dsp = { instanceId: "590001", workflowId: "advertiser-report:dsp_campaigns" };
    await driver.workflows.useVersion({ ...dsp, sql: "{}", settings: "{}" }, MONDAY);
    await put(driver, dsp, { order_id: "59", total_cost: 7 });
    const { rows } = await store.query("SELECT advertiser_id, order_id, total_cost FROM dsp_campaigns");
    assert.deepEqual(plain(rows), [{ advertiser_id: "590001", order_id: "59", total_cost: 7 }]);
  });
}
