import assert from "node:assert/strict";
import { emulated } from "./support/emulated.ts";
import { runCli } from "./support/run_cli.ts";

type Row = Record<string, unknown>;

Deno.test("sync --source decides how entities are read, and shows how and why", async () => {
  await using world = await emulated({
    clock: { now: "2026-09-30T19:00:00Z", frozen: true },
    quirks: { reportSeconds: 0 },
  });
  const env = { ...world.env, PLATFORM_ADS_STORE: `${world.folder}/ads.sqlite` };
  const run = (line: string) => runCli(line, { env, now: () => world.emulator.clock.now() });
  const first = await run("sync -m US --entities --source export --fields kind,source,why --json");
  assert.equal(first.code, 0, first.stderr);
  const keywords = (stdout: string): Row =>
    (JSON.parse(stdout).entities as Row[]).find(({ kind }) => kind === "sp.keywords")!;
  const { source, why } = keywords(first.stdout);
  assert.deepEqual([source, why], ["list", "nothing is stored yet to compare an export with"]);

  world.emulator.advance(7200);
  const table = await run("sync -m US --entities --source export --format tsv");
  assert.match(table.stdout, /^US\t\d+\tsp\.keywords\tstored\texport\t\d+\t0\t0\t0$/m);
  assert.match(table.stdout, /^US\t\d+\tportfolios\tstored\tlist\t/m);
  assert.match(
    table.stderr,
    /entities stored, 0 of them new, 0 changed, 0 gone \(21 of 24 kinds by export\) in /,
  );
  const ledger = JSON.parse((await run("report list --json")).stdout) as Row[];
  assert.deepEqual(ledger.map(({ report, state }) => `${report} ${state}`).sort(), [
    "ad_groups_export stored",
    "ads_export stored",
    "campaigns_export stored",
    "targets_export stored",
  ]);

  world.emulator.setFaults([{ match: { operation: "v1-exports:*" }, effects: { reportOutcome: "FAILED" } }]);
  const failed = await run("sync -m US --entities --source export --json");
  assert.equal(failed.code, 0, "lists took the place of the exports");
  assert.match(
    failed.stderr,
    /warning: US \d+: Cannot read the export of \/targets\/export: .*Lists take its place/,
  );
  const auto = await run("sync -m US --entities --json");
  assert.match(String(keywords(auto.stdout)["why"]), /^about \d+ requests; exports are used from 30$/);
});

Deno.test("sync --source wants a way that there is, and entities to read", async () => {
  await using world = await emulated();
  const run = (line: string) => runCli(line, world);
  const unknown = await run("sync -m US --source both");
  assert.equal(unknown.code, 2);
  assert.match(unknown.stderr, /both.*auto, list, export/s);
  const none = await run("sync -m US --no-entities --source list");
  assert.equal(none.code, 2);
  assert.match(none.stderr, /Cannot use --source without entities/);
});
