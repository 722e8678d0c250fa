import assert from "node:assert/strict";
import { type Emulated, emulated } from "./support/emulated.ts";
import { ADSCTL, inPipe } from "./support/process.ts";
import { type CliRun, type CliWorld, runCli } from "./support/run_cli.ts";
import { Warehouse } from "../../src/store/mod.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { long } from "../support/long.ts";

const CLOCK = { now: "2026-09-30T12:00:00Z", frozen: true };
const now = (): number => Date.parse(CLOCK.now);
const EXAMPLES = new URL("../../docs/examples/scripts/", import.meta.url);

const BIDS = `export default async ({ profile, log }) => {
  const keywords = await profile.list("sp.keywords", { states: ["ENABLED"] });
  const [{ keywordId, bid }] = keywords.filter(({ bid }) => bid !== undefined);
  log("found", keywords.length);
  await profile.plan({ kind: "sp.keywords", update: [{ keywordId, bid: bid + 0.01 }], note: "One cent more" });
};`;

function runner(at: Emulated, more: CliWorld = {}): (line: string) => Promise<CliRun> {
  return (line) => runCli(line, { ...at, now, ...more });
}

Deno.test("adsctl auto script saves the plan of a script and says how to look at it; nothing is sent", async () => {
  await using at = await emulated({ clock: CLOCK });
  const run = runner(at);
  const file = await at.write("bids.ts", BIDS);
  const before = at.emulator.requests().length;
  const { code, stdout, stderr } = await run(`auto script ${file} -m US --out ${at.folder}`);
  assert.equal(code, 0, stderr);
  const [, id] = /^Plan (\S+): 1 change\n$/.exec(stdout) ?? [];
  assert.ok(id, stdout);
  assert.match(stderr, /found \d+\n/);
  const [, command] = /To review it:\n {2}adsctl (plan show .+)\n/.exec(stderr) ?? [];
  const shown = await run(command!.replaceAll("'", '"'));
  assert.equal(shown.code, 0, shown.stderr);
  assert.match(shown.stdout + shown.stderr, /One cent more/);
  assert.deepEqual(at.emulator.requests().slice(before).filter(({ method }) => method === "PUT"), []);

  const applied = await run(`plan apply ${at.folder}/plan-${id}.json --yes`);
  assert.equal(applied.code, 0, applied.stderr);
});

Deno.test("adsctl auto script ends with 3 for an alert, with 1 for a script that failed, and prints both as data", async () => {
  await using at = await emulated({ clock: CLOCK });
  const run = runner(at);
  const alerting = await at.write(
    "alerting.ts",
    `export default ({ alert, data }) => alert({ title: "Look " + data[0].what, text: "one\\ntwo\\u001b[2J", severity: "urgent" });`,
  );
  const rows = await at.write("rows.csv", "what\nhere\n");
  const alerted = await run(`auto script ${alerting} -m US --data ${rows} --out ${at.folder}`);
  assert.equal(alerted.code, 3, alerted.stderr);
  assert.match(alerted.stdout, /^URGENT Look here\n {2}one\n {2}two\S+\n$/);
  assert.ok(!alerted.stdout.includes("\u001b"), alerted.stdout);

  const failing = await at.write("failing.ts", `export default () => { throw new Error("No figures"); };`);
  const failed = await run(`auto script ${failing} --profiles US,CA --json --out ${at.folder}`);
  assert.equal(failed.code, 1, failed.stderr);
  const told: { country_code: string; ok: boolean; problem: string; plans: unknown[] }[] = JSON.parse(
    failed.stdout,
  );
  assert.deepEqual(told.map(({ country_code, ok }) => [country_code, ok]), [["US", false], ["CA", false]]);
  assert.match(told[0]!.problem, /No figures[^]*failing\.ts:1/);
  assert.deepEqual(told[0]!.plans, []);
});

