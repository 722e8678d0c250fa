import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { emulated } from "./support/emulated.ts";
import { runCli } from "./support/run_cli.ts";
import { long } from "../support/long.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

async function read(path: string): Promise<string> {
  return await Deno.readTextFile(path);
}

long();
Deno.test("adsctl init sets up the demo with figures, a plan that waits and alerts, and a second run changes nothing", async () => {
  await using folder = await temporaryFolder();
  const env = { XDG_STATE_HOME: folder.file("state"), XDG_CONFIG_HOME: folder.file("config") };
  const at = folder.file("work");
  const first = await runCli(["init", "--from", "demo", "--folder", at], { env });
  assert.equal(first.code, 0, first.stderr);
  assert.match(first.stdout, /^campaign\t.*\nSP \| /, "figures are shown");
  assert.match(first.stderr, /a plan of \d+ changes/);
  assert.match(first.stderr, /[1-9]\d* new alerts/);
  assert.match(first.stderr, /To open the console:\n {2}adsctl console --demo --policy \S+ --folder \S+\n$/);
  assert.equal(statSync(`${at}/.env`).mode & 0o777, 0o600);
  assert.equal(await read(`${at}/.env`), "PLATFORM_ADS_DEMO=1\n");
  assert.match(await read(`${at}/policy.yaml`), /^max_bid: \{ CA: /m);
  const block = JSON.parse(await read(`${at}/mcp.json`)).mcpServers["platform-ads"];
  assert.equal(block.env.PLATFORM_ADS_DEMO, "1");
  const listed = await runCli("list campaigns --limit 1 --json", { env });
  assert.equal(JSON.parse(listed.stdout).length, 1, "the market and the demo are saved");

  const texts = async (): Promise<string[]> =>
    await Promise.all(
      ["policy.yaml", "mcp.json", ".env", "lower-bids.json"].map((name) => read(`${at}/${name}`)),
    );
  const before = await texts();
  const second = await runCli(["init", "--from", "demo", "--folder", at, "--json"], { env });
  assert.equal(second.code, 0, second.stderr);
  assert.deepEqual(await texts(), before);
  const { files, console } = JSON.parse(second.stdout);
  assert.ok(files.length >= 4);
  assert.deepEqual(files.filter(({ state }: { state: string }) => state !== "left"), []);
  assert.deepEqual(console.slice(0, 2), ["console", "--demo"]);

  // The same without files of the user, for a look alone.
  const look = await runCli("demo --console --no-open", { env });
  assert.equal(look.code, 0, look.stderr);
  assert.match(look.stderr, /adsctl console --demo --folder \S+demo-console\n$/);
});

Deno.test("adsctl init reads downloaded files without a login, up to a console that can only read", async () => {
  await using folder = await temporaryFolder();
  const env = { XDG_STATE_HOME: folder.file("state"), XDG_CONFIG_HOME: folder.file("config") };
  const report = "tests/fixtures/files/report_totals.csv";
  const at = folder.file("work");
  const done = await runCli(["init", report, "-m", "CA", "--folder", at], { env });
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stderr, /include no bulk sheet/);
  assert.match(done.stderr, /\n {2}adsctl console --from-files -m CA --folder \S+ --store \S+\n$/);
  const words = done.stderr.trimEnd().split("\n").at(-1)!.trim().split(" ").slice(1);
  let press = (): void => {};
  const shown = Promise.withResolvers<string>();
  const running = runCli([...words, "--no-open"], {
    env,
    onInterrupt: (handler) => press = handler,
    onStdout: (text) => shown.resolve(text.trim()),
  });
  const url = await Promise.race([
    shown.promise,
    running.then(({ stderr }) => Promise.reject(new Error(stderr))),
  ]);
  assert.equal((await (await fetch(new URL(url).origin)).text()).includes("Ads console"), true);
  press();
  assert.equal((await running).code, 0);
});

long();
Deno.test("adsctl init connects an account by its answers, and keeps secrets in .env alone", async () => {
  await using at = await emulated({ quirks: { reportSeconds: 0 } });
  const { platform, credentials } = at.emulator;
  const home = { XDG_STATE_HOME: `${at.folder}/state`, XDG_CONFIG_HOME: `${at.folder}/config` };
  const api = Object.entries(platform.regions).flatMap((
    [region, { baseUrl }],
  ) => ["--api", `${region}=${baseUrl}`]);
  const work = `${at.folder}/work`;
  const words = ["init", "--from", "account", ...api, "--token-url", platform.tokenUrl, "--folder", work];
  // The secrets are typed; nothing else is asked because the rest are options.
  const done = await runCli([...words, "--client-id", credentials.clientId, "-m", "CA", "--no-open"], {
    env: { ...home, TERM: "dumb" },
    // Waiting moves the emulator's clock: nothing depends on how fast this machine is.
    now: () => at.emulator.clock.now(),
    sleep: (seconds) => Promise.resolve(at.emulator.advance(seconds)),
    terminal: 100,
    stdin: `${credentials.clientSecret}\n${credentials.refreshToken}\n`,
  });
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stdout, /Total/);
  assert.equal(statSync(`${work}/.env`).mode & 0o777, 0o600);
  assert.match(
    await read(`${work}/.env`),
    new RegExp(`^PLATFORM_ADS_REFRESH_TOKEN=.*${credentials.refreshToken}`, "m"),
  );
  const block = await read(`${work}/mcp.json`);
  assert.match(block, /"PLATFORM_ADS_ENV_FILE": "\/.*\/work\/\.env"/);
  for (const secret of [credentials.clientSecret, credentials.refreshToken]) {
    for (const text of [block, done.stdout, done.stderr, await read(`${work}/platform.json`)]) {
      assert.ok(!text.includes(secret));
    }
  }
  assert.match(await read(`${work}/policy.yaml`), /^max_budget/m);
});

