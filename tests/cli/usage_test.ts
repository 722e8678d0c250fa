import assert from "node:assert/strict";
import type { CliIo } from "../../src/interfaces/cli/shell/io/cli_io.ts";
import { reportError } from "../../src/interfaces/cli/shell/output/report_error.ts";
import { runCli } from "./support/run_cli.ts";

/** Settings that would do, and a network that fails the test when anything is sent. */
const WORLD = {
  env: {
    PLATFORM_ADS_BASE_URL_NA: "http://127.0.0.1:9/na",
    PLATFORM_ADS_TOKEN_URL: "http://127.0.0.1:9/token",
    PLATFORM_ADS_CLIENT_ID: "client",
    PLATFORM_ADS_CLIENT_SECRET: "a-long-secret",
    PLATFORM_ADS_REFRESH_TOKEN: "a-long-token",
  },
  fetch: () => {
    throw new Error("Nothing may be sent");
  },
};

const CASES: [line: string, message: RegExp][] = [
  ["list", /Cannot begin: <entity> is missing\nSee: adsctl help list\n$/],
  ["plan update keywords", /Cannot begin: <file> is missing\nSee: adsctl help plan update\n$/],
  ["-m US list keywords", /Cannot use "-m" before the command.*adsctl <command> -m US/],
  ["list keywords", /add -m with a country code or profile id/],
  ["list keywords -m US --limit 0", /not a whole number above 0/],
  ["list keywords -m US --limit 1e3", /not a whole number above 0/],
  ["list keywords -m US --id ,", /it holds no value/],
  ["list keywords -m US --id 1,abc", /"abc" is not an id: an id is digits only/],
  ["account bids keywords -m US --campaign-id 1.23E+14", /"1.23E\+14" is not an id/],
  ["list keywords -m US --format yaml", /expected one of table, tsv, json, jsonl, csv/],
  ["list keywords -m US --fields ,", /--fields without a name/],
  ["list keywords extra -m US", /Cannot use "extra": the command takes only one argument/],
  ["--demo list keywords -m US --env-file x", /--env-file together with --demo/],
  ["account bids new -m US --keyword a:EXACT", /without --asin/],
  ["account bids new -m US --asin B1", /add --keyword or --target-asin/],
  ["account bids new -m US --asin B1 --keyword shoes", /write the text, a colon/],
  ["account bids new -m US --asin B1 --keyword a:EXACT --placement TOP=5", /PLACEMENT_TOP/],
  ["plan from-history -m US", /Cannot plan without --since/],
  [
    "plan from-history -m US --since -1 --created pauze",
    /expected one of pause, archive, keep|pause, archive/,
  ],
  ["plan apply", /Cannot begin: <plan> is missing/],
  ["account drift extra -m US", /Cannot use "extra": the command takes no arguments/],
  [
    "plan apply deno.jsn",
    /Cannot read the plan file "deno.jsn": there is no such file. Did you mean "deno.json"\?/,
  ],
  ["policy check policy.yaml", /Type adsctl policy check --policy policy.yaml/],
  ['figures --start "last wek"', /write a day .*, days ago \(-7\) or a period \(last week\)/],
  ["plan archive keywords abc def -m US", /Cannot read "abc"/],
  ["plan archive keywords 1.2E+14 -m US", /last digits are lost/],
  ["plan approve 20261120-1", /without a terminal/],
  ["demo start --port 70000", /not a port/],
  ["completions powershell", /expected one of bash, zsh, fish/],
  ["ops show nosuch:operation", /operation/],
  ["ops search", /search/],
  ["ops call sponsored-products:ListSponsoredProductsKeywords", /add -m/],
  ["auth url --demo", /the demo account needs no login/],
];

Deno.test("a wrong command line ends with 2, one message on stderr, and nothing sent", async () => {
  for (const [line, message] of CASES) {
    const { code, stdout, stderr } = await runCli(line, WORLD);
    assert.equal(code, 2, `${line}: ${stderr}`);
    assert.equal(stdout, "", line);
    assert.match(stderr, message, line);
    assert.match(stderr, /^error: /, line);
    assert.doesNotMatch(stderr, /\n {4}at /, line);
  }
});