Deno.test("alerts of a script that is run by hand are kept where there is a store, the same once a day", async () => {
  await using at = await emulated({ clock: CLOCK, quirks: { reportSeconds: 0 } });
  const run = runner(at);
  const store = `--store ${at.folder}/ads.sqlite`;
  await run(`sync -m US --report sp_campaigns --start -2 ${store}`);
  const file = await at.write(
    "look.ts",
    `export default ({ alert, profile }) => {
      alert({ title: "Look at " + profile.countryCode, text: "one" });
      alert({ title: "And here", severity: "urgent" });
    };`,
  );
  const listed = async (): Promise<string[]> => {
    const alerts: { title: string; rule: string; severity: string; text: string }[] = [];
    for (const market of ["US", "CA"]) {
      alerts.push(...JSON.parse((await run(`auto alerts -m ${market} ${store} --json`)).stdout));
    }
    return alerts.map(({ title, rule, severity, text }) => [title, rule, severity, text].join("|")).sort();
  };
  const first = await run(`auto script ${file} -m US ${store}`);
  assert.equal(first.code, 3, first.stderr);
  assert.match(first.stdout, /^WARNING Look at US\n {2}one\nURGENT And here\n$/);
  assert.match(first.stderr, /2 kept in the inbox: "adsctl auto alerts"/);
  const both = await run(`auto script ${file} --profiles US,CA ${store}`);
  assert.match(both.stderr, /2 kept in the inbox/, "those of US are there");
  assert.deepEqual(await listed(), [
    "CA: And here|run look.ts|urgent|",
    "CA: Look at CA|run look.ts|warning|one",
    "US: And here|run look.ts|urgent|",
    "US: Look at US|run look.ts|warning|one",
  ]);
  // A store of the folder that the tests run in would be found.
  const elsewhere = runner(at, { env: { ...at.env, PLATFORM_ADS_STORE: `${at.folder}/none.sqlite` } });
  const none = await elsewhere(`auto script ${file} -m US`);
  assert.equal(`${none.code} ${none.stderr}`, "3 ", "without a store they are printed");
});

Deno.test("adsctl auto script --every runs again until Ctrl-C, and after a failure", async () => {
  await using at = await emulated({ clock: CLOCK });
  const file = await at.write("failing.ts", `export default () => { throw new Error("again"); };`);
  const waits: number[] = [];
  let press = () => {};
  const { code, stderr } = await runCli(`auto script ${file} -m US --every 15m --out ${at.folder}`, {
    ...at,
    now,
    onInterrupt: (handler) => press = handler,
    sleep: (seconds) => {
      waits.push(seconds);
      if (waits.length === 2) press();
      return Promise.resolve();
    },
  });
  assert.equal(stderr.match(/Error: again/g)?.length, 2);
  assert.deepEqual(waits, [900, 900]);
  assert.equal(code, 0, stderr);
});

Deno.test("adsctl auto script refuses what it cannot run before it connects", async () => {
  await using at = await emulated({ clock: CLOCK });
  const run = runner(at);
  const script = await at.write("x.ts", BIDS);
  const quoted = await at.write("quoted.csv", 'a,b\n"never closed,1\n');
  for (
    const [line, message] of [
      [`auto script ${at.folder}/none.ts -m US`, /none\.ts/],
      [`auto script --new ${script}`, /the file already exists/],
      [`auto script ${script} --every soon`, /not a time such as 15m/],
      [`auto script ${script} --every 0m`, /not a time such as 15m/],
      [`auto script ${script} --memory 0`, /--memory/],
      [`auto script ${script} -m US --data ${at.folder}/none.csv`, /none\.csv/],
      [`auto script ${script} -m US --data ${quoted}`, /quoted\.csv/],
      [
        `auto script ${script} -m US --store ${at.folder}/none.sqlite`,
        /none\.sqlite.*adsctl sync makes it/,
      ],
    ] as const
  ) {
    const { code, stderr } = await run(line);
    assert.equal(code, 2, `${line}: ${stderr}`);
    assert.match(stderr, message);
  }
  assert.equal(at.emulator.requests().length, 0);
});