Deno.test("adsctl init reports everything that is wrong or missing at once, and writes nothing", async () => {
  await using folder = await temporaryFolder();
  const env = { XDG_CONFIG_HOME: folder.file("config") };
  const at = folder.file("work");
  const account = await runCli(["init", "--from", "account", "-m", "XX", "--api", "US=x", "--folder", at], {
    env,
  });
  assert.equal(account.code, 2);
  for (
    const missing of [
      /-m: "XX"/,
      /--api: "US=x"/,
      /--token-url/,
      /CLIENT_ID is not set/,
      /CLIENT_SECRET is not/,
      /REFRESH_TOKEN is not/,
    ]
  ) assert.match(account.stderr, missing);
  const files = await runCli(["init", "a.csv", "b.csv", "--client-id", "x", "--folder", at], { env });
  assert.equal(files.code, 2);
  for (
    const missing of [
      /a\.csv: the file does not exist/,
      /b\.csv: the file/,
      /--client-id are for --from account/,
    ]
  ) {
    assert.match(files.stderr, missing);
  }
  const none = await runCli(["init", "--folder", at], { env });
  assert.match(none.stderr, /there is no terminal\. Add --from demo/);
  assert.throws(() => statSync(at));
});

Deno.test("adsctl init sends no login where a file of the folder says, unless the file has the login itself", async () => {
  await using folder = await temporaryFolder();
  const asked: string[] = [];
  const world = {
    env: {
      XDG_CONFIG_HOME: folder.file("config"),
      PLATFORM_ADS_CLIENT_ID: "id",
      PLATFORM_ADS_CLIENT_SECRET: "secret-of-mine",
      PLATFORM_ADS_REFRESH_TOKEN: "token-of-mine",
    },
    fetch: (input: string | URL | Request) => {
      asked.push(String(input instanceof Request ? input.url : input));
      return Promise.reject(new Error("nothing is to be sent"));
    },
  };
  const at = folder.file("theirs");
  await Deno.mkdir(at);
  const words = ["init", "--from", "account", "-m", "CA", "--folder", at];
  const env = "PLATFORM_ADS_BASE_URL_NA=http://127.0.0.1:9\nPLATFORM_ADS_TOKEN_URL=http://127.0.0.1:9/t\n";
  for (const text of [env, `PLATFORM_ADS_PLATFORM_FILE=${at}/platform.json\n`]) {
    await Deno.writeTextFile(`${at}/.env`, text);
    await Deno.writeTextFile(`${at}/platform.json`, "{}");
    const { code, stderr } = await runCli(words, world);
    assert.equal(code, 2);
    assert.match(
      stderr,
      /\.env: it sets where the login is sent \(PLATFORM_ADS_\w+.*lacks PLATFORM_ADS_CLIENT_SECRET and/,
    );
    assert.equal(await read(`${at}/.env`), text);
  }
  await Deno.remove(`${at}/.env`);
  const api = ["--api", "NA=http://127.0.0.1:9", "--token-url", "http://127.0.0.1:9/t"];
  const { code, stderr } = await runCli([...words, ...api], world);
  assert.equal(code, 2);
  assert.match(stderr, /platform\.json: .*different addresses.*--platform/);
  assert.throws(() => statSync(`${at}/.env`));
  assert.deepEqual(asked, []);
});

Deno.test("adsctl init takes a policy that it finds in the folder only where the user names it", async () => {
  await using folder = await temporaryFolder();
  const at = folder.file("theirs");
  const config = folder.file("config");
  const env = { XDG_CONFIG_HOME: config, XDG_STATE_HOME: folder.file("state") };
  await Deno.mkdir(at);
  await Deno.writeTextFile(`${at}/policy.yaml`, "version: 1\n");
  const account = ["--from", "account", "-m", "CA", "--api", "NA=http://127.0.0.1:9", "--client-id", "x"];
  for (const source of [["--from", "demo"], account, ["tests/fixtures/files/report_totals.csv"]]) {
    const { code, stderr } = await runCli(["init", ...source, "--folder", at], { env });
    assert.equal(code, 2);
    assert.match(
      stderr,
      /policy\.yaml: .*already exists.*add --policy \S+policy\.yaml, otherwise/,
    );
  }
  assert.deepEqual([...Deno.readDirSync(at)].map(({ name }) => name), ["policy.yaml"]);
  assert.throws(() => statSync(config), "nothing is saved");
  const named = await runCli(
    [
      "init",
      "tests/fixtures/files/report_totals.csv",
      "-m",
      "CA",
      "--folder",
      at,
      "--policy",
      `${at}/policy.yaml`,
    ],
    { env },
  );
  assert.equal(named.code, 0, named.stderr);
});
