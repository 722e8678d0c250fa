import assert from "node:assert/strict";
import { emulated } from "./support/emulated.ts";
import { type CliRun, runCli } from "./support/run_cli.ts";
import { long } from "../support/long.ts";

type Row = Record<string, unknown>;

long();
Deno.test("sync --hours stores days by hour and nothing else unless it is named, and wants a queue to leave them to workers", async () => {
  await using world = await emulated({
    clock: { now: "2026-09-30T19:00:00Z", frozen: true },
    quirks: { reportSeconds: 0 },
  });
  const env = { ...world.env, PLATFORM_ADS_STORE: `${world.folder}/ads.sqlite` };
  const run = (line: string): Promise<CliRun> => runCli(line, { env, now: () => world.emulator.clock.now() });
  const { code, stdout, stderr } = await run("sync -m US --hours --start -2 --json");
  assert.equal(code, 0, stderr);
  const { outcomes, entities } = JSON.parse(stdout);
  const [{ report, start, end, rows }] = outcomes;
  assert.deepEqual([outcomes.length, report, start, end, entities], [
    1,
    "hours",
    "2026-09-28",
    "2026-09-29",
    [],
  ]);
  const lines = "store stream reconcile --start -2 --fail-on-differences --json";
  assert.deepEqual(JSON.parse((await run(lines)).stdout), [], "no days to compare with");
  const both = await run("sync -m US --hours --report sp_campaigns --reporting 1 --start -2 --json");
  assert.deepEqual(
    JSON.parse(both.stdout).outcomes.map((one: Row) => [one["report"], one["rows"] === rows]),
    [["sp_campaigns", false], ["hours", true]],
  );
  const compared = await run(lines);
  assert.equal(compared.code, 0, compared.stderr);
  assert.equal(JSON.parse(compared.stdout).length, 10);
  for (const option of ["--enqueue", "--cron off"]) {
    const refused = await run(`sync -m US --hours ${option}`);
    assert.deepEqual([refused.code, refused.stderr.includes("it lives in a PostgreSQL store")], [2, true]);
  }
});
