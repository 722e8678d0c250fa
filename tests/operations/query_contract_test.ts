import { deepEqual, equal, ok } from "../support/assert.ts";
import { runCli } from "../cli/support/run_cli.ts";
import { settingsOf } from "../cli/support/emulated.ts";
import { type Input, interfaces } from "./support/interfaces.ts";
import { storeQuery } from "../../src/operations/reads/store_query.ts";
import { sync } from "../../src/operations/reads/sync.ts";

Deno.test("a query has the same rows and notes in every interface", async () => {
  await using at = await interfaces();
  equal((await at.adsctl(sync, { reports: ["campaigns"], start: "-3", entities: false })).code, 0);
  const place = `${at.world.folder}/ads.sqlite`;
  const world = {
    env: settingsOf(at.world.emulator, at.world.folder),
    now: () => at.world.emulator.clock.now(),
  };
  for (
    const sql of [
      "SELECT date, sum(sales_14d) AS sales FROM sp_campaigns GROUP BY date ORDER BY date",
      "SELECT sum(sales_14d) AS sales FROM sp_campaigns WHERE date BETWEEN '2026-01-01' AND '2026-01-02'",
    ]
  ) {
    const { code, stdout, stderr } = await runCli(["query", sql, "--store", place, "--json"], world);
    equal(code, 0, stderr);
    const notes = [...stderr.matchAll(/^note: (.*)$/gm)].map(([, note]) => note);
    ok(notes.length > 0, sql);
    const rows = JSON.parse(stdout);
    const { data: agents } = await at.agent.call("query_reports", { sql });
    deepEqual([agents.rows, agents.notes], [rows, notes], sql);
    const { data: page } = await at.page.ask("/api/store/query", { sql });
    deepEqual([page.rows, page.notes], [rows.map((row: object) => Object.values(row)), notes], sql);
  }
  // What was stored during a day was known on it, and what is stored now was not known a day ago.
  const sql = "SELECT count(*) AS rows FROM sp_campaigns";
  const day = new Date(world.now()).toISOString().slice(0, 10);
  for (const [asOf, isKnown] of [[day, true], ["-1", false]] as const) {
    const line = ["query", sql, "--store", place, "--json", "--as-of", asOf];
    const { data: agents } = await at.agent.call("query_reports", { sql, as_of: asOf });
    const { data: page } = await at.page.ask("/api/store/query", { sql, as_of: asOf });
    const counts = [
      JSON.parse((await runCli(line, world)).stdout)[0].rows,
      agents.rows[0].rows,
      page.rows[0][0],
    ];
    deepEqual(counts.map((count) => Number(count) > 0), [isKnown, isKnown, isKnown], asOf);
  }
});

