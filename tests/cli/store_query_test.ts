import { REPORT_PRESET_NAMES } from "../../src/client/reports/requests/presets.ts";
import { PROFILE_KINDS } from "../../src/client/entities/kinds/kinds.ts";
import assert from "node:assert/strict";
import { readXlsx } from "hucre/xlsx";
import { parquetReadObjects } from "hyparquet";
import { streamSchema } from "../../src/store/warehouse/store_schema.ts";
import { Warehouse } from "../../src/store/warehouse/warehouse.ts";
import { emulated } from "./support/emulated.ts";
import { runCli } from "./support/run_cli.ts";

const MANY =
  "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12000) SELECT i, i * 0.5 AS half FROM n";

async function filled(): Promise<{ path: string; folder: string; remove(): Promise<void> }> {
  const folder = await Deno.makeTempDir({ prefix: "adsctl-store-" });
  const path = `${folder}/ads.sqlite`;
  await using store = await Warehouse.open(path);
  for (const [profileId, countryCode] of [["1", "US"], ["2", "DE"]] as const) {
    const range = { profileId, countryCode, report: "sp_campaigns", start: "2026-08-30", end: "2026-09-02" };
    await store.replace(
      range,
      ["2026-08-30", "2026-08-31", "2026-09-01", "2026-09-02"].map((date) => ({
        date,
        campaignId: "18446744073709551615",
        campaignName: "=1+1",
        clicks: 3,
        cost: 1.5,
      })),
    );
  }
  return { path, folder, remove: () => Deno.remove(folder, { recursive: true }) };
}

Deno.test("store query gives every row in a pipe and to a file, and says when a terminal shows less", async () => {
  const { path, folder, remove } = await filled();
  const query = ["query", MANY, "--store", path];
  const piped = await runCli([...query, "--format", "jsonl"]);
  assert.deepEqual([piped.code, piped.stdout.trim().split("\n").length], [0, 12_000]);
  const shown = await runCli([...query, "--format", "jsonl"], { terminal: 100 });
  assert.deepEqual([shown.code, shown.stdout.trim().split("\n").length], [3, 10_000]);
  assert.match(shown.stderr, /warning: Only the first 10000 rows are shown/);
  assert.equal((await runCli([...query, "--max-rows", "5", "--quiet"])).code, 0, "as many as were asked for");
  const out = await runCli([...query, "--out", `${folder}/n.csv`], { terminal: 100 });
  assert.deepEqual([out.code, out.stderr], [0, `Wrote 12000 rows to ${folder}/n.csv\n`]);
  assert.equal((await Deno.readTextFile(`${folder}/n.csv`)).trim().split("\n").length, 12_001);
  await remove();
});

Deno.test("store query --out types the columns of Parquet and spreadsheets by what they hold", async () => {
  const { path, folder, remove } = await filled();
  const sql =
    'SELECT date, "campaignId" AS id, "campaignName" AS name, sum(clicks) AS clicks, sum(cost) / 4 AS cost, ' +
    "NULL AS none FROM sp_campaigns GROUP BY 1, 2, 3 ORDER BY 1";
  for (const ending of ["parquet", "xlsx", "json"]) {
    const { code, stderr } = await runCli([
      "store",
      "query",
      sql,
      "--store",
      path,
      "--out",
      `${folder}/q.${ending}`,
    ]);
    assert.equal(code, 0, stderr);
  }
  const bytes = await Deno.readFile(`${folder}/q.parquet`);
  const [first, ...rest] = await parquetReadObjects({ file: bytes.buffer });
  assert.equal(rest.length, 3);
  assert.deepEqual(first, {
    date: new Date("2026-08-30T00:00:00Z"),
    id: "18446744073709551615",
    name: "=1+1",
    clicks: 6n,
    cost: 0.75,
    none: null,
  });
  const { sheets } = await readXlsx(await Deno.readFile(`${folder}/q.xlsx`));
  const [header, row] = sheets[0]!.rows;
  assert.deepEqual(header, ["date", "id", "name", "clicks", "cost", "none"]);
  assert.deepEqual(row!.slice(1, 5), ["18446744073709551615", "=1+1", 6, 0.75]);
  assert.ok(row![0] instanceof Date, String(row![0]));
  const refused = await runCli(["query", sql, "--store", path, "--out", `${folder}/q.txt`]);
  assert.deepEqual([refused.code, /must end in/.test(refused.stderr)], [2, true]);
  await remove();
});

