import { deepEqual, equal, match, ok } from "../support/assert.ts";
import fc from "fast-check";
import { statementOf } from "../../src/interfaces/mcp/tools/kept_results.ts";
import { withTable } from "../../src/interfaces/mcp/calls/text_table.ts";
import { queryRows } from "../../src/store/sqlite/query_rows.ts";
import { Agent } from "./support/agent.ts";
import { World } from "./support/world.ts";

Deno.test("a kept result is filtered, sorted, grouped and queried by SQL, without a store and without a request", async () => {
  await using world = await World.start();
  const context = world.context();
  await using agent = await Agent.connect(context);
  const all = await agent.call("list_entities", { market: "US", entity: "sp_keywords", limit: 1 });
  const from = all.data.result_uri;
  const before = world.emulator.requests().length;
  const query = (args: Record<string, unknown>) => agent.call("query_result", { from, ...args });

  const dear = await query({
    where: "bid > 0.5",
    sort_by: "bid DESC",
    columns: ["keywordId", "bid"],
    limit: 5,
  });
  equal(dear.isError, false, dear.text);
  const bids: number[] = dear.data.rows.map(({ bid }: { bid: number }) => bid);
  ok(bids.length > 0 && bids.every((bid) => bid > 0.5));
  deepEqual(bids, [...bids].sort((a, b) => b - a));
  match(String(dear.data.rows[0].keywordId), /^\d+$/, "ids stay texts");

  const grouped = await query({ group_by: ["matchType"], sort_by: "rows DESC" });
  const counts: number[] = grouped.data.rows.map(({ rows }: { rows: number }) => rows);
  equal(counts.reduce((sum, count) => sum + count, 0), all.data.total);
  ok("bid" in grouped.data.rows[0], "numbers are summed up");

  const sql = await query({ sql: "SELECT state, count(*) AS n, avg(bid) AS bid FROM rows GROUP BY state" });
  equal(sql.data.rows.reduce((sum: number, { n }: { n: number }) => sum + n, 0), all.data.total);
  const again = await agent.call("query_result", {
    from: dear.data.result_uri,
    group_by: [],
    columns: ["max(bid) AS top"],
  });
  equal(again.data.rows[0].top, bids[0], "a result of a query is kept too");

  for (
    const bad of [
      "DELETE FROM rows",
      "ATTACH '/etc/passwd' AS x",
      "SELECT 1; SELECT 2",
      "SELECT load_extension('x')",
    ]
  ) {
    const { isError, text } = await query({ sql: bad });
    equal(isError, true, bad);
    match(text, /^Cannot run the query: /);
  }
  match((await query({ where: "nosuch > 1" })).text, /no such column: nosuch/);
  match(
    (await agent.call("query_result", { from: "platform-ads://results/gone" })).text,
    /is not a result that is kept/,
  );
  match((await agent.call("query_result", {})).text, /Cannot query nothing/);
  equal(world.emulator.requests().length, before, "nothing was sent");
  await context.stop();
});

