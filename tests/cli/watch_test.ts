import assert from "node:assert/strict";
import { emulated } from "./support/emulated.ts";
import { runCli } from "./support/run_cli.ts";
import { long } from "../support/long.ts";

const CLOCK = { now: "2026-09-30T18:00:00Z", frozen: true };
const now = (): number => Date.parse(CLOCK.now);

long();
Deno.test("adsctl auto run watch looks, alerts once, proposes a plan and lists what was said; every rule is judged or says why not", async () => {
  await using at = await emulated({ clock: CLOCK, quirks: { reportSeconds: 0 } });
  const store = ["--store", `${at.folder}/ads.sqlite`];
  const run = (...line: string[]) => runCli(line, { ...at, now });
  const file = `${at.folder}/watch.yaml`;
  assert.equal((await run("auto", "init", "watch", "--out", file)).code, 0);
  assert.equal((await run("auto", "init", "watch", "--out", file)).code, 2, "a file that is there is kept");
  assert.match(
    (await run("auto", "run", "watch", file, "-m", "US", ...store)).stderr,
    /Cannot find store .*adsctl sync makes it/,
  );
  const sync = [
    "sync",
    "-m",
    "US",
    "--report",
    "sp_campaigns",
    "--start",
    "2026-07-02",
    "--end",
    "2026-09-29",
  ];
  assert.equal((await run(...sync, ...store)).code, 0);
  const checked = await run("auto", "check", "watch", file, ...store);
  assert.equal(checked.code, 0, checked.stderr);
  assert.match(checked.stderr, /term_wastes finds nothing.*adsctl sync --report search-terms/);
  assert.match(checked.stderr, /12 rules, 1 channel, no mistakes/);

  const first = await run("auto", "run", "watch", file, "-m", "US", ...store, "--out", at.folder);
  assert.equal(first.code, 3, first.stderr);
  assert.match(
    first.stdout,
    /^WARNING US: .+ spent its budget of [\d.]+ USD on \d of the last seven days\n {2}Seen: /m,
  );
  assert.match(first.stderr, /term_wastes: Nothing is stored for search-terms/);
  const second = await run("auto", "run", "watch", file, "-m", "US", ...store, "--out", at.folder);
  assert.equal(second.code, 0, second.stderr);
  assert.equal(second.stdout, "");
  const listed = JSON.parse((await run("auto", "alerts", "-m", "US", ...store, "--json")).stdout);
  assert.equal(listed.length, first.stdout.match(/^ {2}alert [0-9a-f]{12}$/gm)?.length);
  assert.ok(listed.every(({ state }: { state: string }) => state === "delivered"));

  const tested = await run("auto", "test", "budget_out", file, "-m", "US", ...store, "--from", "-20");
  assert.equal(tested.code, 0, tested.stderr);
  assert.match(tested.stderr, /budget_out: [1-9]\d* alerts in 21 days/);
  for (
    const [line, message] of [
      [["test", "budget_uot", file], /Did you mean "budget_out"\?/],
      [["test", "sync_late", file], /no history is stored/],
      [["check", `${at.folder}/none.yaml`], /none\.yaml/],
      [["test", file, "other.yaml"], /Cannot replay the rules of \S+ and other\.yaml: give one file/],
      [["run", file, "--every", "x"], /not a time such as/],
    ] as const
  ) {
    const { code, stderr } = await run(
      "watch",
      ...line,
      ...(line[0] === "check" ? [] : ["-m", "US"]),
      ...store,
    );
    assert.equal(code, 2, stderr);
    assert.match(stderr, message);
  }

  const late = await at.write(
    "late.yaml",
    "version: 1\nrules: { d: { over: drift, when: changes1d > 0 } }\n",
  );
  const none = await run("auto", "test", late, "-m", "US", ...store, "--json");
  assert.deepEqual([none.code, none.stdout.trim()], [3, "[]"], none.stderr);

  const empty = await at.write("empty.yaml", "version: 1\nrules: {}\n");
  assert.equal((await run("auto", "test", empty, "-m", "US", ...store)).code, 3);

  const proposing = await at.write(
    "proposing.yaml",
    `version: 1
rules:
  full: { over: campaign, when: full_days7d >= 4, propose: { job: budgets, change: +10% } }
  rest: { over: campaign, when: budget_used7d < 20% && clicks30d > 0, propose: pause }
`,
  );
  const before = at.emulator.requests().length;
  const proposed = await run("auto", "run", "watch", proposing, "-m", "US", ...store, "--out", at.folder);
  assert.equal(proposed.code, 3, proposed.stderr);
  const plans = [...new Set(proposed.stdout.match(/Proposed: plan (\S+) with [1-9]\d* changes/g))];
  assert.equal(plans.length, 2, proposed.stdout);
  assert.deepEqual(at.emulator.requests().slice(before).filter(({ method }) => method === "PUT"), []);
  const [id] = /plan-?\d{8}-\d{6}-\w+|\d{8}-\d{6}-\w+/.exec(plans[0]!)!;
  const shown = await run("plan", "show", `${at.folder}/plan-${id.replace(/^plan-/, "")}.json`);
  assert.match(shown.stdout + shown.stderr, /Proposed by the rule/);
});

