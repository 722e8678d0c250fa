import { DatabaseSync } from "node:sqlite";
import { parseWorkflow, type WorkflowFile } from "../../src/account/runs/workflow_file.ts";
import { syncWorkflows, type WorkflowOutcome } from "../../src/account/runs/sync_workflows.ts";
import type { CleanRoom } from "../../src/client/clean_room/clean_room.ts";
import { closedParts } from "../../src/client/clean_room/run_windows.ts";
import { Warehouse } from "../../src/store/warehouse/warehouse.ts";
import { deepEqual, equal, match, ok, rejects } from "../support/assert.ts";
import { type Emulated, emulated } from "../support/emulated.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

const CLICKS = "SELECT SUM(clicks) AS clicks FROM sponsored_ads_traffic";
const head = (text: string, sql: string): string => `/* ---\n${text}\n--- */\n${sql}`;

const at: Emulated = await emulated({
  client: {
    sleep: (seconds) => {
      at.time.advance(seconds);
      at.emulator.advance(seconds);
      return Promise.resolve();
    },
  },
});
const [first] = await at.ads.cleanRooms({ region: "NA" });
const room: CleanRoom = await at.ads.cleanRoom(first?.instanceId);

Deno.test.afterAll(async () => await at[Symbol.asyncDispose]());

/** Requests of runs so far. */
function runs(): number {
  return at.emulator.requests().filter(({ method, path }) =>
    method === "POST" && path.endsWith("/workflowExecutions")
  ).length;
}

function files(...parts: [name: string, text: string][]): WorkflowFile[] {
  return parts.map(([name, text]) => parseWorkflow(text, `queries/${name}.sql`));
}

const shown = (outcomes: readonly WorkflowOutcome[]): unknown =>
  outcomes.map((
    { workflowId, version, start, end, state, rows },
  ) => [workflowId, version, start, end, state, rows]);

Deno.test("whole calendar parts with complete data are windows, whatever day it is", () => {
  const now = Date.parse("2026-09-30T12:00:00Z");
  const parts = (each: "day" | "week" | "month", days: number, more = {}): string[] =>
    closedParts({ each, days, zone: "UTC", ...more }, now).map(({ start, end }) => `${start}..${end}`);
  deepEqual(parts("week", 14), ["2026-09-14..2026-09-20", "2026-09-21..2026-09-27"]);
  deepEqual(parts("week", 13), ["2026-09-21..2026-09-27"]);
  deepEqual(parts("day", 2), ["2026-09-26..2026-09-26", "2026-09-27..2026-09-27"]);
  deepEqual(parts("month", 60), ["2026-08-01..2026-08-31"]);
  deepEqual(parts("month", 20), []);
  deepEqual(parts("week", 1, { start: "2026-09-07", end: "2026-09-30" }), [
    "2026-09-07..2026-09-13",
    "2026-09-14..2026-09-20",
    "2026-09-21..2026-09-27",
  ]);
  equal(parts("month", 1, { start: "2020-01-01" })[0], "2025-09-01..2025-09-30", "13 months are kept");
});

Deno.test("results are stored by window and version, and no window is run twice", async () => {
  await using folder = await temporaryFolder();
  const path = folder.file("ads.sqlite");
  await using store = await Warehouse.open(path, { now: at.time.now });
  const clicks = files(["clicks", head("sync: { days: 14 }", CLICKS)]);
  const before = runs();
  const weeks = [["2026-09-14", "2026-09-20"], ["2026-09-21", "2026-09-27"]] as const;
  deepEqual(
    shown(await syncWorkflows(store, room, clicks)),
    weeks.map((week) => ["clicks", 1, ...week, "stored", 1]),
  );
  deepEqual(
    shown(await syncWorkflows(store, room, clicks)),
    weeks.map((week) => ["clicks", 1, ...week, "found", 0]),
  );
  equal(runs() - before, 2);
  const rows = async (view: string): Promise<unknown> =>
    (await store.query(`SELECT window_start, version, clicks > 0 AS has FROM ${view} ORDER BY 1, 2`)).rows
      .map((row) => Object.values(row));
  deepEqual(await rows("clean_room_clicks"), [["2026-09-14", 1, 1], ["2026-09-21", 1, 1]]);
  const alone = await Array.fromAsync(
    (await room.run(clicks[0]!.workflow, { start: "2026-09-14", end: "2026-09-20" })).rows,
  );
  const [week] = (await store.query("SELECT clicks FROM clean_room_clicks ORDER BY window_start")).rows;
  equal(week?.["clicks"], alone[0]?.["clicks"]);

  // Another text is another version; the first one stays in the history.
  const changed = files(["clicks", head("sync: { days: 14 }", `${CLICKS} WHERE clicks > 0`)]);
  deepEqual(
    shown(await syncWorkflows(store, room, changed, { start: "2026-09-21" })),
    [["clicks", 2, ...weeks[1], "stored", 1]],
  );
  deepEqual(await rows("clean_room_clicks"), [["2026-09-14", 1, 1], ["2026-09-21", 2, 1]]);
  deepEqual(await rows("clean_room_clicks_history"), [
    ["2026-09-14", 1, 1],
    ["2026-09-21", 1, 1],
    ["2026-09-21", 2, 1],
  ]);
  const there = await store.query("SELECT workflow_id, version, sql FROM workflow_versions ORDER BY version");
  deepEqual(there.rows.map(({ version, sql }) => [version, sql]), [
    [1, CLICKS],
    [2, `${CLICKS} WHERE clicks > 0`],
  ]);
});

