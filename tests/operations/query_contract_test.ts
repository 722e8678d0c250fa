import { deepEqual, equal, ok } from "../support/assert.ts";
import { runCli } from "../cli/support/run_cli.ts";
import { settingsOf } from "../cli/support/emulated.ts";
import { interfaces } from "./support/interfaces.ts";
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
