import assert from "node:assert/strict";
import { emulated } from "./support/emulated.ts";
import { runCli } from "./support/run_cli.ts";
import { ADSCTL } from "./support/process.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

Deno.test("demo faults sets a named set or a file's rules on an emulator that runs, and shows how often each acted", async () => {
  await using world = await emulated();
  const run = (line: string, stdin?: string) =>
    runCli(`${line} --url ${world.emulator.url}`, {
      env: world.env,
      ...(stdin === undefined ? {} : { stdin }),
    });
  const none = await run("demo faults");
  assert.deepEqual([none.code, none.stdout, none.stderr], [
    0,
    "",
    "No fault rules\n",
  ]);
  assert.equal((await run("demo faults storm")).code, 0);
  const { rules } = JSON.parse((await run("demo faults --json")).stdout);
  assert.equal(rules.length > 10, true);

  const rule = {
    name: "mine",
    match: { path: "/v2/profiles" },
    times: 1,
    effects: { response: { status: 503 } },
  };
  const file = await world.write("rules.json", JSON.stringify({ rules: [rule] }));
  assert.equal((await run(`demo faults @${file}`)).code, 0);
  await (await fetch(`${world.emulator.url}/na/v2/profiles`)).body?.cancel();
  const shown = await run("demo faults --format tsv");
  assert.match(
    shown.stdout,
    /^mine\t\{"path":"\/v2\/profiles"\}\t\{"times":1\}\t\{"response":\{"status":503\}\}\t1\t1$/m,
  );
  assert.equal((await run("demo faults -", JSON.stringify([rule]))).code, 0);
  assert.equal((await run("demo faults calm")).code, 0);
  assert.equal(JSON.parse((await run("demo faults --json")).stdout).rules.length, 0);
});

Deno.test("faults of the demo account outlive the command that sets them", async () => {
  await using world = await emulated();
  const { XDG_STATE_HOME } = world.env;
  const run = (line: string) => runCli(line, { env: { XDG_STATE_HOME: XDG_STATE_HOME! } });
  const rule = {
    match: { path: "/v2/profiles" },
    effects: { response: { status: 400, body: { message: "Not today" } } },
  };
  const file = await world.write("rules.json", JSON.stringify([rule]));
  assert.equal((await run(`demo faults @${file}`)).code, 0);
  const refused = await run("auth profiles --demo");
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /Not today/);
  assert.equal((await run("demo faults calm")).code, 0);
  assert.equal((await run("auth profiles --demo")).code, 0);
});

Deno.test("demo snapshot and restore take an emulator back", async () => {
  await using world = await emulated();
  const run = (line: string) => runCli(`${line} --url ${world.emulator.url}`, { env: world.env });
  const file = `${world.folder}/before.json`;
  const saved = await run(`demo snapshot ${file}`);
  assert.deepEqual([saved.code, saved.stderr], [0, `Saved to ${file}\n`]);
  const then = world.emulator.clock.now();
  world.emulator.advance(86_400);
  const restored = await run(`demo restore ${file}`);
  assert.equal(restored.code, 0, restored.stderr);
  assert.equal(Math.abs(world.emulator.clock.now() - then) < 60_000, true);
  const piped = await run("demo snapshot -");
  assert.equal(JSON.parse(piped.stdout).format, "platform-ads-emulator-state");
});

const REFUSED: readonly [line: string, message: RegExp][] = [
  [
    "demo faults hurricane",
    /Cannot find the fault profile "hurricane"\. Expected one of calm, busy-day, storm/,
  ],
  ["demo restore", /Cannot begin: <file> is missing/],
];

for (const [line, message] of REFUSED) {
  Deno.test(`adsctl ${line} is a usage error`, async () => {
    await using world = await emulated();
    const { code, stderr } = await runCli(`${line} --url ${world.emulator.url}`, { env: world.env });
    assert.equal(code, 2);
    assert.match(stderr, message);
  });
}

Deno.test("what is no snapshot is refused and changes nothing", async () => {
  await using world = await emulated({ clock: { now: "2026-09-30T12:00:00Z", frozen: true } });
  const file = await world.write("other.json", '{"hello": 1}');
  const { code, stderr } = await runCli(`demo restore ${file} --url ${world.emulator.url}`, {
    env: world.env,
  });
  assert.equal(code, 2);
  assert.match(stderr, /Cannot restore the snapshot: it is not a state file of the emulator/);
});

Deno.test("an emulator that is not there is told apart from a wrong command", async () => {
  await using world = await emulated();
  const { url } = world.emulator;
  await world.emulator.stop();
  const gone = await runCli(`demo faults --url ${url}`, { env: world.env });
  assert.equal(gone.code, 1);
  assert.match(gone.stderr, /Cannot reach an emulator at "http:\/\/127\.0\.0\.1:\d+"/);
  assert.equal((await runCli("demo faults --url nowhere", { env: world.env })).code, 2);
});

