import assert from "node:assert/strict";
import { setInDotenv } from "../../src/interfaces/cli/shell/io/dotenv_edit.ts";
import { type Emulated, emulated } from "./support/emulated.ts";
import { runCli } from "./support/run_cli.ts";

const REDIRECT = "https://example.test/callback";

async function consented(world: Emulated): Promise<string> {
  const url = await runCli(`auth url --redirect-uri ${REDIRECT}`, world);
  assert.equal(url.code, 0, url.stderr);
  const answer = await fetch(`${url.stdout.trim()}&approve=1`, { redirect: "manual" });
  await answer.body?.cancel();
  return answer.headers.get("location")!;
}

function withoutToken(world: Emulated): Emulated {
  const { PLATFORM_ADS_REFRESH_TOKEN: _, ...env } = world.env;
  return { ...world, env };
}

Deno.test("auth url prints a link with a fresh state each time", async () => {
  await using world = await emulated();
  const states = new Set<string | null>();
  for (let time = 0; time < 3; time++) {
    const { stdout } = await runCli(`auth url --redirect-uri ${REDIRECT}`, world);
    const { searchParams } = new URL(stdout.trim());
    states.add(searchParams.get("state"));
    assert.equal(searchParams.get("redirect_uri"), REDIRECT);
    assert.equal(searchParams.get("response_type"), "code");
    assert.equal(searchParams.get("client_id"), world.env.PLATFORM_ADS_CLIENT_ID);
  }
  assert.equal(states.size, 3);
});

Deno.test("auth exchange writes token and consent date into the dotenv file, and shows neither", async () => {
  await using world = await emulated();
  const bare = withoutToken(world);
  const path = await world.write(
    ".env",
    "# mine\r\nOTHER='keep me'\r\nexport PLATFORM_ADS_REFRESH_TOKEN=old\r\n",
  );
  const address = await consented(bare);
  const run = await runCli(["auth", "exchange", "--env-file", path], {
    ...bare,
    terminal: 80,
    stdin: address,
    now: () => Date.parse("2026-11-20T09:00:00Z"),
  });
  assert.equal(run.code, 0, run.stderr);
  const text = await Deno.readTextFile(path);
  const token = /PLATFORM_ADS_REFRESH_TOKEN=(.+)\r\n/.exec(text)![1]!;
  assert.notEqual(token, "old");
  assert.equal(
    text,
    `# mine\r\nOTHER='keep me'\r\nexport PLATFORM_ADS_REFRESH_TOKEN=${token}\r\nPLATFORM_ADS_CONSENT_DATE=2026-11-20\r\n`,
  );
  assert.equal((await Deno.stat(path)).mode! & 0o777, 0o600);
  for (const secret of [token, new URL(address).searchParams.get("code")!]) {
    assert.ok(!(run.stdout + run.stderr).includes(secret.replaceAll('"', "")));
  }
  const check = await runCli(["auth", "check", "--env-file", path, "--json"], bare);
  assert.equal(check.code, 0, check.stderr);
  assert.equal(typeof JSON.parse(check.stdout).days_until_expiry, "number");
});

Deno.test("auth exchange prints the token only when asked to", async () => {
  await using world = await emulated();
  const bare = withoutToken(world);
  const path = `${world.folder}/new.env`;
  const run = await runCli(["auth", "exchange", "--env-file", await world.write("new.env", ""), "--print"], {
    ...bare,
    stdin: await consented(bare),
  });
  assert.equal(run.code, 0, run.stderr);
  assert.ok((await Deno.readTextFile(path)).includes(run.stdout.trim()));
});

Deno.test("auth exchange refuses a foreign state, a refusal, an address without code, a used code, and nothing", async () => {
  await using world = await emulated();
  const bare = withoutToken(world);
  const path = await world.write(".env", "A=1\n");
  const address = await consented(bare);
  const foreign = new URL(address);
  foreign.searchParams.set("state", "somebody-else");
  const state = new URL(address).searchParams.get("state");
  const cases: [string, number, RegExp][] = [
    [foreign.href, 4, /its state does not match/],
    [`${REDIRECT}?error=access_denied&state=${state}`, 5, /access_denied/],
    [`${REDIRECT}?state=${state}`, 2, /the address has none/],
    ["", 2, /nothing was pasted/],
    ["no-such-code", 5, /invalid_grant.*A code works once.*Begin again with "adsctl auth url"/],
  ];
  for (const [stdin, code, message] of cases) {
    const run = await runCli(["auth", "exchange", "--env-file", path], { ...bare, stdin });
    assert.equal(run.code, code, `${stdin}: ${run.stderr}`);
    assert.match(run.stderr, message);
    assert.equal(await Deno.readTextFile(path), "A=1\n");
  }
});

Deno.test("a dotenv file that cannot be written is told before the code is spent", async () => {
  if (Deno.build.os !== "linux") {
    console.log("Not tried: only Linux has a file that nobody can write, in /proc");
    return;
  }
  await using world = await emulated();
  const bare = withoutToken(world);
  const stdin = await consented(bare);
  const lost = await runCli(["auth", "exchange", "--env-file", "/proc/version"], { ...bare, stdin });
  assert.equal(lost.code, 1, lost.stderr);
  assert.match(lost.stderr, /Cannot write "\/proc\/version": /);
  const path = await world.write(".env", "");
  const again = await runCli(["auth", "exchange", "--env-file", path], { ...bare, stdin });
  assert.equal(again.code, 0, again.stderr);
});