Deno.test("store export parts rows by country and month, each row in one file", async () => {
  const { path, folder, remove } = await filled();
  const { code, stderr } = await runCli(
    `store export sp_campaigns ${folder}/lake/rows.csv --partition-by country_code,month --store ${path}`,
  );
  assert.deepEqual([code, stderr], [0, "Wrote 8 rows to 4 files\n"]);
  for (
    const [partition, days] of [["country_code=DE/month=2026-08", ["30", "31"]], [
      "country_code=US/month=2026-09",
      ["01", "02"],
    ]] as const
  ) {
    const text = await Deno.readTextFile(`${folder}/lake/${partition}/rows.csv`);
    const lines = text.trim().split(/\r?\n/).slice(1);
    assert.deepEqual(
      lines.map((line) => [line.slice(0, 2), line.split(",")[2]!.slice(-2)]),
      days.map((day) => [partition.slice(13, 15), day]),
    );
  }
  const one = await runCli(
    `store export sp_campaigns ${folder}/one/rows.json --partition-by date -m US --start 2026-09-01 --store ${path}`,
  );
  assert.match(one.stderr, /Wrote 2 rows to 2 files/);
  const bad = await runCli(`store export sp_campaigns ${folder}/x.csv --partition-by week --store ${path}`);
  assert.deepEqual([bad.code, /expected one of country_code, profile_id, month, date/.test(bad.stderr)], [
    2,
    true,
  ]);
  await remove();
});

Deno.test("store schema lists what can be queried, and every example runs", async () => {
  const { path, remove } = await filled();
  const all = JSON.parse((await runCli("store schema --json")).stdout) as {
    name: string;
    columns: { name: string; type: string; meaning: string }[];
    examples: string[];
  }[];
  const entries = 2 * REPORT_PRESET_NAMES.length + 2 * PROFILE_KINDS.length + streamSchema().length + 20;
  assert.equal(all.length, entries);
  await using store = await Warehouse.open(path);
  for (const { name, columns, examples } of all) {
    assert.ok(columns.every(({ meaning }) => meaning.length > 2));
    const found = await store.query(`SELECT * FROM ${name} LIMIT 1`);
    assert.deepEqual([...found.columns].sort(), columns.map((column) => column.name).sort(), name);
    for (const sql of examples) await store.query(sql);
  }
  const one = await runCli("store schema sp-search-terms", { terminal: 200 });
  assert.match(
    one.stdout,
    /sales_14d +real +sales, in the currency of the profile, within 14 days of a click/,
  );
  assert.match(one.stderr, /adsctl query 'SELECT/);
  assert.equal((await runCli("store schema nothing")).code, 2);
  await remove();
});

Deno.test("Ctrl-C during a report names it, and how to get its rows later", async () => {
  await using world = await emulated({ quirks: { reportSeconds: 600 } });
  let press = (): void => {};
  const run = await runCli("report sp_campaigns -m US --start -3", {
    ...world,
    onInterrupt: (handler) => void (press = handler),
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      if (/\/reporting\/reports\/./.test(String(input))) press();
      return response;
    },
  });
  assert.equal(run.code, 130, run.stderr);
  const id = /adsctl report download ([\w-]+) -m US --wait/.exec(run.stderr)?.[1];
  assert.ok(id !== undefined, run.stderr);
  world.emulator.clock.advance(700);
  const rows = await runCli(`report download ${id} -m US --json`, world);
  assert.ok(rows.code === 0 && JSON.parse(rows.stdout).length > 0, rows.stderr);
});