long();
Deno.test("the skeleton and every example script run on synced figures, and do what they say", async () => {
  await using at = await emulated({ clock: CLOCK, quirks: { reportSeconds: 0 } });
  const run = runner(at);
  const store = `--store ${at.folder}/ads.sqlite`;
  for (const report of ["sp_campaigns", "sp_targeting", "sp_search_terms"]) {
    const synced = await run(`sync -m US --report ${report} --start 2026-07-18 --end 2026-09-29 ${store}`);
    assert.equal(synced.code, 0, synced.stderr);
  }
  const [keyword] = JSON.parse((await run("list keywords -m US --limit 1 --json")).stdout);
  const hours = await at.write(
    "hours.csv",
    [
      "keyword_id,base,hour,factor",
      ...Array.from({ length: 24 }, (_, hour) => `${keyword.keywordId},2,${hour},0.6`),
    ]
      .join("\n"),
  );
  const skeleton = `${at.folder}/new.ts`;
  assert.equal((await run(`auto script --new ${skeleton}`)).code, 0);

  const cases: Readonly<Record<string, { readonly says: RegExp; readonly more?: string }>> = {
    "dayparting.ts": { says: /1 bids wanted, 1 to change, 0 not found/, more: `--data ${hours}` },
    "budget_reallocation.ts": {
      says: /[1-9]\d* campaigns, \d+ leave half of their budget, \d+ spend theirs/,
    },
    "ngram_waste.ts": { says: /[1-9]\d* search terms, [1-9]\d* words/ },
    "product_anomaly.ts": { says: /[1-9]\d* of \d+ campaigns have enough clicks/ },
    "weekly_mail.ts": { says: /Cost [1-9][\d.]+ \(.*\)\nSales [1-9]/ },
  };
  const files = [...Deno.readDirSync(EXAMPLES)].map(({ name }) => name);
  assert.deepEqual(Object.keys(cases).sort(), files.sort());
  const index = await Deno.readTextFile(new URL("../README.md", EXAMPLES));
  for (const [name, { says, more = "" }] of Object.entries(cases)) {
    assert.ok(index.includes(`(scripts/${name})`), name);
    const { code, stdout, stderr } = await run(
      `auto script ${new URL(name, EXAMPLES).pathname} -m US ${store} ${more} --out ${at.folder}`,
    );
    assert.ok(code === 0 || code === 3, `${name}: ${stderr}`);
    assert.match(stdout + stderr, says, name);
  }
  const { code, stdout, stderr } = await run(`auto script ${skeleton} -m US ${store} --out ${at.folder}`);
  assert.ok(code === 0 || code === 3, stderr);
  assert.match(stderr, /[1-9]\d* keywords have figures, [1-9]\d* cost too much/);
  assert.match(stdout, /Plan \S+: [1-9]\d* changes/);
});

Deno.test("adsctl auto script asks a store in a file by a process of its own, which ends with the script", async () => {
  // Deno lets no process with few rights read below /dev, where a run of the lane keeps its files.
  await using folder = await temporaryFolder({ onDisk: true });
  const store = `${folder.path}/ads.sqlite`;
  await (await Warehouse.open(store)).close();
  const scripts = {
    "ends.ts": `
  log(await store.query("SELECT ? AS one, count(*) AS days FROM days", ["1"]));
  await store.query("SELECT * FROM nowhere").catch((error) => log(error.message));
  const many = await Promise.all(Array.from({ length: 6 }, (_, at) => store.query("SELECT ? AS at", [at])));
  log(many.flat().map(({ at }) => at).join());`,
    "endless.ts": `
  await store.query("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n");`,
  };
  const run = async (name: keyof typeof scripts, seconds: number) => {
    const file = `${folder.path}/${name}`;
    await Deno.writeTextFile(file, `export default async ({ store, log }) => {${scripts[name]}\n};\n`);
    const place = ["--store", store, "--out", folder.path, "--timeout", `${seconds}`];
    // Where nothing ends the query, nothing ends the program.
    const signal = AbortSignal.timeout(600_000);
    const env = { XDG_STATE_HOME: folder.path, XDG_CONFIG_HOME: folder.path };
    return await inPipe([...ADSCTL, "auto", "script", file, "-m", "US", "--demo", ...place], {
      signal,
      env,
    });
  };
  const whole = await run("ends.ts", 300);
  assert.match(whole.stderr, /\[\{"one":"1","days":0\}\]\n/);
  assert.match(whole.stderr, /nowhere/);
  assert.match(whole.stderr, /0,1,2,3,4,5\n/);
  assert.equal(whole.code, 0, whole.stderr);
  const { code, stderr } = await run("endless.ts", 5);
  assert.match(stderr, /it took longer than 5 s and was ended/);
  assert.equal(code, 1, stderr);
});