Deno.test("values that privacy left empty are counted with the stored window", async () => {
  await using folder = await temporaryFolder();
  await using store = await Warehouse.open(folder.file("ads.sqlite"), { now: at.time.now });
  const terms = files([
    "terms",
    head(
      "withheld: filtered\nparameters: { lowest: { type: INTEGER, default: 1 } }\nsync: { each: day, days: 1 }",
      "SELECT customer_search_term, SUM(clicks) AS clicks FROM sponsored_ads_traffic " +
        "WHERE clicks >= CUSTOM_PARAMETER('lowest') GROUP BY customer_search_term",
    ),
  ]);
  const [outcome] = await syncWorkflows(store, room, terms);
  deepEqual(outcome?.withheld, { rows: 1, columns: { customer_search_term: 1 } });
  const { rows } = await store.query("SELECT parameters, withheld_rows, withheld FROM workflow_runs");
  deepEqual(rows.map((row) => Object.values(row)), [['{"lowest":"1"}', 1, '{"customer_search_term":1}']]);
  const [row] =
    (await store.query("SELECT customer_search_term, withheld_columns FROM clean_room_terms")).rows;
  deepEqual(Object.values(row ?? {}), [null, "customer_search_term"]);
  // Another default is another version, which replaces the first in the view.
  const higher = terms.map((file) => ({
    ...file,
    workflow: { ...file.workflow, inputParameters: [{ name: "lowest", defaultValue: "2" }] },
  }));
  const [second] = await syncWorkflows(store, room, higher);
  deepEqual([second?.version, second?.state], [2, "stored"]);
  equal(second?.rows, 0);
  deepEqual(
    (await store.query("SELECT version FROM clean_room_terms")).rows,
    [],
    "rows of the first are gone",
  );
});

Deno.test("rows are stored although their view cannot be made, with a warning that names it", async () => {
  await using folder = await temporaryFolder();
  const path = folder.file("ads.sqlite");
  await using store = await Warehouse.open(path, { now: at.time.now });
  const clicks = files(["clicks", head("sync: { each: day, days: 2 }", CLICKS)]);
  const own = new DatabaseSync(path);
  own.exec("CREATE TABLE clean_room_clicks (mine TEXT)");
  const day = (start: string) => syncWorkflows(store, room, clicks, { start, end: start });
  const [first] = await day("2026-09-26");
  deepEqual([first?.state, first?.rows], ["stored", 1]);
  match(first?.warning ?? "", /The rows are stored, but the view clean_room_clicks is not up to date: /);
  equal((await store.query("SELECT number FROM workflow_rows")).rows.length, 1);
  own.exec("DROP TABLE clean_room_clicks");
  own.close();
  const [second] = await day("2026-09-27");
  equal(second?.warning, undefined);
  equal((await store.query("SELECT clicks FROM clean_room_clicks")).rows.length, 2);
});

Deno.test("an open run is resumed, and run anew only with again", async () => {
  await using folder = await temporaryFolder();
  await using store = await Warehouse.open(folder.file("ads.sqlite"), { now: at.time.now });
  const clicks = files(["open", head("sync: { each: day, days: 1 }", CLICKS)]);
  const before = runs();
  const interrupted = async (more: { again?: boolean }): Promise<number> => {
    const stopping = new AbortController();
    const [outcome] = await syncWorkflows(store, room, clicks, {
      signal: stopping.signal,
      onStatus: () => stopping.abort(new Error("Interrupted")),
      ...more,
    });
    equal(outcome?.state, "failed");
    return runs() - before;
  };
  deepEqual([await interrupted({}), await interrupted({}), await interrupted({ again: true })], [1, 1, 2]);
});