Deno.test("demo start listens beyond loopback only when that is said in full", async () => {
  await using world = await emulated();
  const { code, stderr } = await runCli("demo start --seed x --host 0.0.0.0", { env: world.env });
  assert.equal(code, 2);
  assert.match(
    stderr,
    /Cannot listen on "0\.0\.0\.0": anyone who reaches this machine could read and change.*Add --expose-to-network/,
  );
});

Deno.test("demo advance moves the clock, and commands with --demo count days by it", async () => {
  await using world = await emulated();
  const env = { XDG_STATE_HOME: world.folder, XDG_CONFIG_HOME: world.folder };
  const run = (line: string) => runCli(line, { env });
  const before = Date.now();
  const moved = await run("demo advance 7d");
  assert.equal(moved.code, 0, moved.stderr);
  const now = Date.parse(moved.stdout.trim());
  assert.ok(now - before >= 7 * 86_400_000 && now - Date.now() <= 7 * 86_400_000, moved.stdout);
  const { stdout } = await run("list keywords -m CA --demo --state enabled --limit 1 --json");
  const [keyword] = JSON.parse(stdout);
  const file = await world.write("bids.csv", `keywordId,bid\n${keyword.keywordId},0.77\n`);
  const plan = `${world.folder}/plan.json`;
  assert.equal((await run(`plan update keywords ${file} -m CA --demo --out ${plan}`)).code, 0);
  const applied = await run(`plan apply ${plan} --demo --yes --accept-risk`);
  assert.equal(applied.code, 0, applied.stderr);
  const history = JSON.parse((await run("account history -m CA --demo --since -1 --json")).stdout);
  assert.ok(
    history.some((event: { newValue?: string }) => event.newValue === "0.77"),
    "by the account's clock",
  );
  for (const time of ["7", "0d", "-1d", "1y"]) {
    const wrong = await run(`demo advance -- ${time}`);
    assert.equal(wrong.code, 2, time);
    assert.match(wrong.stderr, /Cannot advance the clock by ".*": write 30s/);
  }
});

Deno.test("whoever finds the demo account taken is told by which command and process", async () => {
  await using folder = await temporaryFolder();
  const env = { XDG_STATE_HOME: `${folder.path}/state`, XDG_CONFIG_HOME: `${folder.path}/config` };
  const [program = "", ...words] = [...ADSCTL, "console", "--demo", "--no-open"];
  const child = new Deno.Command(program, {
    args: words,
    env,
    stdin: "null",
    stderr: "null",
    stdout: "piped",
  })
    .spawn();
  const reader = child.stdout.getReader();
  await reader.read();
  try {
    const { code, stderr } = await runCli("demo start", { env });
    assert.equal(code, 1, stderr);
    assert.match(stderr, new RegExp(`: adsctl console \\(process ${child.pid}\\) uses it\\. End that one`));
  } finally {
    child.kill("SIGINT");
    await reader.cancel();
    await child.status;
  }
});

Deno.test("demo record forwards a session until Ctrl-C and compares it, and emulator diff does so again", async () => {
  await using world = await emulated();
  const folder = `${world.folder}/recorded`;
  const [program = "", ...words] = [...ADSCTL, "emulator", "record", folder, "--write-env"];
  const child = new Deno.Command(program, {
    args: [...words, `${world.folder}/proxy.env`],
    env: { ...world.env, NO_COLOR: "1" },
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const addresses = (await reader.read()).value!;
  const env = {
    ...world.env,
    ...Object.fromEntries(addresses.trim().split("\n").map((line) => line.split("="))),
  };
  assert.equal(await Deno.readTextFile(`${world.folder}/proxy.env`), addresses);
  const listed = await runCli("list portfolios -m US --json", { env });
  assert.equal(listed.code, 0, listed.stderr);
  child.kill("SIGINT");
  const said = await new Response(child.stderr).text();
  await reader.cancel();
  assert.equal((await child.status).code, 0, said);
  assert.match(said, /\d exchanges of 2 operations: no differences/);
  assert.ok(!said.includes("Nothing was recorded"));

  const same = await runCli(`demo diff ${folder}`, { env: world.env });
  assert.equal(same.code, 0, same.stderr);
  const name = [...Deno.readDirSync(folder)].map(({ name }) => name).find((name) =>
    /ListPortfolios/.test(name)
  )!;
  const text = await Deno.readTextFile(`${folder}/${name}`);
  await Deno.writeTextFile(`${folder}/${name}`, text.replace('"status": 200', '"status": 202'));
  const other = await runCli(`demo diff ${folder} --json`, { env: world.env });
  assert.equal(other.code, 6);
  const [{ operation, where, recorded, emulator }] = JSON.parse(other.stdout);
  assert.deepEqual([operation, where, recorded, emulator], ["ListPortfolios", "status", "202", "200"]);
  for (const line of ["demo diff /nowhere", "demo record x --demo"]) {
    assert.equal((await runCli(line, { env: world.env })).code, 2, line);
  }
});
