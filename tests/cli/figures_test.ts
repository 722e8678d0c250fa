import assert from "node:assert/strict";
import { readXlsx } from "hucre/xlsx";
import { figuresSql } from "../../src/store/figures/figures.ts";
import { emulated } from "./support/emulated.ts";
import { runCli } from "./support/run_cli.ts";

const CLOCK = { now: "2026-09-30T12:00:00Z", frozen: true };
const now = (): number => Date.parse(CLOCK.now);

Deno.test("figures sums up what a sync stored, to the cent of SQL over the same days, and writes it to a sheet", async () => {
  await using at = await emulated({ clock: CLOCK, quirks: { reportSeconds: 0 } });
  const store = ["--store", `${at.folder}/ads.sqlite`];
  const io = { ...at, now };
  const run = async (...line: string[]) => {
    const done = await runCli([...line, ...store], io);
    assert.equal(done.code, 0, done.stderr);
    return done;
  };
  await run("sync", "-m", "US", "--report", "sp_campaigns", "--start", "2026-09-07", "--end", "2026-09-27");
  const [total] = JSON.parse((await run("figures", "--weeks", "2", "--json")).stdout);
  const [sums] = JSON.parse(
    (await run(
      "store",
      "query",
      "SELECT sum(cost) AS cost, sum(sales_14d) AS sales FROM sp_campaigns WHERE date BETWEEN '2026-09-14' AND '2026-09-27'",
      "--json",
    )).stdout,
  );
  assert.deepEqual([total.cost.toFixed(2), total.sales.toFixed(2)], [
    sums.cost.toFixed(2),
    sums.sales.toFixed(2),
  ]);

  const nowhere = await runCli(["figures", "-m", "US,ZZ", ...store], io);
  assert.equal(nowhere.code, 2);
  assert.match(
    nowhere.stderr,
    /Cannot use "ZZ" as a market: give a country code such as US, or a profile id/,
  );

  const unknown = await run("figures", "-m", "404", "--compare", "--json");
  assert.deepEqual(JSON.parse(unknown.stdout), []);
  assert.match(unknown.stderr, /The store has no figures of profile 404/);
  // PostgreSQL refuses an empty list.
  const sql = figuresSql({ from: "2026-09-01", to: "2026-09-02", by: ["day"], profileIds: [] });
  assert.match(sql, /AND 1 = 0/);

  // It is 23:00 of 29 September in the market, so that day is not complete.
  const early = await runCli(["figures", "--days", "7", ...store], {
    ...io,
    now: () => Date.parse("2026-09-30T06:00Z"),
  });
  assert.match(early.stderr, /^2026-09-22 to 2026-09-28$/m);
  const table = await run("figures", "--by", "campaign", "--start", "last week", "--compare");
  assert.match(table.stderr, /2026-09-21 to 2026-09-27, against 2026-09-14 to 2026-09-20/);
  assert.match(table.stdout, /Total/);
  assert.match(table.stderr, /immature/);
  // A program gets numbers, a person a share and the currency once.
  const [head, first] = (await run("figures", "--by", "campaign", "--weeks", "1", "--format", "csv")).stdout
    .split("\r\n").map((line) => line.split(","));
  assert.match(first![head!.indexOf("acos")]!, /^\d+(\.\d+)?$/);
  const drawnTable = await runCli(["figures", "--by", "campaign", "--weeks", "1", ...store], {
    ...io,
    terminal: 80,
  });
  assert.match(drawnTable.stdout, /Campaign +Cost +Sales +ACOS +Cost by day/);
  assert.match(drawnTable.stdout, / [▁-█]{7} +\d+\n/);
  assert.match(drawnTable.stdout, /Total .* [▁-█]{7} +\d+/);
  // The first week of the store has days before it, which are missing and not 0.
  const gaps = await runCli(["figures", "--start", "2026-09-04", "--end", "2026-09-10", ...store], {
    ...io,
    terminal: 80,
  });
  assert.match(gaps.stdout, / {3}[▁-█]{4}(?: |$)/m);
  const { profile_id: id } =
    JSON.parse((await run("figures", "--by", "profile", "--weeks", "2", "--json")).stdout)[0];
  for (const market of ["US", id]) {
    assert.equal(
      JSON.parse((await run("figures", "-m", market, "--weeks", "2", "--json")).stdout)[0].cost,
      total.cost,
    );
  }
  assert.deepEqual(JSON.parse((await run("figures", "-m", "123", "--weeks", "2", "--json")).stdout), []);
  for (const piped of [["--format", "table"], ["--json"], ["--fields", "campaign,cost"]]) {
    const { stdout } = await run("figures", "--by", "campaign", "--weeks", "1", ...piped);
    assert.doesNotMatch(stdout, /[▁-█]|cost_by_day/);
  }
  assert.match(drawnTable.stdout, /\d %\s/);
  assert.match(drawnTable.stderr, /2026-09-21 to 2026-09-27, amounts in USD\n/);
  assert.match(
    (await run("figures", "--by", "week", "--weeks", "3", "--chart")).stdout,
    /USD: ▒ cost, █ sales\n2026-09-07 +▏▒+ /,
  );
  const out = `${at.folder}/weekly.xlsx`;
  assert.match(
    (await run("figures", "--by", "campaign,week", "--weeks", "2", "--out", out, "--chart")).stderr,
    /Wrote \d+ rows/,
  );
  const [sheet, drawn] = (await readXlsx(await Deno.readFile(out), { readStyles: true })).sheets;
  assert.deepEqual(sheet!.rows[0]!.slice(0, 3), ["campaign", "week", "currency"]);
  assert.equal(sheet!.rows.at(-1)![0], "Total");
  const cost = sheet!.rows[0]!.indexOf("cost");
  const style = (row: number, column: number) => sheet!.cells?.get(`${row},${column}`)?.style;
  assert.deepEqual([style(1, cost)?.numFmt, style(0, cost)?.font?.bold], ["#,##0.00", true]);
  assert.deepEqual(sheet!.freezePane?.rows, 1);
  const last = sheet!.rows.length - 1;
  assert.deepEqual([style(last, cost)?.numFmt, style(last, cost)?.font?.bold], ["#,##0.00", true]);
  assert.ok(sheet!.autoFilter?.range.endsWith(`${last}`), "totals are not filtered");
  assert.deepEqual(style(1, 1)?.numFmt, "yyyy-mm-dd");
  const spent = Number(sheet!.rows.at(-1)![cost]);
  const weeks = drawn!.rows.slice(1, 3);
  assert.deepEqual(weeks.map(([week]) => week), ["2026-09-14", "2026-09-21"]);
  assert.ok(Math.abs(weeks.reduce((sum, [, amount]) => sum + Number(amount), 0) - spent) < 0.011);
  assert.deepEqual(drawn!.charts?.map(({ kinds }) => kinds), [["line"]]);

  const image = `${at.folder}/weekly.svg`;
  assert.equal((await run("figures", "--by", "week", "--weeks", "3", "--out", image)).code, 0);
  const svg = await Deno.readTextFile(image);
  assert.match(svg, /^<svg [^>]*aria-label="Cost and sales, 2026-09-07 to 2026-09-27"/);
  assert.equal(svg.match(/<polyline /g)?.length, 2);
  assert.match(svg, />2026-09-07<\/text>/);

  for (
    const [line, message] of [
      [["--by", "weeks"], /did you mean "week"/],
      [["--days", "3", "--weeks", "2"], /choose one period/],
      [["--start", "last wek"], /Cannot use/],
      [["--out", "figures.pdf"], /must end in/],
    ] as const
  ) {
    const { code, stderr } = await runCli(["figures", ...line, ...store], io);
    assert.equal(code, 2, stderr);
    assert.match(stderr, message);
  }
});
