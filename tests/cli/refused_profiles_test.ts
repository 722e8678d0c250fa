import assert from "node:assert/strict";
import { type Emulated, emulated } from "./support/emulated.ts";
import type { FaultRule } from "../../src/emulator/faults/fault_rule.ts";
import { type CliRun, runCli } from "./support/run_cli.ts";

const CLOCK = { now: "2026-09-30T12:00:00Z", frozen: true };
const DAY = 86_400_000;

async function world(): Promise<Emulated & { refused: string }> {
  const at = await emulated({ clock: CLOCK, quirks: { reportSeconds: 0 }, profiles: 3 });
  const { record } = at.emulator.state.profiles().find(({ record }) => record.countryCode === "MX")!;
  return Object.assign(at, { refused: record.profileId });
}

/** The platform lists the profile, and refuses whatever is asked of it. */
function refuse({ emulator, refused: profileId }: Emulated & { refused: string }): void {
  const body = { code: "UNAUTHORIZED", details: `Not authorized to access scope ${profileId}` };
  emulator.setFaults([{
    name: "no access",
    match: { profileId },
    effects: { response: { status: 401, body } },
  }]);
}

function sync(at: Emulated, day: number, ...more: string[]): Promise<CliRun> {
  const line = ["sync", ...more, "--report", "sp_campaigns", "--store", `${at.folder}/ads.sqlite`];
  return runCli(line, { ...at, now: () => Date.parse(CLOCK.now) + day * DAY });
}

const problems = ({ stderr }: CliRun): string[] =>
  stderr.split("\n").filter((line) => /^(?:error|warning):/.test(line));

Deno.test("a profile without access is an error once, a warning on later days, and asked once a day", async () => {
  await using at = await world();
  refuse(at);
  const everyone = ["--all-profiles", "--start", "2026-09-27", "--end", "2026-09-28", "--no-entities"];
  const first = await sync(at, 0, ...everyone);
  assert.equal(first.code, 3, first.stderr);
  assert.deepEqual(problems(first).length, 1, first.stderr);
  assert.match(problems(first)[0]!, new RegExp(`^error: MX ${at.refused} .*Not authorized to access scope`));

  const sameDay = await sync(at, 0, ...everyone);
  assert.equal(sameDay.code, 0, sameDay.stderr);
  assert.match(
    problems(sameDay).join("\n"),
    new RegExp(
      `^warning: Left out until tomorrow, because the login has no access: profile ${at.refused} \\(MX\\)`,
    ),
  );

  const nextDay = await sync(at, 1, ...everyone);
  assert.equal(nextDay.code, 0, nextDay.stderr);
  assert.match(problems(nextDay).join("\n"), new RegExp(`^warning: MX ${at.refused} .*Not authorized`));

  const named = await sync(at, 1, "-m", at.refused, ...everyone.slice(1));
  assert.equal(named.code, 3, "a profile that is named is asked, and missed");

  at.emulator.setFaults([]);
  const healed = await sync(at, 2, ...everyone);
  assert.deepEqual([healed.code, problems(healed)], [0, []], healed.stderr);
  refuse(at);
  assert.equal(
    (await sync(at, 2, "--all-profiles", "--entities")).code,
    3,
    "access that is lost anew is an error",
  );
});

Deno.test("a login that is refused, before or amid a sync, is one line and exit code 5", async () => {
  await using at = await world();
  const body = { error: "invalid_grant", error_description: "The consent was revoked" };
  const revoked = (skip: number): FaultRule => ({
    ...{ name: "revoked", match: { operation: "identity:token" }, skip },
    effects: { response: { status: 400, body } },
  });
  const everyone = ["--all-profiles", "--start", "2026-09-27", "--end", "2026-09-28", "--no-entities"];
  at.emulator.setFaults([
    { name: "expired", match: { path: "/reporting/*" }, times: 1, effects: { expireToken: true } },
    revoked(1),
  ]);
  const amid = await sync(at, 0, ...everyone);
  assert.equal(amid.code, 5, amid.stderr);
  assert.equal(problems(amid).length, 1, amid.stderr);
  assert.match(problems(amid)[0]!, /invalid_grant|consent was revoked/);
  at.emulator.setFaults([revoked(0)]);
  const before = await sync(at, 1, ...everyone);
  assert.deepEqual([before.code, problems(before).length], [5, 1], before.stderr);
});

Deno.test("--except leaves profiles out of --all-profiles, and nothing else", async () => {
  await using at = await world();
  refuse(at);
  const days = ["--start", "2026-09-27", "--end", "2026-09-28", "--no-entities"];
  const run = await sync(at, 0, "--all-profiles", "--except", "MX", ...days);
  assert.deepEqual([run.code, problems(run)], [0, []], run.stderr);
  const audit = await runCli(
    ["account", "pull", `${at.folder}/files`, "--all-profiles", "--except", `MX,US`],
    {
      ...at,
      now: () => Date.parse(CLOCK.now),
    },
  );
  assert.equal(audit.code, 0, audit.stderr);
  assert.match(audit.stdout, /^Pulled profile \d+ \(CA\)[^\n]*\n$/);

  const unknown = await sync(at, 0, "--all-profiles", "--except", "MX,ZZ", ...days);
  assert.equal(unknown.code, 2);
  assert.match(unknown.stderr, /Cannot leave out ZZ: the login reaches no such profile/);
  const alone = await sync(at, 0, "-m", "US", "--except", "MX", ...days);
  assert.equal(alone.code, 2);
  assert.match(alone.stderr, /Cannot use --except without --all-profiles/);
});

Deno.test("a command for many profiles treats a profile without access in the same way", async () => {
  await using at = await world();
  refuse(at);
  const pull = (day: number): Promise<CliRun> =>
    runCli(["account", "pull", `${at.folder}/files`, "--all-profiles"], {
      ...at,
      now: () => Date.parse(CLOCK.now) + day * DAY,
    });
  assert.equal((await pull(0)).code, 3);
  const sameDay = await pull(0);
  assert.equal(sameDay.code, 0, sameDay.stderr);
  const nextDay = await pull(1);
  assert.equal(nextDay.code, 0, nextDay.stderr);
  assert.match(nextDay.stderr, new RegExp(`warning: Profile ${at.refused} \\(MX\\): .*Not authorized`));
});