Deno.test("adsctl auto mark says which alerts are dealt with, and alerts lists the open ones", async () => {
  await using at = await emulated({ clock: CLOCK, quirks: { reportSeconds: 0 } });
  const store = ["--store", `${at.folder}/ads.sqlite`];
  const run = (...line: string[]) => runCli(line, { ...at, now });
  assert.match((await run("auto", "mark", "x", "--seen", ...store)).stderr, /Cannot find store/);
  await run("sync", "-m", "US", "--report", "sp_campaigns", "--start", "2026-09-20", ...store);
  const spending = await at.write(
    "r.yaml",
    "version: 1\nrules: { spends: { over: campaign, when: cost7d > 0 } }\n",
  );
  assert.equal((await run("auto", "run", "watch", spending, "-m", "US", ...store)).code, 3);
  const list = async (...options: string[]): Promise<Record<string, string>[]> =>
    JSON.parse((await run("auto", "alerts", "-m", "US", "--json", ...store, ...options)).stdout);
  const [first, second, third] = (await list()).map(({ id }) => id!);
  assert.equal((await run("auto", "mark", first!, "--closed", "--reason", "known", ...store)).code, 0);
  assert.equal((await run("auto", "mark", second!, "--snooze", "3d", ...store)).code, 0);
  const partly = await run("auto", "mark", third!, "none", "--seen", ...store);
  assert.equal(partly.code, 3);
  assert.match(partly.stderr, /Cannot find alert "none" .*auto alerts lists them/);
  assert.equal((await run("auto", "mark", "none", "--seen", ...store)).code, 2);
  const long = await run("auto", "mark", first!, "--seen", "--reason", "x".repeat(501), ...store);
  assert.match(long.stderr, /Cannot use --reason: it has more than 500 characters/);
  assert.equal((await run("auto", "mark", first!, "--seen", "--new", ...store)).code, 2);
  const open = await list("--state", "open");
  assert.ok(!open.some(({ id }) => id === first || id === second), "a snoozed alert is not open");
  assert.deepEqual((await list("--state", "closed")).map(({ id, reason }) => [id, reason]), [[
    first,
    "known",
  ]]);
  const [snoozed] = await list("--state", "snoozed");
  assert.deepEqual([snoozed?.id, snoozed?.snoozed_until], [second, "2026-10-03T18:00:00.000Z"]);
  assert.match(
    (await run("auto", "alerts", "-m", "US", "--state", "x", ...store)).stderr,
    /"x" is not one of new, seen/,
  );

  const never = await at.write(
    "r.yaml",
    "version: 1\nrules: { spends: { over: campaign, when: cost7d > 1000000 } }\n",
  );
  await run("auto", "run", "watch", never, "-m", "US", ...store);
  assert.deepEqual(
    await list("--state", "open"),
    [],
    "a state that does not hold any more closes its alerts",
  );
  const [closed] = await list("--state", "closed", "--limit", "1");
  assert.ok(closed!.reason === "it no longer holds" || closed!.reason === "known");
});
