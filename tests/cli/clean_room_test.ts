import assert from "node:assert/strict";
import { withoutPolicy } from "../support/without_policy.ts";
import { emulated } from "./support/emulated.ts";
import { type CliRun, runCli } from "./support/run_cli.ts";

const at = await emulated({ clock: { now: "2026-09-30T12:00:00Z", frozen: true } });
Deno.test.afterAll(async () => await at[Symbol.asyncDispose]());

const TERMS = `/* ---
withheld: filtered
parameters: { lowest: INTEGER }
schedule: { every: monday, hour: 4 }
--- */
SELECT customer_search_term, SUM(clicks) AS clicks FROM sponsored_ads_traffic
WHERE clicks >= CUSTOM_PARAMETER('lowest') GROUP BY customer_search_term
`;
const ROOM = "Fernpfad Outdoor US";

async function folder(): Promise<string> {
  await Deno.mkdir(`${at.folder}/queries`, { recursive: true });
  await at.write("queries/terms.sql", TERMS);
  return `${at.folder}/queries`;
}

function run(...words: string[]): Promise<CliRun> {
  return runCli(["report", "clean-room", ...words], {
    env: at.env,
    now: () => at.emulator.clock.now(),
    sleep: (seconds) => Promise.resolve(at.emulator.advance(seconds)),
  });
}

