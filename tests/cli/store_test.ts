import { temporaryFolder } from "../support/temporary_folder.ts";
import assert from "node:assert/strict";
import { parquetReadObjects } from "hyparquet";
import { Emulator } from "../../src/emulator/mod.ts";
import { Warehouse } from "../../src/store/warehouse/warehouse.ts";
import { type Emulated, emulated } from "./support/emulated.ts";
import { type CliRun, type CliWorld, runCli } from "./support/run_cli.ts";
import { long } from "../support/long.ts";

type Row = Record<string, unknown>;

interface StoreWorld extends Emulated {
  readonly store: string;
  run(line: string, more?: CliWorld): Promise<CliRun>;
}

async function storeWorld(): Promise<StoreWorld> {
  const world = await emulated({
    clock: { now: "2026-09-30T19:00:00Z", frozen: true },
    quirks: { reportSeconds: 0 },
  });
  const store = `${world.folder}/ads.sqlite`;
  const env = { ...world.env, PLATFORM_ADS_STORE: store };
  const run = (line: string, more: CliWorld = {}): Promise<CliRun> =>
    runCli(line, { env, now: () => world.emulator.clock.now(), ...more });
  return Object.assign(world, { store, run });
}

Deno.test("sync fills a store, and store coverage shows it", async () => {
  await using world = await storeWorld();
  const { code, stdout, stderr } = await world.run("sync -m US -m JP --report sp_campaigns --json");
  assert.equal(code, 0, stderr);
  const result = JSON.parse(stdout);
  assert.equal(result.ok, true);
  assert.equal(result.outcomes.length, 8);
  assert.match(
    stderr,
    /8 of 8 reports of 2 profiles stored, \d+ rows; \d+ entities stored, .* in .*ads\.sqlite\n$/,
  );
  const coverage = JSON.parse((await world.run("store coverage --json")).stdout) as Row[];
  assert.deepEqual(
    coverage.map(({ country_code, first_day, last_day, gaps }) => [country_code, first_day, last_day, gaps]),
    [
      ["JP", "2026-06-29", "2026-09-30", []],
      ["US", "2026-06-28", "2026-09-29", []],
    ],
  );
  const ledger = JSON.parse((await world.run("report list --json")).stdout) as Row[];
  assert.ok(ledger.length === 8 && ledger.every(({ state }) => state === "stored"));
});

Deno.test("sync on a terminal shows its work after a second, then a line for each profile in place of a table", async () => {
  await using world = await storeWorld();
  const line = "sync -m US -m CA --report sp_campaigns --start -3";
  let now = world.emulator.clock.now();
  const { code, stdout, stderr } = await world.run(line, { terminal: 120, now: () => now += 100 });
  assert.equal(code, 0);
  assert.match(stderr, /[█░]{20} \d\/2 reports/);
  const [after = ""] = stderr.split("\x1b[J").slice(-1);
  assert.match(
    after,
    /^US: 1 report, \d+ rows in [\d min]+ s\nCA: 1 report, \d+ rows in [\d min]+ s\n2 of 2 reports of 2 profiles stored/,
  );
  assert.equal(stdout, "");
  assert.match(
    (await world.run(`${line} --fields report,rows`, { terminal: 120 })).stdout,
    /^campaigns +\d/m,
  );
  const dumb = await world.run(line, {
    terminal: 120,
    env: { ...world.env, TERM: "dumb", PLATFORM_ADS_STORE: world.store },
  });
  assert.ok(!dumb.stderr.includes("\x1b"), dumb.stderr);
});

Deno.test("sync keeps a failing profile from the others and ends with 3", async () => {
  await using world = await storeWorld();
  const fetch: typeof globalThis.fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    const isCanada = headers.get("Platform-Advertising-API-Scope") === "192654822749401";
    return isCanada && String(input).includes("/reporting/")
      ? Promise.resolve(Response.json({ code: "403", details: "Not authorized" }, { status: 403 }))
      : globalThis.fetch(input, init);
  };
  const { code, stdout, stderr } = await world.run(
    "sync -m US -m CA --report sp_campaigns --start -3 --format tsv",
    { fetch },
  );
  assert.equal(code, 3);
  assert.match(stdout, /^US\t\d+\tsp_campaigns\t2026-09-27\t2026-09-29\tstored/m);
  assert.match(stdout, /^CA\t\d+\tsp_campaigns\t2026-09-27\t2026-09-29\tfailed/m);
  assert.match(stderr, /error: CA 192654822749401 sp_campaigns 2026-09-27 to 2026-09-29: .*403/);
});