Deno.test("store query --as-of shows the reports as they were known then", async () => {
  const { path, remove } = await filled();
  {
    await using store = await Warehouse.open(path, { now: () => Date.now() + 3600_000 });
    const range = {
      profileId: "1",
      countryCode: "US",
      report: "sp_campaigns",
      start: "2026-09-02",
      end: "2026-09-02",
    };
    await store.replace(range, [{ date: "2026-09-02", campaignId: "18446744073709551615", cost: 9 }]);
  }
  const sql = "SELECT sum(cost) AS cost FROM sp_campaigns WHERE country_code = 'US'";
  const cost = async (asOf: string): Promise<unknown> =>
    JSON.parse(
      (await runCli([
        "store",
        "query",
        sql,
        "--store",
        path,
        "--json",
        ...asOf === "" ? [] : ["--as-of", asOf],
      ])).stdout,
    )[0].cost;
  assert.deepEqual([await cost(""), await cost("-0h"), await cost("-1")], [13.5, 6, null]);
  const prune = ["store", "prune", "--store", path, "--history-before", "2100-01-01"];
  const dry = await runCli([...prune, "--dry-run", "--json"]);
  assert.deepEqual([dry.code, JSON.parse(dry.stdout)], [0, [{ report: "sp_campaigns", versions: 1 }]]);
  assert.match(
    (await runCli(prune)).stderr,
    /1 versions that ended before 2100-01-01T00:00:00.000Z were deleted/,
  );
  assert.deepEqual([await cost(""), await cost("-0h")], [13.5, 4.5], "the version of that time is gone");
  const bad = await runCli(["query", sql, "--store", path, "--as-of", "someday"]);
  assert.equal(bad.code, 2, bad.stderr);
  await remove();
});