Deno.test("clean rooms and their columns are listed", async () => {
  const { stdout, code } = await run("instances", "--json");
  assert.equal(code, 0);
  assert.ok(JSON.parse(stdout).some(({ name }: { name: string }) => name === ROOM));
  const tables = await run("tables", "--room", ROOM, "--format", "csv");
  assert.match(
    tables.stdout,
    /^table,column,columnType,description\r\nsponsored_ads_traffic,event_dt_utc,DIMENSION,/,
  );
  const unnamed = await run("tables");
  assert.equal(unnamed.code, 2);
  assert.match(
    unnamed.stderr,
    /Cannot open a clean room without its id: the login reaches amc\w+ \(Fernpfad/,
  );
});

Deno.test("files are checked by line without a login", async () => {
  const wrong = await at.write("wrong.sql", "SELECT campaign\nFROM sponsored_ads_traffic LIMIT 5\n");
  const { code, stderr } = await runCli(["report", "clean-room", "check", wrong, await folder()]);
  assert.equal(code, 2);
  assert.match(stderr, /wrong\.sql:2: LIMIT is not supported/);
  const good = await runCli(["report", "clean-room", "check", await folder()]);
  assert.deepEqual([good.code, good.stderr], [0, "1 query: no problems found\n"]);
});

Deno.test("a query runs with parameters, and the values that privacy withheld are counted", async () => {
  const file = `${await folder()}/terms.sql`;
  const days = ["--room", ROOM, "--start", "2026-09-25", "--end", "2026-09-25"];
  const { stdout, stderr, code } = await run("run", file, ...days, "--param", "lowest=1", "--format", "csv");
  assert.equal(code, 0, stderr);
  assert.match(
    stdout,
    /^customer_search_term,clicks,filtered,withheld_columns\r\n,\d+,true,customer_search_term\r\n$/,
  );
  assert.match(stderr, /1 row has values that privacy withheld: customer_search_term in 1/);
  const missing = await run("run", file, ...days, "--param", "other=1");
  assert.equal(missing.code, 2);
  assert.match(missing.stderr, /"other" is not one of its parameters \(lowest\); "lowest" has no value/);
  const compiled = await run("run", file, ...days, "--param", "lowest=1", "--dry-run");
  assert.match(compiled.stderr, /terms\.sql compiles/);
});

withoutPolicy("its plan is applied without an approval");
Deno.test("files are planned, stored, compared and taken back", async () => {
  const queries = await folder();
  const drift = await run("drift", queries, "--room", ROOM, "--format", "csv");
  assert.equal(drift.code, 6);
  assert.match(
    drift.stdout,
    /^state,kind,id,fields,source\r\nnew,workflow,terms,,.*\r\nnew,schedule,terms,,/,
  );
  const plan = `${at.folder}/plan.json`;
  const planned = await run("plan", queries, "--room", ROOM, "-m", "US", "--out", plan);
  assert.equal(planned.code, 0, planned.stderr);
  const world = { env: at.env, now: () => at.emulator.clock.now() };
  assert.equal((await runCli(["plan", "apply", plan, "--yes", "--accept-risk"], world)).code, 0);
  assert.equal((await run("drift", queries, "--room", ROOM)).code, 0);
  const stored = await run(
    "run",
    "terms",
    "--room",
    ROOM,
    "--start",
    "2026-09-24",
    "--end",
    "2026-09-24",
    "--param",
    "lowest=1",
    "--json",
  );
  assert.equal(JSON.parse(stored.stdout)[0].filtered, true);
  const undo = `${at.folder}/undo.json`;
  assert.equal((await runCli(["plan", "inverse", plan, "--out", undo], world)).code, 0);
  const undone = await runCli(["plan", "apply", undo, "--yes", "--accept-risk"], world);
  assert.equal(undone.code, 0, undone.stderr);
  assert.equal((await run("drift", queries, "--room", ROOM)).code, 6);
});

Deno.test("sync --workflows stores results by window, which adsctl query reads, and runs no window twice", async () => {
  await Deno.mkdir(`${at.folder}/synced`, { recursive: true });
  await at.write(
    "synced/clicks.sql",
    "/* ---\nsync: { days: 14 }\n--- */\nSELECT SUM(clicks) AS clicks FROM sponsored_ads_traffic",
  );
  const store = `${at.folder}/rooms.sqlite`;
  const adsctl = (...words: string[]): Promise<CliRun> =>
    runCli([...words, "--store", store], {
      env: at.env,
      now: () => at.emulator.clock.now(),
      sleep: (seconds) => Promise.resolve(at.emulator.advance(seconds)),
    });
  const sync = ["sync", "--workflows", `${at.folder}/synced`, "--room", ROOM];
  const stored = await adsctl(...sync, "--json");
  assert.equal(stored.code, 0, stored.stderr);
  const weeks = [["2026-09-14", "2026-09-20"], ["2026-09-21", "2026-09-27"]];
  assert.deepEqual(
    JSON.parse(stored.stdout).map((
      one: Record<string, unknown>,
    ) => [one["start"], one["end"], one["state"], one["rows"]]),
    weeks.map((week) => [...week, "stored", 1]),
  );
  assert.match(
    stored.stderr,
    /2 of 2 windows done, 2 rows stored \(0 windows were already stored\) in .*rooms\.sqlite/,
  );
  const again = await adsctl(...sync);
  assert.match(again.stderr, /0 of 2 windows done, 0 rows stored \(2 windows were already stored\)/);
  const sql = "SELECT window_start, clicks > 0 AS has_clicks FROM clean_room_clicks ORDER BY 1";
  const { stdout } = await adsctl("query", sql, "--format", "csv");
  assert.equal(stdout, "window_start,has_clicks\r\n2026-09-14,1\r\n2026-09-21,1\r\n");
  const none = await adsctl(...sync, "--start", "2026-09-22");
  assert.deepEqual([none.code, /no complete window of the files/.test(none.stderr)], [0, true]);
  const mixed = await adsctl(...sync, "-m", "US");
  assert.deepEqual([mixed.code, /run adsctl sync twice/.test(mixed.stderr)], [2, true]);
  const queued = await adsctl(...sync, "--cron", "15 5 * * *");
  assert.equal(queued.code, 2);
  assert.match(queued.stderr, /Cannot use --cron with clean-room queries: .* Name them in a service file/);
  await at.write("synced/broken.sql", "SELECT COUNT(missing) AS n FROM sponsored_ads_traffic");
  const broken = await adsctl(...sync, "--start", "2026-09-21");
  assert.equal(broken.code, 3);
  assert.match(broken.stderr, /error: broken 2026-09-21 to 2026-09-27: .*no such column: missing/);
  await at.write("synced/broken.sql", "SELECT COUNT(`a\u001b[31m`) AS n FROM sponsored_ads_traffic");
  const drawing = await adsctl(...sync, "--start", "2026-09-21");
  assert.match(drawing.stderr, /error: broken .*no such column: a\\x1b\[31m/);
});