long();
Deno.test("sync --all-profiles takes every profile of every region", async () => {
  await using world = await storeWorld();
  const { code, stderr } = await world.run("sync --all-profiles --report sp_campaigns --start -2 --quiet");
  assert.equal(code, 0, stderr);
  assert.equal(stderr, "");
  const lines = JSON.parse((await world.run("store coverage --json")).stdout) as Row[];
  assert.equal(lines.length, JSON.parse((await world.run("auth profiles --json")).stdout).length);
});

Deno.test("Ctrl-C stops a sync cleanly, and the next one takes up its reports", async () => {
  await using world = await storeWorld();
  world.emulator.setFaults([]);
  let press = (): void => {};
  let requests = 0;
  const fetch: typeof globalThis.fetch = (input, init) => {
    if (String(input).includes("/reporting/") && ++requests === 6) press();
    return globalThis.fetch(input, init);
  };
  const first = await world.run("sync -m US --report sp_campaigns,sp_placement --concurrency 1", {
    fetch,
    onInterrupt: (handler) => press = handler,
  });
  assert.equal(first.code, 130);
  assert.match(first.stderr, /\nerror: [5-8] reports not finished: the next sync continues them\n$/);
  const second = await world.run("sync -m US --report sp_campaigns,sp_placement --json");
  assert.equal(second.code, 0, second.stderr);
  const creates = world.emulator.requests().filter(({ method, path, status }) =>
    method === "POST" && path.endsWith("/reporting/reports") && status === 200
  );
  assert.equal(creates.length, 8, "nothing was asked for twice");
});

Deno.test("store query, rows and export give the same rows", async () => {
  await using world = await storeWorld();
  await world.run("sync -m US -m JP --report sp_search_terms --start -4");
  const count =
    JSON.parse((await world.run('store query "SELECT count(*) AS n FROM sp_search_terms" --json')).stdout)[0]
      .n;
  assert.ok(count > 50);
  const rows = (await world.run("store rows sp_search_terms --format jsonl")).stdout.trim().split("\n").map((
    line,
  ) => JSON.parse(line) as Row);
  assert.equal(rows.length, count);
  const japan = (await world.run("store rows sp_search_terms -m JP --start 2026-09-28 --format jsonl")).stdout
    .trim().split("\n");
  assert.ok(japan.length > 0 && japan.every((line) => JSON.parse(line).country_code === "JP"));

  const { profile_id: id } = JSON.parse(japan[0]!);
  const ofProfile = await world.run(`store rows sp_search_terms -m ${id} --start 2026-09-28 --format jsonl`);
  assert.deepEqual(ofProfile.stdout.trim().split("\n"), japan, "by the id of the profile");
  await world.run(`store export sp_search_terms ${world.folder}/jp.json -m ${id} --start 2026-09-28`);
  assert.deepEqual(
    JSON.parse(await Deno.readTextFile(`${world.folder}/jp.json`)),
    japan.map((line) => JSON.parse(line)),
  );

  for (const ending of ["csv", "json", "jsonl", "parquet"]) {
    const { code, stderr } = await world.run(`store export sp_search_terms ${world.folder}/rows.${ending}`);
    assert.equal(code, 0, stderr);
    assert.match(stderr, new RegExp(`Wrote ${count} rows`));
  }
  assert.deepEqual(JSON.parse(await Deno.readTextFile(`${world.folder}/rows.json`)), rows);
  const bytes = await Deno.readFile(`${world.folder}/rows.parquet`);
  const parquet = await parquetReadObjects({ file: bytes.buffer as ArrayBuffer });
  const plain = parquet.map(({ extra, ...row }) => {
    assert.equal(extra, null);
    return Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        typeof value === "bigint"
          ? Number(value)
          : value instanceof Date
          ? value.toISOString().slice(0, 10)
          : value,
      ]),
    );
  });
  assert.deepEqual(plain, rows);
  assert.equal(typeof parquet[0]!["clicks"], "bigint", "metrics are integers, not text");
  assert.equal(typeof parquet[0]!["campaignId"], "string");
  assert.ok(parquet[0]!["date"] instanceof Date, "days are dates");
});

