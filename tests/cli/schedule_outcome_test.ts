import assert from "node:assert/strict";
import { hasPostgres, makeStore, testServer } from "../support/postgres.ts";
import { emulated } from "./support/emulated.ts";
import { long } from "../support/long.ts";
import { type CliRun, runCli } from "./support/run_cli.ts";

for (const kind of ["SQLite", ...hasPostgres ? ["PostgreSQL"] : []]) {
  if (kind === "PostgreSQL") long();
  Deno.test(`auto outcome compares weeks that were drawn as on and as off, on ${kind}`, async () => {
    await compares(kind === "SQLite" ? undefined : await makeStore(await testServer()));
  });
}

async function compares(store: string | undefined): Promise<void> {
  await using at = await emulated({
    clock: { now: "2026-09-30T19:00:00Z", frozen: true },
    quirks: { reportSeconds: 0 },
  });
  const env = { ...at.env, PLATFORM_ADS_STORE: store ?? `${at.folder}/ads.sqlite` };
  const tried = (line: string): Promise<CliRun> =>
    runCli(line.replaceAll("@", at.folder), { env, now: () => at.emulator.clock.now() });
  const run = async (line: string): Promise<CliRun> => {
    const done = await tried(line);
    assert.equal(done.code, 0, `${line}\n${done.stderr}`);
    return done;
  };
  const file = (experiment: string): string =>
    `version: 1\nschedules:\n  nights:\n    move: bid\n${experiment}    grid: [{ hours: "00-06", factor: 0.5 }]\n`;
  await at.write("s.yaml", file("    experiment: { from: 2026-07-06, weeks: 12, seed: s }\n"));
  await at.write("always.yaml", file(""));
  await at.write("odd.yaml", file("    experiment: { from: 2026-07-06, weeks: 13, seed: s }\n"));
  await run("auto check schedules @/s.yaml");
  await run("sync -m US --report sp_campaigns --start -90");
  const early = await run("auto outcome nights @/s.yaml -m US");
  assert.match(
    early.stdout,
    /^Too early: 5 of 6 needed pairs of weeks have complete orders: ask again from 2026-10-12 on\n/,
  );
  assert.match(
    early.stdout,
    /\n {2}The store has no run of it: the calendar comes from the file\n/,
  );
  assert.match(early.stdout, /\n {2}2026-07-06 to 2026-07-12 {2}o(n|ff)\n/);

  at.emulator.advance(15 * 86_400);
  await run("sync -m US --report sp_campaigns --start -30");
  // No tick ran, so that weeks on were as weeks off.
  const outcome = JSON.parse(
    (await run("auto outcome nights @/s.yaml -m US --figure clicks --json")).stdout,
  );
  assert.equal(outcome.verdict, "no_difference", outcome.reason);
  assert.deepEqual([outcome.pairs, outcome.figure, outcome.weeks.length], [6, "clicks", 12]);
  assert.ok(outcome.campaigns > 5 && outcome.effects.cost.low < 0 && outcome.effects.cost.high > 0);
  const shown = await run("auto outcome nights @/s.yaml -m US --figure clicks");
  assert.match(
    shown.stdout,
    /^No difference found: The effect on clicks could have been between .*\n {2}6 pairs of weeks/,
  );

  const listed = JSON.parse((await run("plan experiments --schedules @/s.yaml --json")).stdout);
  const weeks = listed.filter(({ type }: Record<string, unknown>) => type === "schedule");
  assert.deepEqual(
    weeks.map((
      { state, until, held, units, plan }: Record<string, unknown>,
    ) => [state, until, held, units, plan]),
    [["ended", "2026-09-27", 6, "12 weeks", "schedule nights"]],
  );
  const always = JSON.parse((await run("plan experiments --schedules @/always.yaml --json")).stdout);
  assert.ok(always.every(({ type }: Record<string, unknown>) => type !== "schedule"));
  assert.match((await tried("experiments --schedules @/odd.yaml")).stderr, /even number of weeks/);
  assert.notEqual((await tried("experiments --schedules @/none.yaml")).code, 0);

  for (
    const [line, message] of [
      ["nights @/always.yaml", /it was on every week\. Add to .*experiment: \{ from/],
      ["days @/s.yaml", /has no schedule "days"/],
      ["nights @/odd.yaml", /even number of weeks/],
      ["nights @/s.yaml --figure profit", /profit/],
    ] as const
  ) {
    const refused = await tried(`auto outcome ${line} -m US`);
    assert.notEqual(refused.code, 0, line);
    assert.match(refused.stderr, message);
  }

  // A tick keeps the calendar of an experiment, whatever the file says afterwards.
  await at.write("next.yaml", file("    experiment: { from: 2026-10-15, weeks: 12, seed: s }\n"));
  await run("auto run schedules @/next.yaml -m US");
  await at.write("next.yaml", file("    experiment: { from: 2026-10-15, weeks: 12, seed: t }\n"));
  const kept = await run("auto outcome nights @/next.yaml -m US");
  assert.match(
    kept.stdout,
    /\n {2}Its calendar was fixed at the first run, on 2026-10-15; edits of the file/,
  );
  await at.write("next.yaml", file(""));
  at.emulator.advance(86_400);
  await run("auto run schedules @/next.yaml -m US");
  const gone = await run("auto outcome nights @/next.yaml -m US");
  assert.match(
    gone.stdout,
    /\n {2}The schedule was edited on 2026-10-16: unfinished weeks are left out\n/,
  );
}
