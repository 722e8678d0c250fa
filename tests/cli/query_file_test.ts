import assert from "node:assert/strict";
import fc from "fast-check";
import { fillMacros } from "../../src/store/figures/query_macros.ts";
import { emulated } from "./support/emulated.ts";
import { runCli } from "./support/run_cli.ts";

const MACROS = {
  range: { start: "2026-09-07", end: "2026-09-13" },
  today: "2026-09-30",
  profiles: ["1", "22"],
};

Deno.test("macros become days and ids in quotes, whether or not they stand in quotes already", () => {
  const filled = (sql: string): string => fillMacros(sql, "q.sql", MACROS);
  assert.equal(
    filled("date BETWEEN {start} AND '{end}' AND profile_id IN ({profiles}) AND d < {today}"),
    "date BETWEEN '2026-09-07' AND '2026-09-13' AND profile_id IN ('1', '22') AND d < '2026-09-30'",
  );
  assert.equal(
    filled("x = :YYYYMMDD-7 OR x = ':YYYY-MM-DD' OR x = :YYYY-MM-DD+1"),
    "x = '20260923' OR x = '2026-09-30' OR x = '2026-10-01'",
  );
  assert.equal(
    filled("SELECT data #>> '{budget,budget}', ':x', '{}' FROM t"),
    "SELECT data #>> '{budget,budget}', ':x', '{}' FROM t",
  );
  // Within longer texts and comments there are no macros.
  const asIs =
    "SELECT 'a{end}b', 'it''s {start}', ANY('{US}') FROM t WHERE n LIKE '%{brand}%' -- it's {x}\n/* {y} ' */";
  assert.equal(filled(asIs), asIs);
  assert.equal(filled(`${asIs} AND d > {start}`), `${asIs} AND d > '2026-09-07'`);
  assert.throws(() => filled("d > '{strat}'"), /did you mean \{start\}/);
  assert.equal(
    filled(`SELECT x AS "Brand's" WHERE d > {start} AND c = 'US'`),
    `SELECT x AS "Brand's" WHERE d > '2026-09-07' AND c = 'US'`,
  );
  assert.equal(fillMacros("IN ({profiles})", "q.sql", { ...MACROS, profiles: ["1) OR (1=1"] }), "IN (NULL)");
  assert.throws(
    () => filled("SELECT 1\nWHERE d > {strat} AND\n  p IN ({profile})"),
    /q\.sql:2:11: there is no macro \{strat\}, did you mean \{start\}\?\nq\.sql:3:9: .*did you mean \{profiles\}\?/,
  );
});

Deno.test("a query without macros stays as it is", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }).filter((text) => !/[{:]/.test(text)), (sql) => {
      assert.equal(fillMacros(sql, "q.sql", MACROS), sql);
    }),
    { seed: 3, numRuns: 300 },
  );
});

Deno.test("a file of SQL runs with the days and profiles of its options", async () => {
  await using at = await emulated({
    clock: { now: "2026-09-30T12:00:00Z", frozen: true },
    quirks: { reportSeconds: 0 },
  });
  const io = { ...at, now: () => Date.parse("2026-09-30T12:00:00Z") };
  const store = ["--store", `${at.folder}/ads.sqlite`];
  const synced = await runCli(
    [
      "sync",
      "-m",
      "US",
      "--report",
      "sp_campaigns",
      "--start",
      "2026-09-01",
      "--end",
      "2026-09-20",
      ...store,
    ],
    io,
  );
  assert.equal(synced.code, 0, synced.stderr);
  const file = await at.write(
    "weekly.sql",
    "-- days of a period\nSELECT min(date_day) AS first, max(date_day) AS last, count(DISTINCT profile_id) AS n\n" +
      "FROM mart_campaign_day WHERE date_day BETWEEN {start} AND {end} AND profile_id IN ({profiles})\n",
  );
  const run = async (...more: string[]) => await runCli(["query", file, ...more, ...store, "--json"], io);
  const week = await run("--start", "2026-09-07", "--end", "2026-09-13", "--profiles", "us");
  assert.equal(week.code, 0, week.stderr);
  assert.deepEqual(JSON.parse(week.stdout), [{ first: "2026-09-07", last: "2026-09-13", n: 1 }]);
  assert.deepEqual(JSON.parse((await run()).stdout), [{ first: "2026-09-01", last: "2026-09-20", n: 1 }]);
  const unknown = await run("--profiles", "DE");
  assert.equal(unknown.code, 2);
  assert.match(unknown.stderr, /Cannot use \\"DE\\" as a profile: the store has \d+, US/);
  const wrong = await runCli(["query", await at.write("bad.sql", "SELECT {startt}"), ...store], io);
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /bad\.sql:1:8: there is no macro \{startt\}, did you mean \{start\}\?/);
  assert.equal((await runCli(["query", `${at.folder}/none.sql`, ...store], io)).code, 2);
});