Deno.test("store export and rows keep what has no column, in CSV and Parquet too", async () => {
  await using world = await storeWorld();
  const store = await Warehouse.open(world.store);
  const row = { date: "2026-09-01", campaignId: "1", campaignName: 'a "b", c\nd', clicks: 1.5, newMetric: 7 };
  await store.replace({
    profileId: "1",
    countryCode: "US",
    report: "sp_campaigns",
    start: "2026-09-01",
    end: "2026-09-01",
  }, [row]);
  await store.close();
  for (const ending of ["csv", "parquet"]) {
    await world.run(`store export sp_campaigns ${world.folder}/x.${ending}`);
  }
  const csv = await Deno.readTextFile(`${world.folder}/x.csv`);
  assert.equal((await world.run("store rows sp_campaigns --format csv")).stdout, csv, "as printed");
  assert.match(csv, /"a ""b"", c\nd"/);
  assert.match(csv, /,"\{""newMetric"":7\}"\r?\n$/);
  const bytes = await Deno.readFile(`${world.folder}/x.parquet`);
  const [parquet] = await parquetReadObjects({ file: bytes.buffer as ArrayBuffer });
  assert.deepEqual(JSON.parse(parquet!["extra"]), { clicks: 1.5, newMetric: 7 });
  assert.equal(parquet!["clicks"], null);
});

Deno.test("store query keeps to its bound and says so, and takes values and files", async () => {
  await using world = await storeWorld();
  await world.run("sync -m US --report sp_campaigns --start -4");
  const { code, stdout, stderr } = await world.run(
    'store query "SELECT date FROM sp_campaigns" --max-rows 3',
  );
  assert.equal(code, 0);
  assert.equal(stdout.trim().split("\n").length, 4);
  assert.match(stderr, /Only the first 3 rows are shown/);
  const asked = await world.run("query - --param 2026-09-28 --json", {
    stdin: "SELECT count(*) AS n FROM sp_campaigns WHERE date > ? -- comment",
  });
  assert.ok(JSON.parse(asked.stdout)[0].n > 0, asked.stderr);
});

const wrong: [line: string, code: number, message: RegExp][] = [
  ["store coverage", 2, /Cannot find store ".*ads\.sqlite": adsctl sync makes it/],
  ["store coverage --store .", 2, /it is a folder/],
  ["store coverage --store ftp://x", 2, /Cannot open a store by a "ftp" address/],
  ["store rows sp_plcement", 2, /Cannot find a report/],
  ["store rows sp_placement --start someday", 2, /"someday" as --start/],
  ["store export sp_placement rows", 2, /must end in \.csv/],
  ["sync", 2, /add -m with country codes or profile ids, or --all-profiles/],
  ["sync -m US --all-profiles", 2, /-m together with --all-profiles/],
  ["sync -m US --report nonsense", 2, /Cannot find a report "nonsense"/],
  ["sync -m US --start 2026-09-10 --end 2026-09-01", 2, /first day is after the last/],
  ["sync -m US --restate-days x", 2, /not a whole number/],
  ["sync -m US --concurrency 0", 2, /not a whole number above 0/],
  ["sync -m FR", 2, /Cannot find a profile for market "FR"/],
  ["sync -m US --store .", 2, /it is a folder/],
];
for (const [line, expected, message] of wrong) {
  Deno.test(`adsctl ${line}: refused with exit code ${expected}`, async () => {
    await using world = await storeWorld();
    const { code, stdout, stderr } = await world.run(line);
    assert.match(stderr, message);
    assert.equal(code, expected);
    assert.equal(stdout, "");
  });
}

Deno.test("store coverage names Brands campaigns that version 3 leaves out, and is quiet with --quiet", async () => {
  await using world = await storeWorld();
  {
    await using store = await Warehouse.open(world.store);
    const what = { profileId: "1", countryCode: "US" };
    const day = { date: "2026-09-20", campaignId: "71", campaignName: "Reported", clicks: 3, cost: 1 };
    await store.replace({ ...what, report: "sb_campaigns", start: day.date, end: day.date }, [day]);
    const older = (campaignId: string, name: string) => ({
      ...{ campaignId, name, state: "ENABLED", isMultiAdGroupsEnabled: false },
    });
    await store.replaceEntities({ ...what, kind: "sb.campaigns" }, [
      older("70", "Older video"),
      older("71", "Reported"),
    ]);
  }
  const { code, stderr } = await world.run("store coverage");
  assert.equal(code, 0);
  assert.match(
    stderr,
    /^note: No rows of 1 Brands campaign with .*: US "Older video" \(70\)\. Old reports/m,
  );
  assert.doesNotMatch((await world.run("store coverage -q")).stderr, /Brands/);
});