Deno.test("store restatements and maturity show what moved, and how much was known at which age", async () => {
  const folder = await Deno.makeTempDir({ prefix: "adsctl-store-" });
  const path = `${folder}/ads.sqlite`;
  let now = Date.parse("2026-09-02T12:00:00Z");
  {
    await using store = await Warehouse.open(path, { now: () => now });
    for (const [age, sales14d] of [[1, 50], [10, 100]] as const) {
      now = Date.parse("2026-09-01T12:00:00Z") + age * 86_400_000;
      const range = {
        profileId: "1",
        countryCode: "US",
        report: "sp_campaigns",
        start: "2026-09-01",
        end: "2026-09-01",
      };
      await store.replace(range, [{ date: "2026-09-01", campaignId: "1", sales14d, cost: 1 }]);
    }
  }
  const world = { now: () => Date.parse("2026-11-01T12:00:00Z"), env: { PLATFORM_ADS_STORE: path } };
  const moved = await runCli("store restatements --since 2026-09-05 --by age --json", world);
  assert.deepEqual(JSON.parse(moved.stdout), [
    { age: 10, versions: 1, impressions: 0, clicks: 0, cost: 0, orders: 0, sales: 50 },
  ]);
  assert.equal((await runCli("store restatements --by week", world)).code, 2);
  const shares = JSON.parse((await runCli("store maturity --json", world)).stdout) as {
    metric: string;
    share: number;
  }[];
  assert.deepEqual(shares.filter(({ metric }) => metric === "sales").slice(8, 10).map(({ share }) => share), [
    0.5,
    1,
  ]);
  const { stdout } = await runCli("store maturity --chart", world);
  assert.match(stdout, /US sp_campaigns sales ▄{9}█{33} 50 % at 1, 50 % at 7, 100 % at 14, 100 % at 28/);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("store query --currency converts amounts by the rates of a file, and refuses what it cannot convert by", async () => {
  const { path, folder, remove } = await filled();
  const rates = `${folder}/rates.csv`;
  const sql =
    "SELECT currency, round(sum(cost), 2) AS cost FROM budget_pressure GROUP BY currency ORDER BY 1";
  const query = async (
    options: readonly string[],
    text = "currency,rate,from\nUSD,0.5,2026-01-01\nEUR,1,\n",
  ) => {
    await Deno.writeTextFile(rates, text);
    return await runCli(["query", sql, "--store", path, "--format", "json", ...options]);
  };
  const converted = await query(["--currency", "eur", "--rates", rates]);
  assert.deepEqual(JSON.parse(converted.stdout), [{ currency: "EUR", cost: 9 }]);
  for (
    const [options, text, why] of [
      [["--currency", "EUR"], undefined, /without rates: name a file with --rates/],
      [["--rates", rates], undefined, /--rates without --currency/],
      [
        ["--currency", "EURO", "--rates", rates],
        undefined,
        /EURO.* is not a currency, expected a code such as EUR/,
      ],
      [["--currency", "EUR", "--rates", `${folder}/none.csv`], undefined, /there is no such file/],
      [["--currency", "EUR", "--rates", rates], "currency,rate\nGBP,1.1\n", /there is no rate for USD/],
      [
        ["--currency", "EUR", "--rates", rates],
        "currency,rate\nUSD,much\n",
        /row 2 has no currency or no rate above 0/,
      ],
      [["--currency", "EUR", "--rates", rates], "currency,rate\nUSD,1\nUSD,2\n", /it has two rates/],
      [["--currency", "EUR", "--rates", rates], "currency,rate,from\nUSD,1,soon\n", /is not a day/],
    ] as const
  ) {
    const { code, stderr, stdout } = await query(options, text);
    assert.match(stderr, why);
    assert.doesNotMatch(stderr, /\n {4}at /, "no stack");
    assert.deepEqual([code, stdout], [2, ""]);
  }
  await remove();
});

Deno.test("store query tidies sums, names the nearest column, and says before when nothing was known", async () => {
  const { path, folder, remove } = await filled();
  const query = (sql: string, ...more: string[]) =>
    runCli(["query", sql, "--store", path, "--json", ...more]);
  const sums = await query(
    "SELECT 28.73 + 0.01 + 0.1 + 0.2 - 0.3 AS cost, 1.0 / 3 AS third, 0.1 AS tenth, 9007199254740993 AS id",
  );
  assert.deepEqual(JSON.parse(sums.stdout), [{
    cost: 28.74,
    third: 0.333333333333333,
    tenth: 0.1,
    id: "9007199254740993",
  }]);

  const unknown: readonly (readonly [column: string, view: string, near: string])[] = [
    ["campaing_id", "sp_campaigns", "campaign_id"],
    ["keywordIds", "performance", "keyword_id"],
    ["date", "mart_account_day", "date_day"],
    ["sales", "sp_campaigns", "sales_14d"],
  ];
  for (const [column, view, near] of unknown) {
    const { code, stderr } = await query(`SELECT ${column} FROM ${view}`);
    assert.notEqual(code, 0);
    assert.match(stderr, new RegExp(`no such column: ${column}. Did you mean .*${near}`));
  }
  const none = (await query("SELECT weather FROM sp_campaigns")).stderr;
  assert.ok(!none.includes("Did you mean"), none);

  const sql = "SELECT count(*) AS n FROM sp_campaigns";
  const early = await query(sql, "--as-of", "2020-01-01T00:00Z");
  assert.match(
    early.stderr,
    /^warning: Nothing was known at 2020-01-01T00:00:00.000Z: the first report was stored at \d{4}-/,
  );
  assert.equal(early.stderr.split("Nothing was known").length, 2, early.stderr);
  assert.equal((await query(sql, "--as-of", new Date().toISOString())).stderr, "");
  await (await Warehouse.open(`${folder}/empty.sqlite`)).close();
  const empty = await runCli(["query", sql, "--store", `${folder}/empty.sqlite`, "--as-of", "-1"]);
  assert.match(empty.stderr, /no report was ever stored/);
  await remove();
});

Deno.test("the next command of store coverage has the global options of this one", async () => {
  const folder = await Deno.makeTempDir();
  const place = `${folder}/ads.sqlite`;
  await (await Warehouse.open(place)).close();
  const env = { XDG_STATE_HOME: folder, XDG_CONFIG_HOME: folder };
  const { stderr } = await runCli(`store coverage --demo --policy limits.yaml --store ${place}`, { env });
  await Deno.remove(folder, { recursive: true });
  assert.match(stderr, /adsctl sync --demo --policy limits\.yaml fills it/);
});