Deno.test("setInDotenv() changes a variable in its place and leaves every other character alone", () => {
  const cases: [string, string][] = [
    ["", "X=new\n"],
    ["A=1", "A=1\nX=new\n"],
    ["A=1\nX=old\nB=2\n", "A=1\nX=new\nB=2\n"],
    ['X="a\nb" # no\nB=2\n', "X=new # no\nB=2\n"],
    ["  export X = 'old'\n", "  export X = new\n"],
    ["XX=1\n#X=2\nX=old\nX=older\n", "XX=1\n#X=2\nX=new\nX=new\n"],
  ];
  for (const [text, expected] of cases) assert.equal(setInDotenv(text, { X: "new" }), expected);
  assert.equal(setInDotenv("", { X: "Atzr|a.b-c_d" }), 'X="Atzr|a.b-c_d"\n');
  assert.equal(setInDotenv("", { X: 'a "b" $c' }), 'X="a \\"b\\" $c"\n');
});

Deno.test("auth doctor tries each piece and names the one that fails", async () => {
  await using started = await emulated();
  // No store is named, and none is looked for then.
  const world = { ...started, env: { ...started.env, PLATFORM_ADS_STORE: "" } };
  const good = await runCli("auth doctor --json", world);
  assert.equal(good.code, 0, good.stdout);
  assert.ok(JSON.parse(good.stdout).every(({ ok }: { ok: boolean }) => ok));
  const wrong = { ...world.env, PLATFORM_ADS_CLIENT_SECRET: "not-the-secret" };
  const bad = await runCli("auth doctor", { env: wrong });
  assert.equal(bad.code, 5);
  assert.match(bad.stdout, /^ok {4}settings/m);
  assert.match(bad.stdout, /^FAIL {2}token +.*invalid_client/m);
  const region = await runCli("auth doctor", {
    env: { ...world.env, PLATFORM_ADS_BASE_URL_EU: "http://127.0.0.1:1" },
  });
  assert.equal(region.code, 1);
  assert.match(region.stdout, /^FAIL {2}region EU/m);
  assert.match(region.stdout, /^ok {4}profile access/m);
  const two = await runCli("auth doctor -m DE", world);
  assert.equal(two.code, 2);
  assert.match(
    two.stdout,
    /^FAIL {2}profile access {2}Cannot choose.*:\n {24}-m \d+ {2}.*, seller\n {24}-m \d+ {2}.*, vendor$/m,
  );
  const store = await runCli(["auth", "doctor", "--store", `${world.folder}/none.sqlite`], world);
  assert.equal(store.code, 2);
  assert.match(store.stdout, /^FAIL {2}store +.*adsctl sync makes it/m);
  const none = await runCli("auth doctor", { env: {} });
  assert.equal(none.code, 2);
  assert.match(none.stdout, /^FAIL {2}settings/m);
});

Deno.test("the day on which a token expires is 365 days after the consent, at any hour of today", async () => {
  await using world = await emulated();
  const env = { ...world.env, PLATFORM_ADS_CONSENT_DATE: "2026-01-01" };
  const cases: [string, number, RegExp][] = [
    ["2026-12-01T00:00:00Z", 31, /in 31 days, on 2027-01-01/],
    ["2026-12-01T19:30:00Z", 30, /in 30 days, on 2027-01-01/],
    ["2026-12-30T19:30:00Z", 1, /in 1 day, on 2027-01-01/],
    ["2026-12-31T19:30:00Z", 0, /in less than a day, on 2027-01-01/],
    ["2027-01-01T00:00:01Z", -1, /was due to expire on 2027-01-01/],
  ];
  for (const [time, days, text] of cases) {
    const at = { ...world, env, now: () => Date.parse(time) };
    assert.match((await runCli("auth check", at)).stdout, text, time);
    const data = JSON.parse((await runCli("auth check --json", at)).stdout);
    assert.deepEqual(data, { ok: true, days_until_expiry: days, expires_on: "2027-01-01" });
  }
});

Deno.test("thirty days before its expiry every command warns on stderr, once a day", async () => {
  await using world = await emulated();
  const env = { ...world.env, PLATFORM_ADS_CONSENT_DATE: "2026-01-01" };
  const at = (day: string) => ({ ...world, env, now: () => Date.parse(`${day}T12:00:00Z`) });
  const cases: [string, RegExp | undefined][] = [
    ["2026-11-30", undefined],
    ["2026-12-01", /warning: The refresh token expires in 30 days/],
    ["2026-12-10", /warning: The refresh token expires in 21 days/],
    ["2026-12-10", undefined],
    ["2026-12-11", /expires in 20 days/],
    ["2027-01-05", /warning: The refresh token expired/],
  ];
  for (const [day, message] of cases) {
    const { code, stderr } = await runCli("auth profiles", at(day));
    assert.equal(code, 0, stderr);
    if (message === undefined) assert.equal(stderr, "", day);
    else assert.match(stderr, message);
  }
  const other = { ...at("2027-01-05"), env: { ...env, PLATFORM_ADS_CONSENT_DATE: "2026-01-20" } };
  assert.match((await runCli("auth profiles", other)).stderr, /expires in 14 days/);
  assert.equal((await runCli("auth profiles", other)).stderr, "");
  assert.equal((await runCli("auth profiles", at("2027-01-05"))).stderr, "");
});