Deno.test("store query refuses to write with exit code 2", async () => {
  await using world = await storeWorld();
  await world.run("sync -m US --report sp_campaigns --start -2");
  for (
    const sql of [
      "DELETE FROM days",
      "WITH x AS (SELECT 1) DELETE FROM days",
      "SELEC 1",
      "SELECT 1; SELECT 2",
    ]
  ) {
    const { code, stderr } = await world.run(`query "${sql}"`);
    assert.equal(code, 2, sql);
    assert.match(stderr, /^error: Cannot run the query: /);
  }
});

Deno.test("the demo account has a store of its own, unless PLATFORM_ADS_STORE names one", async () => {
  await using folder = await temporaryFolder();
  const env = { XDG_STATE_HOME: `${folder.path}/state`, XDG_CONFIG_HOME: `${folder.path}/config` };
  const own = await runCli("store coverage --demo", { env });
  assert.equal(own.code, 2);
  assert.match(own.stderr, /platform-ads\/demo\.sqlite/);
  const named = await runCli("store coverage --demo", {
    env: { ...env, PLATFORM_ADS_STORE: `${folder.path}/named.sqlite` },
  });
  assert.match(named.stderr, /Cannot find store ".*named\.sqlite"/);
});

Deno.test("sync keeps stored days that the platform does not keep any more, whichever way it answers", async () => {
  for (const oldReportDays of ["empty", "refuse"] as const) {
    await using world = await storeWorld();
    world.emulator.setQuirks({ oldReportDays });
    const line = "sync -m US --report sp_campaigns";
    assert.equal((await world.run(`${line} --start -20`)).code, 0);
    const count = async (): Promise<unknown> =>
      JSON.parse((await world.run('store query "SELECT count(*) AS n FROM sp_campaigns" --json')).stdout);
    const before = await count();
    world.emulator.clock.advance(110 * 86_400);
    const { code, stderr } = await world.run(`${line} --start 2026-09-10 --end 2026-10-17`);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /warning: The platform keeps "sp_campaigns" for 95 days: days before 2026-10-15/);
    assert.deepEqual(
      JSON.parse(
        (await world.run(
          "query \"SELECT count(*) AS n FROM sp_campaigns WHERE date < '2026-10-15'\" --json",
        )).stdout,
      ),
      before,
    );
  }
});

Deno.test("sync holds back a report that came to nothing, says so and ends with 3, until it is accepted", async () => {
  await using world = await storeWorld();
  const line = "sync -m US --report sp_campaigns --start -5 --json";
  assert.equal((await world.run(line)).code, 0);
  const before = JSON.parse((await world.run("store coverage --json")).stdout);
  world.emulator.clock.advance(3600);
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const response = await globalThis.fetch(input, init);
    if (!/\/reporting\/reports\/./.test(String(input))) return response;
    return Response.json({ ...await response.json(), url: null });
  };
  const held = await world.run(line, { fetch });
  assert.equal(held.code, 3, held.stderr);
  const { ok, outcomes } = JSON.parse(held.stdout);
  assert.deepEqual([ok, outcomes[0].state, outcomes[0].rows, outcomes[0].error.type], [
    false,
    "held",
    0,
    "ShrinkError",
  ]);
  assert.match(held.stderr, /Held back 5 days \(2026-09-25\.\.2026-09-29\): .*--accept-shrink/);
  assert.deepEqual(JSON.parse((await world.run("store coverage --json")).stdout), before);
  const [entry] = JSON.parse((await world.run("report list --json")).stdout);
  assert.equal(entry.state, "held");

  world.emulator.clock.advance(60);
  const accepted = await world.run(`${line} --accept-shrink`, { fetch });
  assert.equal(accepted.code, 0, accepted.stderr);
  assert.equal(JSON.parse((await world.run("store coverage --json")).stdout)[0].rows, 0);
});