Deno.test("stored reports are queried by the same tool, in a store of the server's own where none is named", async () => {
  await using world = await World.start({ quirks: { reportSeconds: 0 } });
  const context = world.context({}, { now: () => world.emulator.clock.now() });
  await using agent = await Agent.connect(context);
  const compared = await agent.call("compare_periods", { market: "US", by: ["placement"], limit: 60 });
  equal(compared.isError, false, compared.text);
  const late = /^Days after 2026-09-16 are immature/;
  const notes = (answer: { data: { notes?: string[] } }): string[] =>
    (answer.data.notes ?? []).filter((line) => late.test(line));
  equal(notes(compared).length, 1, "of a comparison");
  const { data, isError, text } = await agent.call("query_result", {
    from: "sp_placement",
    columns: ["sum(cost) AS cost"],
    where: "date >= '2026-09-23'",
    group_by: ["placementClassification"],
    sort_by: "cost DESC",
  });
  equal(isError, false, text);
  const placements = compared.data.rows.filter(({ by }: { by: string }) => by === "placement");
  const costs = placements.map(({ cost_after: cost }: { cost_after: number }) => cost);
  const found = data.rows.map(({ cost }: { cost: number }) => Number(cost.toFixed(2)));
  deepEqual(found, costs.toSorted((a: number, b: number) => b - a));
  deepEqual(notes({ data }), [], "a sum of cost is complete");

  const view = { from: "sp_placement", columns: ["sum(sales14d) AS value"] };
  equal(notes(await agent.call("query_result", view)).length, 1, "a sum of sales is not");
  deepEqual(notes(await agent.call("query_result", { ...view, where: "date <= '2026-09-16'" })), []);

  const report = { market: "US", report: "sp_campaigns", time_unit: "SUMMARY", start: "-7", end: "-1" };
  const summary = await agent.call("run_report", report);
  equal(notes(summary).length, 1, summary.text);
  const from = summary.data.result_uri;
  const top = await agent.call("query_result", { from, columns: ["sales14d AS value"], limit: 1 });
  equal(notes(top).length, 1, "what is made of such a result");
  const again = await agent.call("query_result", {
    from: top.data.result_uri,
    sql: "SELECT sum(value) AS sales FROM rows",
  });
  equal(notes(again).length, 1, "and of that");
  deepEqual(notes(await agent.call("query_result", { from, columns: ["cost"] })), []);
  equal(notes(await agent.call("run_report", report)).length, 1, "when it is answered again");
  deepEqual(notes(await agent.call("run_report", { ...report, start: "2026-08-01", end: "2026-08-20" })), []);
  await context.stop();
});

Deno.test("whatever rows hold, a query of all of them gives them back", () => {
  const value = fc.oneof(
    fc.string(),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constant(null),
  );
  const name = fc.string({ minLength: 1, maxLength: 12 }).filter((text) => !text.includes("\0"));
  const row = fc.uniqueArray(name, { minLength: 1, maxLength: 5, selector: (text) => text.toLowerCase() })
    .chain((names) =>
      fc.array(fc.tuple(...names.map(() => value)), { minLength: 1, maxLength: 5 })
        .map((cells) => cells.map((each) => Object.fromEntries(names.map((key, at) => [key, each[at]]))))
    );
  fc.assert(
    fc.property(row, (rows) => {
      const texts = rows.flatMap((one) => Object.values(one)).filter((cell) => typeof cell === "string");
      fc.pre(!texts.some((text) => text.includes("\0")));
      fc.pre(Object.keys(rows[0]!).every((key) => key !== "__proto__"));
      const found = queryRows(rows, "SELECT * FROM rows", { params: [], maxRows: 10 }).rows;
      // SQLite gives -0 back as 0 or as it was, depending on what else the column holds.
      const cells = (one: object): unknown[] => Object.values(one).map((cell) => cell === 0 ? 0 : cell);
      deepEqual(found.map(cells), rows.map(cells));
    }),
    { seed: 20261122, numRuns: 100 },
  );
});

Deno.test("parts make one statement, in which names are quoted and expressions stay as they are", () => {
  equal(
    statementOf({
      from: "rows",
      columns: ["campaignId", "sum(cost) AS cost"],
      group_by: ["campaignId"],
      where: "clicks > 1",
      sort_by: "cost DESC, campaignId",
    }),
    'SELECT "campaignId", sum(cost) AS cost FROM rows\nWHERE clicks > 1\nGROUP BY "campaignId"\nORDER BY "cost" DESC, "campaignId"',
  );
  equal(statementOf({ from: "rows" }), "SELECT * FROM rows");
});

Deno.test("up to 20 rows are whole in the text, and of more the first ones", () => {
  const tableOf = (rows: number): string =>
    ["id | bid", ...Array.from({ length: rows }, (_, at) => `${at} | 1`)].join("\n");
  for (const place of ["data", "both"] as const) {
    equal(withTable("20 keywords", tableOf(20), place), `20 keywords\n\n${tableOf(20)}`);
  }
  equal(withTable("21 keywords", tableOf(21), "both"), `21 keywords\n\n${tableOf(21)}`);
  equal(
    withTable("21 keywords", tableOf(21), "data"),
    `21 keywords\n\n${tableOf(20)}\n(1 more rows in the data)`,
  );
  equal(withTable("none", "", "data"), "none");
});