const AS_JSON: [line: string, expected: Record<string, unknown>][] = [
  ["list --json", {
    code: "USAGE",
    message: "Cannot begin: <entity> is missing",
    hint: "See: adsctl help list",
  }],
  ["lsit --format jsonl", { code: "USAGE", hint: 'Did you mean "list"?' }],
  ["list keywords --limt 3 --format=json", { code: "USAGE", hint: 'Did you mean "--limit"?' }],
  ["list keywords -m US --json --format csv", { code: "USAGE", exit_code: 2 }],
  ["auth profiles --json --platform /nowhere.json", { code: "CONFIGURATION", exit_code: 2 }],
];

Deno.test("under --json an error is one object on stderr: code, message, hint, request id", async () => {
  for (const [line, expected] of AS_JSON) {
    const { code, stdout, stderr } = await runCli(line, WORLD);
    assert.deepEqual([code, stdout], [2, ""], line);
    const error = JSON.parse(stderr);
    assert.deepEqual({ ...error, ...expected }, error, line);
    assert.equal(error.request_id, null);
  }
});

Deno.test("under --json an error of the platform has its code, status and request id", async () => {
  const answer = (url: string): Response =>
    url.endsWith("/token")
      ? Response.json({ access_token: "t", expires_in: 3600 })
      : Response.json({ code: "NOT_FOUND_X", message: "gone" }, {
        status: 404,
        headers: { "x-platform-requestid": "req-1" },
      });
  const fetch = ((url: string) => Promise.resolve(answer(url))) as typeof globalThis.fetch;
  const env = { ...WORLD.env, PLATFORM_ADS_REQUEST_ID_HEADER: "x-platform-requestid" };
  const { code, stderr } = await runCli(
    "ops call advertising-billing:getInvoice -m 123 -p invoiceId=A --json",
    { env, fetch },
  );
  assert.equal(code, 1, stderr);
  const { code: kind, request_id, status, platform_code, exit_code } = JSON.parse(stderr);
  assert.deepEqual([kind, request_id, status, platform_code, exit_code], [
    "NOT_FOUND",
    "req-1",
    404,
    "NOT_FOUND_X",
    1,
  ]);
  const refused =
    (() =>
      Promise.resolve(Response.json({ error: "invalid_grant" }, { status: 400 }))) as typeof globalThis.fetch;
  const login = JSON.parse((await runCli("auth profiles --json", { env, fetch: refused })).stderr);
  assert.deepEqual([login.code, login.platform_code, login.exit_code], [
    "AUTHENTICATION",
    "invalid_grant",
    5,
  ]);
  assert.match(login.hint, /adsctl auth url/);
});

Deno.test("missing settings are named, and --demo is pointed to", async () => {
  const { code, stderr } = await runCli("auth profiles", { env: { PLATFORM_ADS_CLIENT_ID: "x" } });
  assert.equal(code, 2);
  assert.match(stderr, /PLATFORM_ADS_CLIENT_SECRET, PLATFORM_ADS_REFRESH_TOKEN are not set.*--demo/);
});

Deno.test("a dotenv file that is not there is named", async () => {
  const { code, stderr } = await runCli("auth profiles --env-file /nowhere/.env");
  assert.equal(code, 2);
  assert.match(stderr, /Cannot read the dotenv file "\/nowhere\/\.env": there is no such file/);
});

Deno.test("a platform that cannot be reached is a failure, not a usage error, and no secret is shown", async () => {
  const fetch = () => Promise.reject(new TypeError("connection refused"));
  const { code, stdout, stderr } = await runCli("auth profiles --verbose", { env: WORLD.env, fetch });
  assert.equal(code, 1);
  assert.equal(stdout, "");
  assert.match(stderr, /error: Cannot /);
  assert.doesNotMatch(stderr, /a-long-secret|a-long-token/);
});

Deno.test("a login that is refused ends with 5", async () => {
  const fetch = () => Promise.resolve(Response.json({ error: "invalid_grant" }, { status: 400 }));
  for (const command of ["auth profiles", "auth check", "list keywords -m US"]) {
    const { code, stderr } = await runCli(command, { env: WORLD.env, fetch });
    assert.equal(code, 5, command);
    assert.match(stderr, /invalid_grant/);
  }
});

Deno.test("no error of any kind carries a token to the terminal", async () => {
  let stderr = "";
  const write = (text: string) => Promise.resolve(void (stderr += text));
  const io = { stderr: { write } } as unknown as CliIo;
  const error = new TypeError("Unexpected Authorization: Bearer Atza|IwEBIJx-secret-token-0123456789");
  assert.equal(await reportError(error, { io, args: ["--verbose"] }), 1);
  assert.match(stderr, /^error: Unexpected/);
  assert.doesNotMatch(stderr, /secret-token/);
});