long();
Deno.test("sync asks before it puts another account into a store, and does nothing where nobody can be asked", async () => {
  await using world = await storeWorld();
  const other = await Emulator.start({
    seed: "another account",
    clock: { now: "2026-09-30T19:00:00Z", frozen: true },
    quirks: { reportSeconds: 0 },
  });
  try {
    const line = "sync -m US --report sp_campaigns --start -2";
    assert.equal((await world.run(line)).code, 0);
    assert.equal((await world.run(line.replace("US", "JP"))).code, 0, "another profile of the same login");
    const env = { ...world.env, ...urlsOf(other), PLATFORM_ADS_STORE: world.store };
    const refused = await world.run(line, { env });
    assert.equal(refused.code, 2, refused.stderr);
    assert.match(
      refused.stderr,
      /Cannot add US \d+ to store ".*": it holds another account \(JP \d+, US \d+\).*--add-account/,
    );
    assert.equal((await world.run(line, { env, terminal: 100, stdin: "n\n" })).code, 2);
    assert.ok(!other.requests().some(({ path }) => path.includes("/reporting/")), "no report was asked for");
    assert.equal(JSON.parse((await world.run("store coverage --json")).stdout).length, 2);

    const answered = await world.run(line, { env, terminal: 100, stdin: "y\n" });
    assert.equal(answered.code, 0, answered.stderr);
    assert.equal((await world.run(line, { env })).code, 0, "from then on it belongs there");
    assert.equal((await world.run(`${line.replace("US", "AU")} --add-account`, { env })).code, 0);
  } finally {
    await other.stop();
  }
});

function urlsOf({ platform, credentials }: Emulator): Record<string, string> {
  return {
    PLATFORM_ADS_BASE_URL_NA: platform.regions.NA!.baseUrl,
    PLATFORM_ADS_BASE_URL_EU: platform.regions.EU!.baseUrl,
    PLATFORM_ADS_BASE_URL_FE: platform.regions.FE!.baseUrl,
    PLATFORM_ADS_TOKEN_URL: platform.tokenUrl,
    PLATFORM_ADS_CLIENT_ID: credentials.clientId,
    PLATFORM_ADS_CLIENT_SECRET: credentials.clientSecret,
    PLATFORM_ADS_REFRESH_TOKEN: credentials.refreshToken,
  };
}

Deno.test("a default sync fetches every day that the platform still keeps, and coverage says what is lacking", async () => {
  await using world = await storeWorld();
  const line = "sync -m US --report sp_search_terms";
  assert.equal((await world.run(`${line} --start -10`)).code, 0);
  const lacking = await world.run("store coverage --json --fail-on-gaps");
  const [before] = JSON.parse(lacking.stdout) as Row[];
  assert.deepEqual([lacking.code, before!["gaps"], before!["lost"]], [3, [], []]);
  assert.deepEqual(before!["available"], [{ start: "2026-07-28", end: "2026-09-19" }]);
  assert.equal(before!["fetch_by"], "2026-09-30");
  assert.match(
    lacking.stderr,
    /warning: US \d+ sp_search_terms: 54 missing days .* \(2026-07-28\) until 2026-09-30/,
  );
  assert.equal((await world.run("store coverage")).code, 0);

  assert.equal((await world.run(line)).code, 0);
  const whole = await world.run("store coverage --json --fail-on-gaps");
  const [after] = JSON.parse(whole.stdout) as Row[];
  assert.deepEqual([whole.code, after!["first_day"], after!["days"], after!["available"]], [
    0,
    "2026-07-28",
    64,
    [],
  ]);

  world.emulator.clock.advance(100 * 86_400);
  assert.equal((await world.run(`${line} --start -3`)).code, 0);
  const [late] = JSON.parse((await world.run("store coverage --json")).stdout) as Row[];
  assert.deepEqual(late!["lost"], [{ start: "2026-09-30", end: "2026-11-04" }]);
});

