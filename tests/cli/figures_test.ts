import assert from "node:assert/strict";
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
  const [sql] = JSON.parse(
    (await run(
      "store",
      "query",
      "SELECT sum(cost) AS cost, sum(sales_14d) AS sales FROM sp_campaigns WHERE date BETWEEN '2026-09-14' AND '2026-09-27'",
      "--json",
    )).stdout,
  );
  assert.deepEqual([total.cost.toFixed(2), total.sales.toFixed(2)], [
    sql.cost.toFixed(2),
    sql.sales.toFixed(2),
  ]);

  const table = await run("figures", "--by", "campaign", "--start", "last week", "--compare");
  assert.match(table.stderr, /2026-09-21 to 2026-09-27, against 2026-09-14 to 2026-09-20/);
  assert.match(table.stdout, /Total/);
  assert.match(table.stderr, /immature/);
  assert.match(
    (await run("figures", "--by", "week", "--weeks", "3", "--chart")).stdout,
    /USD: ▒ cost, █ sales\n2026-09-07 +▏▒+ /,
  );
  const out = `${at.folder}/weekly.xlsx`;
  assert.match(
    (await run("figures", "--by", "campaign,week", "--weeks", "2", "--out", out)).stderr,
    /Wrote \d+ rows/,
  );
  assert.ok((await Deno.stat(out)).size > 1000);

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