Deno.test("a query has the same macros, parameters and rates in every interface, and is refused by the same rules", async () => {
  await using at = await interfaces();
  equal((await at.adsctl(sync, { reports: ["campaigns"], start: "-3", entities: false })).code, 0);
  const rates = `${at.world.folder}/rates.json`;
  const cad = [{ currency: "CAD", rate: 2 }];
  await Deno.writeTextFile(rates, JSON.stringify(cad));
  const ask = async ({ rates: given, ...input }: Input) => {
    const file = given === undefined ? [] : ["--rates", rates];
    const command = await at.adsctl(storeQuery, input, ["--json", ...file]);
    const tool = await at.tool(storeQuery, { ...input, rates: given });
    const page = await at.page.ask("/api/store/query", { ...input, rates: given });
    return { command, tool, page };
  };
  const spent = "SELECT round(sum(cost), 2) AS cost FROM budget_pressure";
  for (
    const [input, rows] of [
      [{ sql: "SELECT {start} AS a, {end} AS b", start: "-7", end: "-2" }, [{
        a: "2026-09-23",
        b: "2026-09-28",
      }]],
      [{ sql: "SELECT {start} AS a, '{end}' AS b", start: "last week" }, [{
        a: "2026-09-21",
        b: "2026-09-27",
      }]],
      [{ sql: "SELECT {start} AS a, {end} AS b, {today} AS c" }, [{
        a: "2026-08-31",
        b: "2026-09-29",
        c: "2026-09-30",
      }]],
      [{
        sql: "SELECT DISTINCT country_code FROM sp_campaigns WHERE profile_id IN ({profiles})",
        profiles: ["ca"],
      }, [{ country_code: "CA" }]],
      [{ sql: "SELECT ? || ? AS both", params: ["x", "'; --"] }, [{ both: "x'; --" }]],
    ] as const
  ) {
    const about = JSON.stringify(input);
    const { command, tool, page } = await ask(input);
    deepEqual(JSON.parse(command.stdout), rows, about);
    deepEqual(tool.data.rows, rows, about);
    deepEqual(page.data.rows, rows.map((row) => Object.values(row)), about);
  }
  const plain = await ask({ sql: spent });
  const doubled = await ask({ sql: spent, currency: "eur", rates: cad });
  const cost = ({ command, tool, page }: typeof plain): number[] => [
    JSON.parse(command.stdout)[0].cost,
    tool.data.rows[0].cost,
    page.data.rows[0][0],
  ];
  ok(cost(plain)[0]! > 0);
  deepEqual(cost(doubled), cost(plain).map((one) => one * 2));

  const unused = await ask({ sql: "SELECT 1 AS one", profiles: ["CA"], end: "-2" });
  const notes = [
    "end has no effect: the statement has no {end}",
    "profiles has no effect: the statement has no {profiles}",
  ];
  ok(unused.command.stderr.includes(`note: ${notes.join("\nnote: ")}\n`), unused.command.stderr);
  deepEqual([unused.tool.data.notes, unused.page.data.notes], [notes, notes]);

  for (
    const [input, why] of [
      [{ sql: "SELECT {strat}" }, "there is no macro {strat}, did you mean {start}?"],
      [{ sql: "SELECT {profiles}", profiles: ["DE"] }, "as a profile: the store has"],
      [{ sql: spent, currency: "EUR", rates: [{ currency: "USD", rate: 2 }] }, "there is no rate for CAD"],
      [{ sql: "DELETE FROM sp_campaigns" }, "Cannot run the query"],
      [{ sql: "SELECT 1; SELECT 2" }, "Cannot run the query"],
      [{ sql: "SELECT ?" }, "Cannot run the query"],
      [{ sql: "ATTACH 'x.sqlite' AS x" }, "Cannot run the query"],
    ] as const
  ) {
    const about = JSON.stringify(input);
    if ("rates" in input) await Deno.writeTextFile(rates, JSON.stringify(input.rates));
    const { command, tool, page } = await ask(input);
    const said = String(JSON.parse(command.stderr).message);
    ok(command.code !== 0 && said.includes(why), `${about}: ${command.stderr}`);
    ok(tool.isError && tool.text.includes(why), `${about}: ${tool.text}`);
    ok(page.status >= 400 && page.data.error.message.includes(why), `${about}: ${JSON.stringify(page.data)}`);
  }
});

Deno.test("a query is cut at the rows that were asked for, and every interface says so", async () => {
  await using at = await interfaces();
  equal((await at.adsctl(sync, { reports: ["campaigns"], start: "-3", entities: false })).code, 0);
  const input = { sql: "SELECT date FROM sp_campaigns", max_rows: 2 };
  const { stdout, stderr } = await at.adsctl(storeQuery, input, ["--json"]);
  deepEqual([JSON.parse(stdout).length, stderr.includes("Only the first 2 rows are shown")], [2, true]);
  const { data: agents } = await at.tool(storeQuery, input);
  deepEqual([agents.rows.length, agents.notes[0].startsWith("Cut at 2 rows")], [2, true]);
  const { data: page } = await at.page.ask("/api/store/query", input);
  deepEqual([page.rows.length, page.truncated], [2, true]);
  const many = { ...input, max_rows: 1_000_000 };
  const why = "max_rows is at most";
  ok((await at.tool(storeQuery, many)).text.includes(`${why} 10000 here`));
  ok((await at.page.ask("/api/store/query", many)).data.error.message.includes(`${why} 50000 here`));
  equal((await at.adsctl(storeQuery, many, ["--json"])).code, 0);
});