Deno.test("publish writes a lake once, tells what it wrote, verifies it, and says all wrong options", async () => {
  await using world = await storeWorld();
  await world.run("sync -m US --report sp_campaigns --start -3 --no-entities");
  const lake = `${world.folder}/lake`;
  const first = await world.run(`store publish --to ${lake} --tables days`);
  assert.match(first.stdout, /^Wrote \d files? with \d+ rows, \d+ KB; 0 files as before in .*lake\n$/);
  const again = JSON.parse((await world.run(`store publish --to ${lake} --tables days --json`)).stdout);
  assert.deepEqual([again.written, again.lake], [0, lake]);
  assert.ok(again.unchanged > 0);
  const checked = await world.run(`store publish --to ${lake} --verify`);
  assert.equal(checked.code, 0);
  assert.match(checked.stdout, /^\d files? with \d+ rows, \d+ KB, as published\n$/);
  const [list] = await Array.fromAsync(Deno.readDir(`${lake}/_files`));
  const [path = ""] = (await Deno.readTextFile(`${lake}/_files/${list?.name}`)).split("\n");
  await Deno.writeTextFile(path, "edited");
  const wrong = await world.run(`store publish --to ${lake} --verify`);
  assert.equal(wrong.code, 3);
  assert.match(wrong.stdout, /its content differs from the published file\nadsctl store publish --full/);
  for (
    const [line, reason] of [
      [`--to ${lake} --tables dais`, /"dais" is not a table or group\. Did you mean "days"\?/],
      [`--to ${lake} --since 2026-13`, /expected a month such as 2026-09/],
      [`--to ${lake} --since 2031-01`, /the month has not begun/],
      [`--to ${lake} --verify --full --since 2026-09`, /Cannot use --since, --full with --verify/],
      [`--to ${lake} --clean`, /Cannot use --clean without --verify/],
      ["--to ftp://host/lake", /expected the path of a folder, or s3:\/\/BUCKET\/PREFIX/],
      ["--to s3://figures", /AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set/],
    ] as const
  ) {
    const { code, stderr } = await world.run(`store publish ${line}`);
    assert.equal(code, 2, line);
    assert.match(stderr, reason);
  }
});

Deno.test("store tap prints Singer messages from a config, a catalog and a state, and says what is wrong with each", async () => {
  await using world = await storeWorld();
  await world.run("sync -m US --report sp_campaigns --start -3 --no-entities");
  const file = async (name: string, content: unknown): Promise<string> => {
    const path = `${world.folder}/${name}`;
    await Deno.writeTextFile(path, typeof content === "string" ? content : JSON.stringify(content));
    return path;
  };
  const config = await file("config.json", { tables: ["sp_campaigns", "sp_placement"], market: "US" });
  const { stdout } = await world.run(`store tap --config ${config}`);
  const messages = stdout.trim().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual([...new Set(messages.map(({ type }) => type))], ["SCHEMA", "RECORD", "STATE"]);
  const state = await file("state.json", messages.at(-1).value);
  assert.equal((await world.run(`store tap --config ${config} --state ${state}`)).stdout, "");
  const found = JSON.parse((await world.run("store tap --discover --tables days")).stdout);
  const [first] = found.streams;
  assert.deepEqual(first.key_properties.slice(0, 2), ["profile_id", "date"]);
  for (const stream of found.streams) stream.metadata[0].metadata.selected = false;
  const none = await file("catalog.json", found);
  assert.equal((await world.run(`store tap --catalog ${none}`)).stdout, "");
  for (
    const [line, reason] of [
      [
        `--config ${await file("wrong.json", { stor: "x", tables: "days" })}`,
        /"stor" is not a setting; "tables" is not a list/,
      ],
      [`--state ${await file("broken.json", "{")}`, /Cannot read the state ".*broken\.json"/],
      [`--state ${await file("other.json", { bookmarks: [] })}`, /Cannot use the state: expected/],
      [`--state ${await file("bare.json", { currently_syncing: "x" })}`, /Cannot use the state: expected/],
      [`--state ${await file("marks.json", { bookmarks: { sp_campaigns: { a: 1 } } })}`, /expected/],
      [
        `--state ${await file("foreign.json", { bookmarks: { orders: { updated_at: "2026-09-01" } } })}`,
        /the store has none of its streams \(orders\)\. Leave it out to send everything/,
      ],
      [`--catalog ${state}`, /Cannot read the catalog: expected/],
      ["--tables marts", /they are totals without a key/],
      ["--config nowhere.json", /there is no such file/],
    ] as const
  ) {
    const { code, stderr } = await world.run(`store tap ${line}`);
    assert.equal(code, 2, line);
    assert.match(stderr, reason);
  }
});