Deno.test("another cut of the days or zone is another version, and no day is shown twice", async () => {
  await using folder = await temporaryFolder();
  await using store = await Warehouse.open(folder.file("ads.sqlite"), { now: at.time.now });
  const shown = async (): Promise<unknown> =>
    (await store.query(
      "SELECT version, zone, window_start, window_end FROM clean_room_clicks ORDER BY window_start",
    )).rows.map((row) => Object.values(row).join(" "));
  const sync = async (text: string): Promise<unknown> => {
    at.time.advance(60);
    at.emulator.advance(60);
    await syncWorkflows(store, room, files(["clicks", head(`sync: { ${text} }`, CLICKS)]), {
      start: "2026-09-20",
      end: "2026-09-27",
    });
    return await shown();
  };
  const week = await sync("each: week");
  deepEqual(week, ["1 UTC 2026-09-21 2026-09-27"]);
  const days = await sync("each: day");
  ok(
    Array.isArray(days) && days.length === 8 && days.every((text) => text.startsWith("2 UTC ")),
    String(days),
  );
  deepEqual(await sync("each: week, zone: Europe/Berlin"), [
    "2 UTC 2026-09-20 2026-09-20",
    "3 Europe/Berlin 2026-09-21 2026-09-27",
  ]);
});

Deno.test("an older month stays in the view until a newer cut covers as many days, with a warning", async () => {
  await using folder = await temporaryFolder();
  await using store = await Warehouse.open(folder.file("ads.sqlite"), { now: at.time.now });
  const sync = async (each: string, start: string, end: string): Promise<[string[], string[]]> => {
    at.time.advance(60);
    at.emulator.advance(60);
    const outcomes = await syncWorkflows(
      store,
      room,
      files(["cut", head(`sync: { each: ${each} }`, CLICKS)]),
      {
        start,
        end,
      },
    );
    const { rows } = await store.query(
      "SELECT version, window_start, window_end FROM clean_room_cut ORDER BY window_start",
    );
    return [
      rows.map((row) => Object.values(row).join(" ")),
      outcomes.flatMap(({ start, warning }) => warning === undefined ? [] : [start]),
    ];
  };
  const month = "1 2026-08-01 2026-08-31";
  deepEqual(await sync("month", "2026-08-01", "2026-08-31"), [[month], []]);
  deepEqual(await sync("week", "2026-08-24", "2026-09-13"), [
    [month, "2 2026-09-07 2026-09-13"],
    ["2026-08-24", "2026-08-31"],
  ]);
  const [shown, warned] = await sync("week", "2026-07-27", "2026-09-13");
  deepEqual([shown.length, shown[0], warned], [7, "2 2026-07-27 2026-08-02", []]);
});

Deno.test("a query that fails does not affect the others, and is run again by the next sync", async () => {
  await using folder = await temporaryFolder();
  await using store = await Warehouse.open(folder.file("ads.sqlite"), { now: at.time.now });
  const both = files(
    ["broken", head("sync: { each: day, days: 1 }", "SELECT COUNT(missing) AS n FROM sponsored_ads_traffic")],
    ["clicks", head("sync: { each: day, days: 2 }", CLICKS)],
  );
  const outcomes = await syncWorkflows(store, room, both);
  deepEqual(outcomes.map(({ workflowId, state }) => `${workflowId} ${state}`), [
    "broken failed",
    "clicks stored",
    "clicks stored",
  ]);
  match(outcomes[0]?.error?.message ?? "", /no such column: missing/);
  const before = runs();
  deepEqual((await syncWorkflows(store, room, both)).map(({ state }) => state), ["failed", "found", "found"]);
  equal(runs() - before, 1);
});

Deno.test("files that cannot be synced are named together, before anything is sent", async () => {
  await using folder = await temporaryFolder();
  await using store = await Warehouse.open(folder.file("ads.sqlite"), { now: at.time.now });
  const wrong = files(
    [
      "terms",
      head("parameters: { lowest: INTEGER }", `${CLICKS} WHERE clicks >= CUSTOM_PARAMETER('lowest')`),
    ],
    ["one", head("workflow: twice", CLICKS)],
    ["two", head("workflow: twice", CLICKS)],
  );
  at.asked();
  await rejects(syncWorkflows(store, room, wrong), (error: unknown) => {
    ok(error instanceof Error);
    match(error.message, /queries\/terms\.sql: .*"lowest" has no value and no default/);
    match(error.message, /workflow "twice" is in queries\/one\.sql and queries\/two\.sql/);
    return true;
  });
  await rejects(
    syncWorkflows(store, room, wrong.slice(1, 2), { start: "2026-10-05" }),
    /there are no complete days/,
  );
  deepEqual(at.asked(), []);
  for (
    const [text, reason] of [
      ["sync: { each: hour }", /:2: sync\.each: Expected day, week or month/],
      ["sync: { days: 0 }", /:2: sync\.days/],
      ["sync: { zone: Mars/Base }", /:2: sync\.zone: Expected an IANA time zone/],
    ] as const
  ) {
    await rejects(async () => await Promise.resolve(files(["bad", head(text, CLICKS)])), reason);
  }
});
