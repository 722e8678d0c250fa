import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { emulated } from "./support/emulated.ts";
import { runCli } from "./support/run_cli.ts";
import { long } from "../support/long.ts";

const CLOCK = { now: "2026-09-30T18:00:00Z", frozen: true };
const now = (): number => Date.parse(CLOCK.now);

long();
Deno.test("adsctl auto is written from the account, checked, run once, and shows what ran", async () => {
  await using at = await emulated({ clock: CLOCK, quirks: { reportSeconds: 0 } });
  const run = (...line: string[]) => runCli(line, { ...at, now });
  const store = ["--store", `${at.folder}/ads.sqlite`];
  const file = `${at.folder}/service.yaml`;
  const written = await run("auto", "init", "--out", file, ...store);
  assert.equal(written.code, 0, written.stderr);
  assert.equal(
    (await run("auto", "init", "--out", file, ...store)).code,
    2,
    "a file that is there is kept",
  );
  const text = await Deno.readTextFile(file);
  assert.match(text, /^ {2}- US # .+, seller$/m);
  assert.match(text, /^ {2}- "\d+" # DE, /m, "a market with two profiles names neither");
  assert.equal((await run("auto", "check", file)).code, 0);

  await run("sync", "-m", "US", "--report", "sp_campaigns", "--start", "-3", ...store);
  await run("auto", "init", "--out", `${at.folder}/second.yaml`, ...store);
  assert.match(await Deno.readTextFile(`${at.folder}/second.yaml`), /^reports: \[campaigns\] # /m);
  await Deno.remove(`${at.folder}/ads.sqlite`);
  const missing = await run("auto", "status", file, ...store);
  assert.match(missing.stderr, /Cannot find store/);
  await at.write("watch.yaml", "version: 1\nrules: { dear: { over: campaign, when: cost7d > 1000000 } }\n");
  await at.write(
    "service.yaml",
    `version: 1
profiles: [US]
store: ${at.folder}/ads.sqlite
reports: [sp_campaigns]
timers: { watch: hourly, sync: nightly 04:00, drift: { at: nightly, missed: skip } }
files: { watch: ${at.folder}/watch.yaml }
`,
  );
  const first = await run("auto", "run", file, "--once");
  assert.equal(first.code, 0, first.stderr);
  const lines = first.stderr.trim().split("\n");
  assert.deepEqual(lines.map((line) => line.split(" ").slice(1, 4).join(" ")), [
    "US sync began",
    "US sync done",
    "US watch began",
    "US watch done",
  ]);
  assert.match(first.stderr, /sync done in [\d.]+ s: \d+ reports, \d+ rows/);
  const second = await run("auto", "run", file, "--once");
  assert.equal(`${second.code} ${second.stderr}`, "0 ", "nothing is due any more");
  const status = await run("auto", "status", file, "--json");
  assert.equal(status.code, 0, status.stderr);
  const rows = JSON.parse(status.stdout) as Record<string, unknown>[];
  assert.deepEqual(rows.map(({ timer, state }) => `${timer} ${state}`), [
    "sync done",
    "drift waits",
    "watch done",
  ]);
  assert.equal(rows[0]!["next"], "2026-10-01T11:00:00.000Z");
});

long();
Deno.test("a run of a service that was killed is taken over once its lease is over; a failed one ends with 3", async () => {
  await using at = await emulated({ clock: CLOCK, quirks: { reportSeconds: 0 } });
  let time = now();
  const run = (...line: string[]) => runCli(line, { ...at, now: () => time });
  const place = `${at.folder}/ads.sqlite`;
  const file = await at.write(
    "service.yaml",
    `version: 1\nprofiles: [US]\nstore: ${place}\nreports: [sp_campaigns]\ntimers: { sync: nightly 04:00 }\n`,
  );
  assert.equal((await run("auto", "run", file, "--once")).code, 0);
  const database = new DatabaseSync(place);
  const due = Date.parse("2026-10-01T11:00:00Z");
  time = due + 60_000;
  const [{ profile_id: id }] = database.prepare("SELECT profile_id FROM service_runs").all() as [
    { profile_id: string },
  ];
  // What a process leaves behind that is killed in the middle of a sync.
  database.prepare("UPDATE service_runs SET due = ?, started_at = ?, ended_at = NULL, outcome = NULL").run(
    due,
    due,
  );
  const lease = database.prepare("INSERT OR REPLACE INTO service_leases VALUES (?, 'dead', ?)");
  lease.run(`${id} sync`, Date.now() + 60_000);
  const waiting = await run("auto", "run", file, "--once");
  assert.equal(`${waiting.code} ${waiting.stderr}`, "0 ", "it may be alive");
  lease.run(`${id} sync`, Date.now() - 1);
  database.close();
  const taken = await run("auto", "run", file, "--once");
  assert.match(taken.stderr, /US sync done \(attempt 2\)/);

  time += 24 * 3_600_000;
  at.emulator.advance((time - now()) / 1000);
  at.emulator.setFaults([{ match: { method: "POST" }, effects: { reportOutcome: "FAILED" } }]);
  const failed = await run("auto", "run", file, "--once");
  assert.equal(failed.code, 3, failed.stderr);
  assert.match(
    failed.stderr,
    /US sync failed in [\d.]+ s: \d+ of \d+ reports are not stored, first sp_campaigns/,
  );
  const status = await run("auto", "status", file);
  assert.equal(status.code, 3);
  assert.match(status.stdout, /sync.*failed/);
});

Deno.test("everything that is wrong with a service and its files is named before anything is sent", async () => {
  await using at = await emulated({ clock: CLOCK });
  const rules = await at.write(
    "watch.yaml",
    "version: 1\nrules: { dear: { over: campaign, when: cots7d > 1 } }\n",
  );
  const file = await at.write(
    "service.yaml",
    `version: 1\nprofiles: [US]\ntimers: { watch: hourly }\nfiles: { watch: ${rules} }\nscripts:\n  - { file: none.ts, at: hourly }\n`,
  );
  const { code, stderr } = await runCli(["auto", "run", file], { ...at, now });
  assert.equal(code, 2);
  assert.match(stderr, /watch\.yaml:2: .*cots7d/);
  assert.match(stderr, /service\.yaml:6: scripts\.0\.file: Cannot read the script "none\.ts"/);
  const reports = await at.write(
    "reports.yaml",
    "version: 1\nprofiles: all\nreports: [sp_campain, sp_campaigns]\ntimers: { sync: nightly }\n",
  );
  const misspelt = await runCli(["auto", "check", reports], { ...at, now });
  assert.equal(misspelt.code, 2);
  assert.match(misspelt.stderr, /reports\.yaml:3: reports\.0: .*"sp_campain".*"campaigns"/);
  const all = await at.write(
    "all.yaml",
    `version: 1\nprofiles: all\nreports:\n  - sp_campaigns\n  - sp_campain\ntimers: { sync: never, watch: hourly, pacing: nightly }\nfiles: { watch: ${rules} }\ncolour: red\nscripts:\n  - { file: ${rules}, at: hourly, data: none.csv }\n`,
  );
  const everything = await runCli(["auto", "check", all], { ...at, now });
  for (
    const pattern of [
      /all\.yaml:6: timers\.sync: "never" is not a time/,
      /all\.yaml:8: Unknown key colour/,
      /all\.yaml:5: reports\.1: .*"sp_campain"/,
      /all\.yaml:6: timers\.pacing: Cannot read the file "pacing\.yaml"/,
      /all\.yaml:10: scripts\.0\.data: Cannot read the data "none\.csv"/,
      /watch\.yaml:2: .*cots7d/,
    ]
  ) assert.match(everything.stderr, pattern);
  assert.equal(at.emulator.requests().length, 0);
  const wrong = await runCli(["auto", "run", file, "--listen", "x"], { ...at, now });
  assert.match(wrong.stderr, /not HOST:PORT/);
  const elsewhere = await at.write(
    "other.yaml",
    "version: 1\nprofiles: [US, FR]\ntimers: { sync: nightly }\n",
  );
  const unknown = await runCli(["auto", "run", elsewhere, "--once"], { ...at, now });
  assert.equal(unknown.code, 2, unknown.stderr);
  assert.match(unknown.stderr, /FR/);
});

long();
Deno.test("pacing is a timer: it waits for the sync, moves budgets and says what it did", async () => {
  await using at = await emulated({ clock: CLOCK, quirks: { reportSeconds: 0 } });
  const run = (...line: string[]) => runCli(line, { ...at, now });
  const pacing = await at.write(
    "pacing.yaml",
    "version: 1\nbudgets:\n  all: { amount: 100, over: lower }\n",
  );
  const file = await at.write(
    "service.yaml",
    `version: 1
profiles: [US]
store: ${at.folder}/ads.sqlite
reports: [sp_campaigns, sb_campaigns, sd_campaigns]
timers: { pacing: nightly 05:00, sync: nightly 04:00, entities: nightly 04:30 }
files: { pacing: ${pacing} }
`,
  );
  assert.equal((await run("auto", "check", file)).code, 0);
  const once = await run("auto", "run", file, "--once");
  assert.equal(once.code, 0, once.stderr);
  assert.match(
    once.stderr,
    /US sync done[\s\S]+US pacing began[\s\S]+US pacing done in [\d.]+ s: [1-9]\d* changes/,
  );
  const moved = at.emulator.requests().filter(({ method, path }) =>
    method === "PUT" && /campaigns/.test(path)
  );
  assert.ok(moved.length > 0);
});

long();
Deno.test("goals are a timer: they wait for the sync, and save a plan that waits for approval", async () => {
  await using at = await emulated({ clock: CLOCK, quirks: { reportSeconds: 0 } });
  const run = (...line: string[]) => runCli(line, { ...at, now });
  const goals = await at.write(
    "goals.yaml",
    "version: 1\ngoals:\n  all: { aim: sales, acos: 25%, cooling: 7 }\n",
  );
  const service = `version: 1
profiles: [CA]
store: ${at.folder}/ads.sqlite
reports: [sp_targeting, sp_campaigns, sp_placement]
timers: { goals: nightly 05:00, sync: nightly 04:00 }
files: { goals: ${goals} }
`;
  const file = await at.write("service.yaml", service);
  const wrong = await run("auto", "check", file);
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /goals\.yaml:3: Unknown key cooling in goals\.all/);
  await at.write("goals.yaml", "version: 1\ngoals:\n  all: { aim: sales, acos: 25% }\n");
  assert.equal((await run("auto", "check", file)).code, 0);
  const once = await run("auto", "run", file, "--once");
  assert.equal(once.code, 0, once.stderr);
  const [, id] = /CA sync done[\s\S]+CA goals done in [\d.]+ s: Plan (\S+) of \d+ changes waits for approval/
    .exec(once.stderr) ?? [];
  assert.ok(id !== undefined, once.stderr);
  const next = { ...at, now: () => now() + 86_400_000 };
  const again = await runCli(["auto", "run", file, "--once"], next);
  assert.match(
    again.stderr,
    new RegExp(`CA goals done in [\\d.]+ s: No second plan: plan ${id} of .* waits for approval`),
  );
  const list = JSON.parse((await run("plan", "list", "--json")).stdout) as { id: string; state: string }[];
  assert.equal(list.length, 1);
  assert.equal(list.find((one) => one.id === id)?.state, "open");
  const sent = at.emulator.requests().filter(({ method, path }) => method === "PUT" && /^\/sp\//.test(path));
  assert.deepEqual(sent, []);
});

long();
Deno.test("alerts of scripts are kept and reach the channels of the rules, once a day; a dead channel gets them later", async () => {
  await using at = await emulated({ clock: CLOCK, quirks: { reportSeconds: 0 } });
  let time = now();
  const place = `${at.folder}/ads.sqlite`;
  const sent: string[] = [];
  let isDown = true;
  const run = (...line: string[]) =>
    runCli(line, {
      ...at,
      now: () => time,
      env: { ...at.env, HOOK: "https://hook.example/hidden-path", HOOK_KEY: "hidden-key" },
      fetch: (input, init) => {
        if (!String(input).startsWith("https://hook.example")) return fetch(input, init);
        if (!isDown) sent.push(String(init?.body));
        return isDown
          ? Promise.reject(new TypeError(`no route to ${input}`))
          : Promise.resolve(new Response());
      },
    });
  const rules = await at.write(
    "watch.yaml",
    `version: 1
channels:
  out: { kind: stdout }
  hook: { kind: webhook, url_env: HOOK, secret_env: HOOK_KEY }
rules: { never: { over: plans, when: open > 100000 } }
`,
  );
  const script = await at.write(
    "look.ts",
    `export default ({ alert, profile, log, data }) => {
      log(data.map(({ hour }) => hour).join());
      log("looks at\\u001b[2J", profile.countryCode);
      alert({ title: "Look at " + profile.profileId, text: "one" });
    };`,
  );
  const hours = await at.write("hours.csv", "hour;factor\n7;0.8\n8;0.9\n");
  const file = await at.write(
    "service.yaml",
    `version: 1
profiles: all
store: ${place}
timers: { watch: hourly }
files: { watch: ${rules} }
scripts: [{ file: ${script}, at: hourly, data: ${hours}, timeout: 60 }]
`,
  );
  const checked = await runCli(["auto", "check", file], { ...at, now });
  assert.equal(checked.code, 0, checked.stderr);
  assert.match(
    checked.stderr,
    /The channel hook delivers nothing: HOOK is not set\n.*hook.*HOOK_KEY is not set/,
  );
  const first = await run("auto", "run", file, "--once");
  assert.match(first.stdout, /WARNING US: Look at \d+\n {2}one/);
  assert.match(first.stderr, /US script look\.ts done in [\d.]+ s: 0 plans, 1 new alert, 1 wait for hook/);
  assert.match(first.stderr, /Z US script look\.ts: looks at\S+ US\n/, "what a script logs is in the log");
  assert.match(first.stderr, /Z US script look\.ts: 7,8\n/, "it gets the rows of its file");
  assert.ok(!first.stderr.includes("\u001b"));
  assert.match(first.stderr, /DE \d+ watch/, "two profiles of a market are told apart");
  time += 3_600_000;
  isDown = false;
  const second = await run("auto", "run", file, "--once");
  assert.equal(second.code, 0, second.stderr);
  assert.equal(second.stdout, "", "the same is said once a day");
  assert.match(second.stderr, /script look\.ts done in [\d.]+ s: 0 plans, 0 new alerts\n/);
  assert.equal(new Set(sent).size, 8, "each profile's alert came when the channel was back");
  // A channel that is taken out of the file fails no run, and what waits for it stays.
  await at.write("look.ts", `export default ({ alert }) => alert({ title: "And this" });`);
  [time, isDown] = [time + 25 * 3_600_000, true];
  const down = await run("auto", "run", file, "--once");
  assert.match(down.stderr, /script look\.ts done in [\d.]+ s: 0 plans, 1 new alert, 1 wait for hook/);
  await at.write("watch.yaml", "version: 1\nrules: { never: { over: plans, when: open > 100000 } }\n");
  time += 3_600_000;
  const without = await run("auto", "run", file, "--once");
  assert.equal(without.code, 0, without.stderr);
  assert.match(
    without.stderr,
    /watch done in [\d.]+ s: 0 new alerts, 0 delivered, 1 for hook, which is not in the file/,
  );
  const listed = await run("auto", "alerts", "-m", "US", "--store", place, "--json");
  const alerts: { rule: string; waiting: unknown[] }[] = JSON.parse(listed.stdout);
  assert.deepEqual(alerts.map(({ rule, waiting }) => `${rule} ${waiting.length}`), [
    "look.ts 1",
    "look.ts 0",
  ]);
  const status = await run("auto", "status", file);
  assert.match(status.stdout, /^DE \d+\twatch/m);
  for (const { stdout, stderr } of [first, second, listed, status]) {
    assert.doesNotMatch(stdout + stderr, /hidden/, "no address and no key is written anywhere");
  }
});
